/** Lists and records of the back office in a browser: the menu of a record, what a list does when it fails, long ones. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { makeCheckpoint } from '#kernel/history/verify-history'
import { servicePool } from '#kernel/store/connection'
import { ExportMade, exportEvents } from '#licensing/exports/events'
import { BACK_OFFICE } from '../../../src/web/surfaces.ts'
import { isChromiumInstalled, openPage, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { startService, STAFF_PASSWORD } from '../../support/licensing/service.ts'
import { signInOn } from '../../support/sign-in.ts'

const options = await withPages()
const { call, run, settle, database, staff, somebody, licensing } = await startService(options)
const as = await staff()
useBrowser()

async function signedIn(path: string, expected?: RegExp): Promise<Page> {
  const { email } = await somebody('SUPERADMIN')
  const page = await openPage(`${options.baseUrl}${BACK_OFFICE.base}${path}`, expected && { expected })
  await signInOn(page, { email, password: STAFF_PASSWORD })
  return page
}

/** As web pages of this kind are judged: rows in the document, bytes of memory, seconds of the main thread. */
const ROWS_MAX = 60
const HEAP_MAX = 40_000_000
const FRAME_SECONDS_MAX = 0.05
const FRAMES = 120
const FRAME_PX = 400
const EVENTS_AT_ONCE = 500

/** Straight into the log, because each is one request otherwise. */
async function someExports(number: number): Promise<void> {
  for (let made = 0; made < number; made += EVENTS_AT_ONCE)
    await run(async (unit) => {
      for (let nth = made; nth < Math.min(number, made + EVENTS_AT_ONCE); nth += 1) {
        const exportId = unit.newId()
        unit.appendEvent(exportEvents, exportId, ExportMade({ exportId, resource: 'plans', format: 'csv' }))
      }
    })
  await licensing.projector.catchUp()
}

const rowsShown = (page: Page) => page.locator('.entry').count()

