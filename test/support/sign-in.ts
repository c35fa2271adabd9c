/** People who sign in to a surface: by the form of a page, or before their first page is opened. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { newPerson, openPage } from './browser.ts'
import { POINTER } from './person.ts'

export interface SignInInput {
  readonly email: string
  readonly password: string
}

/** @param page that shows the form, as a page or as a sheet */
export async function signInOn(page: Page, { email, password }: SignInInput, by = POINTER): Promise<void> {
  await by.write(page.getByLabel('E-mail address'), email)
  await by.write(page.getByLabel('Password'), password)
  await by.press(page.getByRole('button', { name: 'Sign in' }))
  await signedInShows(page)
}

const signedInShows = (page: Page): Promise<void> => page.getByRole('navigation', { name: 'Pages' }).waitFor()

/** The operation of each realm, and what its pages keep in a browser that has had a session. */
const REALMS = {
  staff: { login: '/api/admin/auth/login', marker: 'daybook-staff' },
  user: { login: '/api/auth/login', marker: 'daybook-user' },
} as const

interface OpenSignedInOptions extends SignInInput {
  readonly realm: keyof typeof REALMS
  /** Reports that this test causes on purpose. */
  readonly expected?: RegExp | undefined
}

/**
 * Opens the address as a person who has signed in before, for tests of what comes after that: the page with the form is not loaded, and
 * nothing is typed.
 */
export async function openSignedIn(url: string, { realm, expected, ...data }: OpenSignedInOptions): Promise<Page> {
  const { origin } = new URL(url)
  const { login, marker } = REALMS[realm]
  const person = await newPerson()
  // An empty page has no storage.
  await person.addInitScript(`if (location.origin === '${origin}') localStorage.setItem('${marker}', '1')`)
  const answer = await person.request.post(`${origin}${login}`, { data, headers: { origin } })
  expect(answer.status(), await answer.text()).toBe(200)
  const page = await openPage(url, { of: person, ...(expected && { expected }) })
  await signedInShows(page)
  return page
}
