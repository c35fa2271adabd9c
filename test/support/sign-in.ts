/** Signs in by the form of a page. */
import type { Page } from 'playwright-core'
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
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
}
