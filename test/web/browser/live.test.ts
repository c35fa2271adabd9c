/** The back office follows what other staff do: two people in browsers of their own. */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { SettingChanged, settingEvents } from '#licensing/settings/events'
import { StaffRolesChanged, staffEvents } from '#licensing/staff/events'
import { BACK_OFFICE } from '../../../src/web/surfaces.ts'
import { isChromiumInstalled, openPage, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { watchTraffic } from '../../support/crawl.ts'
import { newStaff } from '../../support/licensing/people.ts'
import { startService, STAFF_PASSWORD } from '../../support/licensing/service.ts'
import { signInOn } from '../../support/sign-in.ts'

const options = await withPages()
const service = await startService(options)
const { call, staff, somebody } = service
const as = await staff()
await call('POST', '/api/admin/plans', { as, body: { slug: 'starter', name: 'Starter' } })
useBrowser()

/** Longer than this is not live. */
const SOON_MS = 1_000

let planned = 0
/** Another one with each try. */
async function plan(name: string): Promise<void> {
  const body = { slug: `${name}-${(planned += 1)}`, name }
  expect((await call('POST', '/api/admin/plans', { as, body })).status).toBe(201)
}

let sold = 0
async function license(): Promise<{ readonly id: string; readonly keyId: string }> {
  sold += 1
  const body = { email: `customer-${sold}@customer.test`, planSlug: 'starter' }
  const answer = await call('POST', '/api/admin/provisioning', { as, body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.license
}

/** A signed-in page that is shown and follows the feed. It has read again what may have changed before the feed began. */
async function following(email: string, path: string, expected?: RegExp): Promise<Page> {
  const page = await openPage(`${options.baseUrl}${BACK_OFFICE.base}${path}`, expected && { expected })
  const feed = page.waitForResponse((response) => response.url().includes('/events/stream'))
  const traffic = watchTraffic(page)
  await signInOn(page, { email, password: STAFF_PASSWORD })
  await feed
  await traffic.settled()
  traffic.stop()
  return page
}

const soon = (place: Locator): Promise<void> => place.first().waitFor({ timeout: SOON_MS })

/** The others at work on a machine may keep it from being soon once. */
describe.runIf(isChromiumInstalled)('the back office', { retry: 2 }, () => {
  test('shows at once that a license was revoked in another browser', async () => {
    const { id } = await license()
    const [one, other] = await Promise.all([
      following((await somebody('SUPERADMIN')).email, `/licenses/${id}`),
      following((await somebody('SUPPORT')).email, `/licenses/${id}`),
    ])
    await other.locator('.entry', { hasText: 'issued license' }).waitFor()
    expect(await other.getByText('Revoked', { exact: true }).count()).toBe(0)
    await one.getByRole('button', { name: 'More', exact: true }).click()
    await one.getByRole('menuitem', { name: 'Revoke', exact: true }).click()
    await one.getByRole('dialog').getByLabel('Reason').fill('stolen')
    const done = one.waitForResponse((response) => response.url().endsWith('/revoke'))
    await one.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await done
    await soon(other.getByText('Revoked', { exact: true }))
    await soon(other.locator('.entry', { hasText: 'revoked license' }))
  })

  test('shows on the timeline of another browser that a key was read', async () => {
    const { id } = await license()
    const page = await following((await somebody('SUPPORT')).email, `/licenses/${id}`)
    await page.locator('.entry', { hasText: 'issued license' }).waitFor()
    expect((await call('GET', `/api/admin/licenses/${id}/key`, { as })).status).toBe(200)
    await soon(page.locator('.entry', { hasText: 'superadmin@staff.test read the key' }))
  })

  test('counts new records above a list and moves no row until they are asked for; a changed row changes in place', async () => {
    const old = await license()
    const page = await following((await somebody('SUPPORT')).email, '/licenses')
    const first = page.locator('tbody tr').first()
    await first.getByText(old.keyId).waitFor()
    const before = await first.boundingBox()
    const [added] = [await license(), await license()]
    await soon(page.getByText('2 new', { exact: false }))
    await call('POST', `/api/admin/licenses/${old.id}/suspend`, { as, body: { reason: 'unpaid' } })
    await soon(first.filter({ hasText: 'Suspended' }))
    expect(await first.textContent()).toContain(old.keyId)
    expect(await first.boundingBox()).toEqual(before)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.locator('tbody tr').nth(1).getByText(added.keyId).waitFor()
    await page.locator('tbody tr').nth(2).getByText(old.keyId).waitFor()
    await expect.poll(() => page.locator('.new-rows').textContent()).toBe('')
  })

  test('reads what its own change has changed once', async () => {
    const { id } = await license()
    const page = await following((await somebody('SUPPORT')).email, `/licenses/${id}`)
    await page.locator('.entry', { hasText: 'issued license' }).waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Suspend', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('unpaid')
    await page.waitForTimeout(1_000)
    const asked: string[] = []
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend', exact: true }).click()
    await page.locator('.entry', { hasText: 'suspended license' }).waitFor()
    await page.waitForTimeout(1_000)
    const own = [`POST /api/admin/licenses/${id}/suspend`, `GET /api/admin/licenses/${id}`]
    expect(asked).toEqual(expect.arrayContaining(own))
    expect(asked, 'each once').toEqual([...new Set(asked)])
  })

  test('counts new entries above the audit trail', async () => {
    const page = await following((await somebody('AUDITOR')).email, '/audit')
    // A seal may come above it at any time.
    const first = page.locator('.entry:not(.seal)').first()
    await first.waitFor()
    const before = await first.textContent()
    await plan('audited')
    await soon(page.locator('.new-rows', { hasText: /\d new/ }))
    expect(await first.textContent()).toBe(before)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.locator('.entry', { hasText: 'created plan' }).first().waitFor()
    await expect.poll(() => first.textContent()).toContain('created plan')
  })

  test('says at once that a record is gone', async () => {
    const body = { url: 'https://customer.test/hook', events: ['*'] }
    const { id } = (await call('POST', '/api/admin/webhooks', { as, body })).body.webhook
    const page = await following((await somebody('SUPERADMIN')).email, `/webhooks/${id}`, /404/)
    await page.getByText('https://customer.test/hook').first().waitFor()
    expect((await call('DELETE', `/api/admin/webhooks/${id}`, { as })).status).toBe(204)
    await soon(page.getByText('There is nothing here, or it is not yours to see.'))
  })

  test('shows other pages at once when the roles of the account change', async () => {
    const { id: staffId, email } = await newStaff(service, ['SUPPORT'])
    await service.licensing.projector.catchUp()
    const page = await following(email, '/licenses')
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Licenses' }).waitFor()
    await service.run(async (unit) =>
      unit.appendEvent(staffEvents, staffId, StaffRolesChanged({ staffId, roles: ['RELEASE'] })),
    )
    await soon(page.getByRole('heading', { name: 'There is no such page' }))
    await soon(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Releases' }))
  })

  test('leads to the account at once when all staff needs a second factor', async () => {
    const set = async (value: boolean) =>
      service.run(async (unit) =>
        unit.appendEvent(settingEvents, undefined, SettingChanged({ settingId: 'requireSecondFactor', value })),
      )
    const page = await following((await somebody('SUPPORT')).email, '/licenses', /403/)
    await set(true)
    try {
      await soon(page.getByText('All staff needs a second factor'))
      await page.getByRole('link', { name: 'Licenses' }).waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'in your account' }).click()
      await page.getByRole('button', { name: 'Set up a second factor' }).waitFor()
    } finally {
      await set(false)
    }
    // The feed ended with the rights, and is opened again after some seconds.
    await page.getByRole('link', { name: 'Licenses' }).waitFor()
  })

  test('asks for nothing but the feed while nothing happens, and for little when something does', async () => {
    const { id } = await license()
    const page = await following((await somebody('SUPERADMIN')).email, `/licenses/${id}`)
    await page.locator('.entry', { hasText: 'issued license' }).waitFor()
    await page.waitForTimeout(1_500)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.waitForTimeout(4_000)
    expect(asked).toEqual([])
    await plan('other')
    await page.waitForTimeout(1_000)
    expect(asked, 'the license is not concerned').toEqual([])
    await call('GET', `/api/admin/licenses/${id}/key`, { as })
    await expect.poll(() => asked).toContain('/api/admin/audit')
    const own = [`/api/admin/licenses/${id}`, '/api/admin/audit']
    expect(asked.filter((path) => !own.includes(path) && !path.includes('/instances'))).toEqual([])
  })
})
