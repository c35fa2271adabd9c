/** The back office in a browser: its daily work, and every page as the roles with the most and the fewest permissions. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { BACK_OFFICE, SHOP } from '../../../src/web/surfaces.ts'
import { isChromiumInstalled, openPage, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { Panel } from '../../support/licensing/raw-panel.ts'
import { startService, STAFF_PASSWORD } from '../../support/licensing/service.ts'
import { sweep, SWEEP_MS } from '../../support/page-sweep.ts'
import { PEOPLE, POINTER } from '../../support/person.ts'
import type { Person } from '../../support/person.ts'
import { openSignedIn, signInOn } from '../../support/sign-in.ts'

const options = await withPages()
const service = await startService({ ...options, shopUrl: `${options.baseUrl}${SHOP.base}` })
const { call, staff, somebody, licensing } = service
const as = await staff()
const plan = { slug: 'starter', name: 'Starter', priceMonthly: 1_900, priceYearly: 19_000, public: true }
await call('POST', '/api/admin/plans', { as, body: plan })
const sell = async (email: string, reference: string) =>
  (
    await call('POST', '/api/admin/provisioning', {
      as,
      body: { email, planSlug: 'starter', billingCycle: 'MONTHLY', reference },
    })
  ).body
const sold = await sell('ada@customer.test', 'order 66')
await new Panel(service, sold.licenseKey).activate()
await call('POST', '/api/admin/features', { as, body: { key: 'projects', name: 'Projects' } })
await call('POST', '/api/admin/versions', { as, body: { version: '1.2.0', notes: 'New: a clone of plans.' } })
await call('POST', '/api/admin/machine-tokens', { as, body: { name: 'Robot', permissions: ['plans:view'] } })
await call('POST', '/api/admin/webhooks', { as, body: { url: 'https://customer.test/hook', events: ['*'] } })
const filter = { status: 'EXPIRED' }
await call('POST', '/api/admin/bulk', { as, body: { action: 'licenses.suspend', filter, reason: 'audit' } })
await licensing.projector.catchUp()
const looked = new Set<string>()
useBrowser()

const backOffice = `${options.baseUrl}${BACK_OFFICE.base}`

interface Start {
  readonly path?: string
  readonly expected?: RegExp
  /** Signs in by the form. Default: has done so before. */
  readonly by?: Person
}

async function signedIn(role: 'SUPERADMIN' | 'SUPPORT', { path = '', expected, by }: Start = {}): Promise<Page> {
  const { email } = await somebody(role)
  const person = { email, password: STAFF_PASSWORD }
  if (!by) return openSignedIn(`${backOffice}${path}`, { realm: 'staff', ...person, expected })
  const page = await openPage(`${backOffice}${path}`, expected && { expected })
  await signInOn(page, person, by)
  return page
}

/** Chooses an operation in the menu of a record. */
async function choose(by: Person, page: Page, label: string): Promise<void> {
  await by.press(page.getByRole('button', { name: 'More', exact: true }))
  await by.press(page.getByRole('menuitem', { name: label, exact: true }))
}

/** Chooses an operation there, and presses the button of its dialog. */
async function actByMenu(by: Person, page: Page, label: string, fill: Readonly<Record<string, string>>): Promise<void> {
  await choose(by, page, label)
  await finish(by, page, label, fill)
}

/** Presses the button of an operation, and the button of its dialog. */
async function act(by: Person, page: Page, label: string, fill: Readonly<Record<string, string>> = {}): Promise<void> {
  await by.press(page.getByRole('button', { name: label, exact: true }))
  await finish(by, page, label, fill)
}

async function finish(by: Person, page: Page, label: string, fill: Readonly<Record<string, string>>): Promise<void> {
  const dialog = page.getByRole('dialog')
  for (const [field, text] of Object.entries(fill)) await by.write(dialog.getByLabel(field), text)
  await by.press(dialog.getByRole('button', { name: label, exact: true }))
}

