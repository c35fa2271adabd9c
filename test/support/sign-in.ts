/** Signs in by the form of a page. */
import type { Page } from 'playwright-core'

export interface SignInInput {
  readonly email: string
  readonly password: string
}

/** @param page that shows the form, as a page or as a sheet */
export async function signInOn(page: Page, { email, password }: SignInInput): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
}
