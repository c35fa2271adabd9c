/** The palette and the keys in a browser: what they open, and when they do nothing. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { BACK_OFFICE, SHOP } from '../../../src/web/surfaces.ts'
import { accessibilityProblems, isChromiumInstalled, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { STAFF_PASSWORD, startService } from '../../support/licensing/service.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'
import { openSignedIn } from '../../support/sign-in.ts'

const options = await withPages()
const { call, staff, somebody, licensing } = await startService({
  ...options,
  shopUrl: `${options.baseUrl}${SHOP.base}`,
})
const as = await staff()
await call('POST', '/api/admin/plans', {
  as,
  body: { slug: 'basic', name: 'Basic', priceMonthly: 900, priceYearly: 9_000 },
})
await call('POST', '/api/admin/plans', {
  as,
  body: { slug: 'plus', name: 'Plus', priceMonthly: 1_900, priceYearly: 19_000 },
})
const sale = { email: 'ada@customer.test', planSlug: 'basic', billingCycle: 'MONTHLY', reference: 'order 66' }
await call('POST', '/api/admin/provisioning', { as, body: sale })
await licensing.projector.catchUp()
const panelOptions = await withPages()
const panel = await startPanel(panelOptions)
useBrowser()

async function signedIn(path = '', expected?: RegExp): Promise<Page> {
  const { email } = await somebody('SUPERADMIN')
  const url = `${options.baseUrl}${BACK_OFFICE.base}${path}`
  const page = await openSignedIn(url, { realm: 'staff', email, password: STAFF_PASSWORD, expected })
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Page, record or action' })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const focusedText = (page: Page) => page.evaluate<string>(`document.activeElement.textContent`)

/** The keys are loaded after the page, and the focus moves after the palette shows. */
async function openPalette(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await page.keyboard.press('Control+k')
      return field(page).count()
    })
    .toBe(1)
  await field(page).and(page.locator(':focus')).waitFor()
}

describe.runIf(isChromiumInstalled)('the palette in a browser', () => {
  test('opens pages by keys alone, and leaves the focus on the title of the page', async () => {
    const page = await signedIn()
    await openPalette(page)
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.type('lic')
    await page.getByText('Enter opens Licenses, Customers.').waitFor()
    await page.keyboard.press('Enter')
    await title(page, 'Licenses').waitFor()
    await expect.poll(() => field(page).count()).toBe(0)
    await expect.poll(() => focusedText(page)).toBe('Licenses')

    await openPalette(page)
    await page.keyboard.type('installation')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focusedText(page)).toContain('Webhooks')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.type('s')
    expect(await field(page).inputValue(), 'a letter goes to the field').toBe('installations')
    await page.keyboard.press('Escape')
    await expect.poll(() => field(page).count()).toBe(0)
  })

  test('begins what the page offers', async () => {
    const page = await signedIn('/plans')
    await openPalette(page)
    await page.keyboard.type('create')
    await page.getByText('Enter opens Create a plan, Plans.').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Create a plan' })
    await dialog.waitFor()
    await expect.poll(() => field(page).count()).toBe(0)
    await expect
      .poll(() => page.evaluate(`document.activeElement.closest('[role=dialog]')?.textContent`))
      .toContain('Slug')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'Basic' }).click()
    await title(page, 'Basic').waitFor()
    await openPalette(page)
    await page.keyboard.type('create')
    await page.getByText('Nothing is found by this.').waitFor()
    await field(page).fill('clone')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focusedText(page)).toBe('Clone Basic')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Clone' }).waitFor()
  })

  test('finds a record by all that names it, and says what does not', async () => {
    const page = await signedIn()
    await page.getByRole('button', { name: 'Go to' }).click()
    await field(page).fill('order 6')
    await page.getByText('Nothing is found by this.').waitFor()
    await page.getByText('A record is found by its whole id').waitFor()
    await field(page).fill('order 66')
    await page.keyboard.press('Enter')
    await title(page, 'basic, order 66').waitFor()
    await page.getByRole('button', { name: 'Go to' }).click()
    await field(page).fill('ada@customer.test')
    await page.getByRole('link', { name: 'Customer ada@customer.test' }).click()
    await title(page, 'ada@customer.test').waitFor()
  })

  test('says that records could not be looked through, and still opens pages', async () => {
    const page = await signedIn('', /500/)
    await page.route('**/api/admin/search?*', (route) =>
      route.fulfill({ status: 500, json: { statusCode: 500, message: 'The search failed' } }),
    )
    await openPalette(page)
    await page.keyboard.type('plans')
    await page.getByText('Records could not be looked through').waitFor({ timeout: 20_000 })
    await page.getByText('The search failed').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.press('Enter')
    await title(page, 'Plans').waitFor()
  })

  test('finds the projects and teams of a person of the panel', async () => {
    await panel.licensed()
    const owner = await panel.somebody()
    await panel.call('POST', '/api/projects', { as: owner.as, body: { name: 'Warehouse' } })
    const page = await openSignedIn(panelOptions.baseUrl, { realm: 'user', email: owner.email, password: PASSWORD })
    await page.getByRole('link', { name: 'Warehouse' }).waitFor()
    await openPalette(page)
    await page.keyboard.type('ware')
    await page.keyboard.press('Enter')
    await title(page, 'Warehouse').waitFor()
  })
})

describe.runIf(isChromiumInstalled)('the keys in a browser', () => {
  test('go to pages, search, and walk through the rows of a list', async () => {
    const page = await signedIn('/plans')
    await page.getByRole('link', { name: 'Plus' }).waitFor()
    await openPalette(page)
    await page.keyboard.press('Escape')
    await expect.poll(() => field(page).count()).toBe(0)
    const rows = await page.locator('#main tbody tr a:first-of-type').allTextContents()
    for (const [key, row] of [
      ['j', 0],
      ['j', 1],
      ['j', 1],
      ['k', 0],
      ['k', 0],
    ] as const) {
      await page.keyboard.press(key)
      expect(await focusedText(page), key).toBe(rows[row])
    }
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toMatch(/\/console\/plans\/./)

    await page.keyboard.type('gl')
    await title(page, 'Licenses').waitFor()
    await page.getByRole('table').waitFor()
    await page.keyboard.press('/')
    await expect.poll(() => page.evaluate(`document.activeElement.type`)).toBe('search')
    await page.keyboard.type('g/?')
    expect(await page.evaluate(`document.activeElement.value`), 'what is typed is no command').toBe('g/?')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('are shown by ?, and can be switched off', async () => {
    const page = await signedIn()
    await openPalette(page)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await keys.getByText('g c', { exact: true }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.type('gl')
    await keys.getByRole('checkbox').uncheck()
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'hidden' })
    await page.reload()
    await title(page, 'Overview').waitFor()

    await openPalette(page)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('?')
    await page.keyboard.type('gl')
    await openPalette(page)
    expect(await page.getByRole('dialog').count(), '? did nothing').toBe(1)
    await page.keyboard.press('Escape')
    await title(page, 'Overview').waitFor()
    await page.locator('.rail').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Keys' }).click()
    await keys.getByRole('checkbox').check()
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'hidden' })
    await page.keyboard.type('gl')
    await title(page, 'Licenses').waitFor()
  })
})