describe.runIf(isChromiumInstalled).each(PEOPLE)('by $name, the back office', (by) => {
  test('provisions a license, revokes it, and shows who did that, when, from where and why', async () => {
    const page = await signedIn('SUPERADMIN', { by, path: '/provision' })
    await by.write(page.getByLabel('E-mail address of the customer'), 'grace@customer.test')
    await by.choose(page.getByLabel('Plan'), 'starter')
    await by.press(page.getByRole('button', { name: 'Provision', exact: true }))
    await by.press(page.getByRole('link', { name: 'Open the license' }))

    await actByMenu(by, page, 'Suspend', { Reason: 'unpaid since May' })
    await page.getByText('Suspended', { exact: true }).first().waitFor()
    await act(by, page, 'Revoke', { Reason: 'asked by the customer' })
    await page.getByText('Revoked', { exact: true }).first().waitFor()
    expect(await page.getByRole('button', { name: 'Extend' }).count(), 'a revoked license offers no change').toBe(0)

    const newest = page.locator('.entry', { hasText: 'revoked license' })
    await by.press(newest.getByRole('button', { name: 'Details' }))
    const text = await newest.textContent()
    expect(text).toContain('superadmin@staff.test revoked license')
    expect(text, 'what it was before').toMatch(/Status.*Suspended.*→.*Revoked/)
    expect(text, 'the reason before and after').toMatch(/unpaid since May.*→.*asked by the customer/)
    await newest.getByRole('link', { name: 'All of this request' }).waitFor()
  })

  test('finds a subscription by its reference, and changes it at the price that was shown', async () => {
    const reference = `order of the ${by.name}`
    const { subscription } = await sell(`${by.name}@customer.test`, reference)
    await licensing.projector.catchUp()
    const page = await signedIn('SUPERADMIN')
    await by.write(page.getByLabel('Find a record'), 'no such reference')
    await by.press(page.getByRole('button', { name: 'Find', exact: true }))
    await page.getByText('There is no record with exactly this').waitFor()
    await by.write(page.getByLabel('Find a record'), reference)
    await by.press(page.getByRole('button', { name: 'Find', exact: true }))
    await page.getByRole('heading', { name: `starter, ${reference}` }).waitFor()

    await by.press(page.getByRole('button', { name: 'Change', exact: true }))
    const dialog = page.getByRole('dialog')
    await by.write(dialog.getByLabel('Seats'), '3')
    const asked = page.waitForRequest((request) => request.url().endsWith('/change-preview'))
    await by.press(dialog.getByRole('button', { name: 'Show what follows' }))
    expect((await asked).postDataJSON(), 'what stays as it is, is not asked for').toEqual({ seats: 3 })
    await dialog.getByText('Due now').waitFor()
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await by.press(dialog.getByRole('button', { name: 'Change the terms' }))
    expect((await sent).postDataJSON()).toEqual({ seats: 3, previewToken: expect.any(String) })
    await page.getByText('changed subscription').first().waitFor()
    const now = (await call('GET', `/api/admin/subscriptions/${subscription.id}`, { as: await staff() })).body
    expect(now.seats).toBe(3)
  })

  test('shows what a cancellation does before it is recorded, and takes it back', async () => {
    const page = await signedIn('SUPERADMIN', { path: `/subscriptions/${sold.subscription.id}` })
    const state = async () =>
      (await call('GET', `/api/admin/subscriptions/${sold.subscription.id}`, { as: await staff() })).body
    await choose(by, page, 'Cancel')
    const dialog = page.getByRole('dialog')
    await by.choose(dialog.getByLabel('When'), 'period_end')
    await by.press(dialog.getByRole('button', { name: 'Show what follows' }))
    await dialog.getByText('It stays until then').waitFor()
    expect((await state()).cancelAtPeriodEnd).toBe(false)
    await by.press(dialog.getByRole('button', { name: 'Cancel the subscription' }))
    await page.getByText('It ends: it is cancelled').waitFor()
    await act(by, page, 'Withdraw the cancellation')
    await page.getByText('It goes on').waitFor()
    expect((await state()).cancelAtPeriodEnd).toBe(false)
  })

  test('verifies the chain of the audit trail', async () => {
    const page = await signedIn('SUPERADMIN', { path: '/audit' })
    await by.press(page.getByRole('button', { name: 'Verify the chain' }))
    await page.getByText('The chain holds').waitFor()
  })

  test('says what was refused beside the field, and keeps what was typed', async () => {
    const page = await signedIn('SUPERADMIN', { path: '/provision', expected: /400/ })
    await by.write(page.getByLabel('E-mail address of the customer'), 'grace@customer.test')
    await by.choose(page.getByLabel('Plan'), 'starter')
    await by.write(page.getByLabel('Current period end'), '2001-01-01T00:00')
    const answer = page.waitForResponse((response) => response.url().endsWith('/api/admin/provisioning'))
    await by.press(page.getByRole('button', { name: 'Provision', exact: true }))
    expect((await answer).status()).toBe(400)
    await page.getByRole('alert').or(page.locator('.field-error')).first().waitFor()
    expect(await page.getByLabel('E-mail address of the customer').inputValue()).toBe('grace@customer.test')
  })

  test('a session that ended asks to sign in over the page, and what was typed stays', async () => {
    const page = await signedIn('SUPPORT', { path: '/licenses', expected: /401/ })
    await by.write(page.getByLabel('Key id'), 'lic_x')
    await call('DELETE', '/api/admin/auth/sessions', { as: (await somebody('SUPPORT')).accessToken })
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
    await by.write(page.getByLabel('Password'), STAFF_PASSWORD)
    await by.press(page.getByRole('button', { name: 'Sign in' }))
    await page.getByLabel('Key id').press('Enter')
    await page.getByText('Nothing matches these filters').waitFor()
    expect(await page.getByLabel('Key id').inputValue()).toBe('lic_x')
  })
})

