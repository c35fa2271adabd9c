/** Lists and records of the back office in a browser: the menu of a record, what a list does when it fails, long ones. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { BACK_OFFICE } from '../../../src/web/surfaces.ts'
import { isChromiumInstalled, openPage, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { startService, STAFF_PASSWORD } from '../../support/licensing/service.ts'
import { signInOn } from '../../support/sign-in.ts'

const options = await withPages()
const { call, staff, somebody, licensing } = await startService(options)
const as = await staff()
useBrowser()

async function signedIn(path: string, expected?: RegExp): Promise<Page> {
  const { email } = await somebody('SUPERADMIN')
  const page = await openPage(`${options.baseUrl}${BACK_OFFICE.base}${path}`, expected && { expected })
  await signInOn(page, { email, password: STAFF_PASSWORD })
  return page
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe.runIf(isChromiumInstalled)('lists in a browser', () => {
  test('the menu of a record opens the dialogs of its operations by keyboard, and gives the focus back', async () => {
    const { id } = (await call('POST', '/api/admin/customers', { as, body: { email: 'menu@customer.test' } })).body
    await licensing.projector.catchUp()
    const page = await signedIn(`/customers/${id}`)
    await button(page, 'More').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Grant credit' }).waitFor()
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Grant credit', 'Export', 'Suspend', 'Erase'])
    await page.keyboard.type('su')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Suspend' }).getByText('nothing can be sold').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate<string>('document.activeElement.textContent')).toContain('More')

    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Suspend' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await button(page, 'Activate').waitFor()
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: 'Erase' }).waitFor()
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Grant credit', 'Export', 'Erase'])
  })

  test('a list that failed is asked for again by a button', async () => {
    const page = await signedIn('/audit', /503/)
    let isDown = true
    await page.route('**/api/admin/features?*', (route) =>
      isDown
        ? route.fulfill({ status: 503, json: { message: 'The database is away' }, headers: { 'retry-after': '9' } })
        : route.continue(),
    )
    await page.getByRole('link', { name: 'Features' }).click()
    await page.getByText('The database is away').waitFor()
    isDown = false
    await button(page, 'Try again').click()
    await page.getByText('Nothing').or(page.locator('.empty')).first().waitFor()
    expect(await page.getByText('The database is away').count()).toBe(0)
    expect(await page.getByRole('button', { name: /feature/i }).count(), 'an empty list offers it once').toBe(1)
  })

  test('clearing filters leaves the rest of the address as it is', async () => {
    const page = await signedIn('/features?q=nothing+has+this&view=mine')
    await button(page, 'Clear the filters').click()
    await page.waitForURL(/\/features\?view=mine$/)
  })
})