/** The number of the entry that has the focus; 0: none has it. */
const focusedFolio = (page: Page) =>
  page.evaluate<number>(
    `Number(document.activeElement.closest('.entry')?.querySelector('.entry-folio').textContent.slice(1) ?? 0)`,
  )

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
    await page.locator('[role=menu]:focus, [role=menu] :focus').waitFor()
    await page.keyboard.type('su')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Suspend' }).getByText('nothing can be sold').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.locator('button:focus', { hasText: 'More' }).waitFor()

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
    const headers = { 'retry-after': '9' }
    const isPressed = () => page.evaluate<boolean>('globalThis.isPressed === true')
    // The list is also asked for by itself: it stays away until the button was pressed.
    await page.route('**/api/admin/features?*', async (route) =>
      (await isPressed())
        ? route.continue()
        : route.fulfill({ status: 503, json: { message: 'The database is away' }, headers }),
    )
    await page.getByRole('link', { name: 'Features' }).click()
    await page.getByText('The database is away').waitFor()
    await page.evaluate(`document.addEventListener('click', () => { globalThis.isPressed = true }, true)`)
    await button(page, 'Try again').click()
    await page.getByText('The database is away').waitFor({ state: 'detached' })
    await page.locator('.empty').waitFor()
    expect(await page.getByRole('button', { name: /feature/i }).count(), 'an empty list offers it once').toBe(1)
  })

  test('clearing filters leaves the rest of the address as it is', async () => {
    const page = await signedIn('/features?q=nothing+has+this&view=mine')
    await button(page, 'Clear the filters').click()
    await page.waitForURL(/\/features\?view=mine$/)
  })

  test(
    '10,000 entries: few rows in the document, small memory, little work a scrolled frame',
    { timeout: 120_000 },
    async () => {
      await someExports(10_000)
      const page = await signedIn(`/audit?action=${ExportMade.action}`)
      const shown = page.getByText(/^[\d,]+ (of \d+ )?shown$/)
      await shown.waitFor()
      // Scrolling is all that a person does: each page comes before its end is reached.
      await page.evaluate(`new Promise((done, failed) => {
      let [said, sinceMs] = ['', performance.now()]
      const down = setInterval(() => {
        scrollTo(0, document.body.scrollHeight)
        const foot = document.querySelector('.table-foot').textContent
        if (foot !== said) [said, sinceMs] = [foot, performance.now()]
        const isWhole = /^10000 shown/.test(foot)
        if (!isWhole && performance.now() - sinceMs < 30_000) return
        clearInterval(down)
        isWhole ? done() : failed(new Error('The list stopped at: ' + foot + document.querySelector('main').innerText.slice(0, 500)))
      }, 20)
    })`)
      expect(await rowsShown(page)).toBeLessThanOrEqual(ROWS_MAX)

      const protocol = await page.context().newCDPSession(page)
      await protocol.send('HeapProfiler.collectGarbage')
      await protocol.send('Performance.enable', { timeDomain: 'threadTicks' })
      const measured = async (name: string) =>
        (await protocol.send('Performance.getMetrics')).metrics.find((each) => each.name === name)!.value
      expect(await measured('JSHeapUsedSize')).toBeLessThan(HEAP_MAX)
      const before = await measured('TaskDuration')
      const most = await page.evaluate<number>(`new Promise((done) => {
      let [frames, most] = [0, 0]
      const up = () => {
        most = Math.max(most, document.querySelectorAll('.entry').length)
        if (frames++ === ${FRAMES}) return done(most)
        scrollBy(0, -${FRAME_PX})
        requestAnimationFrame(up)
      }
      up()
    })`)
      expect(most, 'rows in the document while it scrolls').toBeLessThanOrEqual(ROWS_MAX)
      expect(most).toBeGreaterThan(10)
      expect(((await measured('TaskDuration')) - before) / FRAMES).toBeLessThan(FRAME_SECONDS_MAX)
    },
  )

  test('the keyboard goes through a long list, and finds an entry by its request', async () => {
    await someExports(300)
    const page = await signedIn(`/audit?action=${ExportMade.action}`)
    await page.locator('.entry').first().getByRole('button', { name: 'Details' }).focus()
    const first = await focusedFolio(page)
    for (let nth = 0; nth < 60; nth += 1) {
      await page.keyboard.press('Tab')
      // As fast as a person sees it: the next entries are drawn.
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    }
    const reached = await focusedFolio(page)
    expect(reached, 'the focus is in the list').toBeGreaterThan(0)
    expect(first - reached, 'each Tab is a next entry, far beyond what was drawn').toBeGreaterThan(25)
    await page.evaluate('scrollTo(0, 0)')
    const kept = await focusedFolio(page)
    expect(kept, 'the row with the focus stays in the document').toBeGreaterThan(0)
    await page.keyboard.press('Tab')
    expect(await focusedFolio(page)).toBeLessThanOrEqual(kept)

    const path = `/api/admin/audit?action=${ExportMade.action}&pageSize=1&page=200`
    const { position, subject } = (await call('GET', path, { as })).body.items[0]
    await page.getByLabel('Record id').focus()
    await page.keyboard.type(subject.id)
    await page.keyboard.press('Enter')
    await page.getByText('1 shown').waitFor()
    await page.getByText(`#${position}`, { exact: true }).waitFor()
  })

  test('rows are selected by mouse and keyboard, tried as one bulk action and followed to its end', async () => {
    const addresses = Array.from({ length: 120 }, (_, nth) => `many${nth}@customer.test`)
    await Promise.all(addresses.map((email) => call('POST', '/api/admin/customers', { as, body: { email } })))
    await licensing.projector.catchUp()
    const page = await signedIn('/customers')
    const row = (nth: number) => page.locator(`tr[data-index="${nth}"]`)
    await row(0).waitFor()
    expect(await page.locator('tbody tr[data-index]').count(), 'a long table is virtual').toBeLessThanOrEqual(ROWS_MAX)
    const bar = page.getByRole('region', { name: 'Selected' })
    await row(1).getByRole('checkbox').click()
    await row(4)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] })
    await bar.getByText('4 of 100 selected').waitFor()
    await row(2).getByRole('checkbox').focus()
    await page.keyboard.press('Space')
    await bar.getByText('3 of 100 selected').waitFor()
    await page.getByLabel('All of this page').click()
    await bar.getByText('100 of 100 selected').waitFor()
    await bar.getByRole('button', { name: 'Clear' }).click()
    await bar.waitFor({ state: 'detached' })

    await row(1).getByRole('checkbox').click()
    await row(2).getByRole('checkbox').click()
    await bar.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('heading', { name: 'Suspend customers: 2 selected' }).waitFor()
    await page.getByLabel('Reason').fill('audit')
    await button(page, 'Dry run').click()
    await page.getByText('2 records match').waitFor()
    await button(page, 'Start on 2').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start on 2' }).click()
    await page.getByRole('heading', { name: 'Suspend customers', exact: true }).waitFor()
    await settle()
    await licensing.projector.catchUp()
    await page.getByText('2 of 2 records').waitFor()
    expect((await call('GET', '/api/admin/customers?status=SUSPENDED', { as })).body.total).toBeGreaterThanOrEqual(2)
  })

  test('a long table reads on while it is scrolled, and its columns stay', async () => {
    const page = await signedIn('/customers')
    await page.getByRole('row').nth(5).waitFor()
    const widths = () =>
      page.evaluate<number[]>(`[...document.querySelectorAll('thead th')].map((each) => each.offsetWidth)`)
    const before = await widths()
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('-1')
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    const rowCount = () => page.getByRole('table').getAttribute('aria-rowcount')
    await expect.poll(rowCount, { message: 'the end of the list is known' }).not.toBe('-1')
    const rows = (await rowCount())!
    const last = page.locator(`tr[aria-rowindex="${rows}"]`)
    await expect
      .poll(async () => {
        await page.evaluate('scrollTo(0, document.body.scrollHeight)')
        return last.count()
      })
      .toBe(1)
    expect(await page.locator('tbody tr[data-index]').count()).toBeLessThanOrEqual(ROWS_MAX)
    expect(await widths()).toEqual(before)
  })

  test('the trail shows its seals, what hangs together, what is left out, and times in UTC', async () => {
    const body = { slug: 'sealed', name: 'Sealed' }
    const made = (await call('POST', '/api/admin/plans', { as, body })).body
    await call('POST', '/api/admin/customers', { as, body: { email: 'between@customer.test' } })
    await call('PATCH', `/api/admin/plans/${made.id}`, { as, body: { name: 'Signed' } })
    const pool = servicePool(database.url, { role: 'daybook_service' })
    const { position } = (await makeCheckpoint(pool, licensing.vault))!
    await pool.end()
    await licensing.projector.catchUp()
    const page = await signedIn('/audit')
    const seal = page.locator('.seal').first()
    expect(await seal.textContent()).toContain(`#${position}`)
    const firstSealed = page.locator('li', { has: page.locator('.seal') }).first()
    await firstSealed
      .locator('.entry-folio', { hasText: `#${position}` })
      .nth(1)
      .waitFor()

    await page.goto(`${options.baseUrl}${BACK_OFFICE.base}/plans/${made.id}`)
    const changed = page.locator('.entry', { hasText: 'changed' }).last()
    await changed.getByRole('button', { name: 'Details' }).focus()
    await page.keyboard.press('Enter')
    await changed.getByText('Sealed').waitFor()
    expect(await changed.getAttribute('data-is-gap'), 'the customer stands between').toBe('true')
    const time = changed.locator('time')
    expect(await time.locator('.clock-exact').isVisible(), 'exact while the keyboard is in the entry').toBe(true)
    await button(page, 'Times in UTC').click()
    const at = (await time.getAttribute('datetime'))!
    const hour = new Date(at).toLocaleTimeString('en-US', { timeStyle: 'short', timeZone: 'UTC' })
    await time.getByText(`${hour} UTC`, { exact: true }).waitFor()
    // As the service answers when the account of the actor is erased.
    await page.route('**/api/admin/audit?*', async (route) => {
      const answer = await route.fetch()
      const { items, ...rest } = await answer.json()
      const erased = items.map((entry: object) => ({
        ...entry,
        actor: { type: 'CUSTOMER', id: made.id, label: 'ERASED', ip: 'ERASED' },
      }))
      await route.fulfill({ response: answer, json: { ...rest, items: erased } })
    })
    await page.reload()
    await time.getByText(`${hour} UTC`, { exact: true }).waitFor()
    expect(await changed.locator('.erased').allTextContents()).toEqual(['erased', 'erased'])
  })

  test('versions of a plan stand beside each other, and what changed is marked', async () => {
    const body = { slug: 'versions', name: 'Versions', priceMonthly: 900, priceYearly: 9_000 }
    const { id } = (await call('POST', '/api/admin/plans', { as, body })).body
    await call('POST', '/api/admin/features', { as, body: { key: 'apps', name: 'Apps', type: 'INTEGER' } })
    await licensing.projector.catchUp()
    const changes = { priceMonthly: 1_900, features: [{ key: 'apps', value: 5 }] }
    expect((await call('PATCH', `/api/admin/plans/${id}`, { as, body: changes })).status).toBe(200)
    await licensing.projector.catchUp()
    const page = await signedIn(`/plans/${id}`)
    const table = page.getByRole('table', { name: 'Versions of this plan' })
    const cells = (row: string) => table.getByRole('row', { name: row }).getByRole('cell').allTextContents()
    await table.waitFor()
    expect(await table.getByRole('columnheader').allTextContents()).toEqual(['Term', 'Version 2', 'Version 1'])
    expect(await cells('A month')).toEqual(['€19.00 (changed)', '€9.00'])
    expect(await cells('A year')).toEqual(['€90.00', '€90.00'])
    expect(await cells('Apps')).toEqual(['5 (changed)', '–'])
    await page.goto(`${options.baseUrl}${BACK_OFFICE.base}/plans`)
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.getByRole('columnheader', { name: 'Versions' }).waitFor()
  })
})