describe.runIf(isChromiumInstalled)('the back office in a browser', () => {
  test('plots what the figures were: drawn, in a sentence, by arrow keys and as a table', async () => {
    const page = await signedIn('SUPERADMIN')
    const plot = page.getByRole('figure', { name: 'Licenses by state, 90 days' })
    await plot.getByText(/^Active: from 0 to \d+; least 0 on .*, most \d+ on /).waitFor()
    const canvas = `document.querySelector('figure[aria-label^="Licenses"] canvas')`
    const drawn = () => page.evaluate<string>(`${canvas}?.toDataURL()`)
    await plot.locator('canvas').waitFor()
    const light = await drawn()
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(drawn, { message: 'the drawing follows the theme' }).not.toBe(light)

    const told = plot.getByRole('status')
    const today = await told.textContent()
    expect(today).toMatch(/Active [1-9]/)
    await plot.getByRole('slider', { name: 'Point of Licenses by state, 90 days' }).press('ArrowLeft')
    await expect.poll(() => told.textContent()).not.toBe(today)
    expect(await told.textContent()).toMatch(/: .*Active 0/)
    await plot.getByRole('slider').press('Home')
    const first = (await told.textContent())?.split(':')[0] ?? ''

    const width = () => page.evaluate<number>(`${canvas}.clientWidth`)
    const wide = await width()
    await page.setViewportSize({ width: 390, height: 800 })
    await expect.poll(width, { message: 'the drawing follows its place' }).toBeLessThan(Math.min(wide, 390))

    await plot.getByRole('button', { name: 'As table' }).click()
    expect(await plot.locator('tbody tr').count()).toBe(91)
    expect(await plot.locator('tbody tr').last().textContent()).toContain(first)
    expect(await plot.locator('canvas').count()).toBe(0)
  })

  test('tells what ends in the next weeks, and what is still to do at first', async () => {
    const ends = new Date(Date.now() + 9 * 86_400_000).toISOString()
    const body = { subscriptionId: sold.subscription.id, expiresAt: ends }
    const { license } = (await call('POST', '/api/admin/licenses', { as: await staff(), body })).body
    await licensing.projector.catchUp()
    const page = await signedIn('SUPERADMIN')
    const part = page.getByRole('region', { name: 'Ends in the next 60 days' })
    await part.getByRole('link', { name: license.keyId }).waitFor()
    const steps = page.getByRole('region', { name: 'First steps' })
    await expect.poll(() => steps.getByText('Done').count(), { message: 'plan, license and mail' }).toBe(3)
    await steps.getByRole('link', { name: 'Set up a second factor of your account' }).click()
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  })

  test('lists the payments and invoices of all customers, with their files, and the credit of one', async () => {
    const paying = await sell('paying@customer.test', 'order 67')
    const money = { amount: 1_900, currency: 'EUR', method: 'BANK_TRANSFER' }
    await call('POST', `/api/admin/subscriptions/${paying.subscription.id}/payments`, {
      as: await staff(),
      body: money,
    })
    const credit = { amount: 1_250, currency: 'EUR', reason: 'for the outage' }
    await call('POST', `/api/admin/customers/${paying.customer.id}/credits`, { as: await staff(), body: credit })
    await licensing.projector.catchUp()
    const page = await signedIn('SUPERADMIN', { path: '/invoices' })
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^PDF/ }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^\d{4}-\d{6}\.pdf$/)

    await page.getByRole('link', { name: 'Payments', exact: true }).click()
    const row = page.getByRole('row', { name: '€19.00' })
    await row.getByText('Paid').waitFor()
    await row.getByRole('link', { name: `…${paying.customer.id.slice(-8)}` }).click()
    await page.getByRole('heading', { level: 1, name: 'paying@customer.test' }).waitFor()
    const part = page.getByRole('region', { name: 'Credit' })
    await part.getByText('€12.50').first().waitFor()
    await part.getByText('for the outage').waitFor()
  })

  test('names colleagues in a history, and their addresses only to who reads the audit trail', async () => {
    const path = `/customers/${sold.customer.id}`
    const seenBy = async (role: 'SUPERADMIN' | 'SUPPORT') => {
      const page = await signedIn(role, { path })
      const entries = page.locator('.entry', { hasText: 'registered customer' })
      // Only entries that are in view are in the document, and those that still arrive move this one out of it:
      // its text is read in the look that finds it.
      const foot = page.getByText(/^\d+ shown$/).last()
      let texts: string[] = []
      await expect
        .poll(async () => {
          await foot.scrollIntoViewIfNeeded()
          texts = await entries.allTextContents()
          return texts.length
        })
        .toBe(1)
      return texts.join('')
    }
    expect(await seenBy('SUPPORT')).toContain('superadmin@staff.test registered customer')
    expect(await seenBy('SUPPORT')).not.toContain('127.0.0.1')
    expect(await seenBy('SUPERADMIN')).toContain('127.0.0.1')
  })

  test('a change whose answer was lost is made once, however often it is tried', async () => {
    const page = await signedIn('SUPERADMIN', { path: '/features', expected: /ERR_FAILED/ })
    const create = '**/api/admin/features'
    await page.route(create, async (route) => {
      if (route.request().method() === 'POST') await route.fetch()
      await route.abort()
    })
    await act(POINTER, page, 'Declare a feature', { Key: 'seats', Name: 'Seats' })
    await page.getByRole('alert').waitFor()
    await page.unroute(create)
    await page.getByRole('dialog').getByRole('button', { name: 'Declare a feature' }).click()
    await page.getByText('The feature is declared').waitFor()
  })

  test.each(['SUPERADMIN', 'SUPPORT'] as const)(
    'every page holds for %s',
    async (role) => {
      const { seen, problems } = await sweep(await signedIn(role), BACK_OFFICE, looked)
      expect(problems).toEqual([])
      const records = ['customers', 'subscriptions', 'licenses', 'panels']
      expect(seen).toEqual(expect.arrayContaining(records.map((name) => `/console/${name}/:id`)))
    },
    SWEEP_MS,
  )
})
