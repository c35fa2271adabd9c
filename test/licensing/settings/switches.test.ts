import { describe, expect, test } from 'vitest'
import { settings } from '#licensing/settings/decider'
import { SettingChanged } from '#licensing/settings/events'
import { settingOf } from '#projections/licensing/settings'
import { given } from '#test/support/decider-spec'
import { stepAt, totpCode } from '../../support/licensing/authenticator.ts'
import { STAFF_PASSWORD, startService } from '../../support/licensing/service.ts'

const STEP_MS = 30_000

test('what already holds, and what is usual, is no change', () => {
  const closed = SettingChanged({ settingId: 'shopRegistration', value: false })
  const open = SettingChanged({ settingId: 'shopRegistration', value: true })
  given(settings).when('ChangeSetting', { settingId: 'shopRegistration', value: true }).then([])
  given(settings).when('ChangeSetting', { settingId: 'shopRegistration', value: false }).then([closed])
  given(settings, [closed]).when('ChangeSetting', { settingId: 'shopRegistration', value: false }).then([])
  given(settings, [closed]).when('ChangeSetting', { settingId: 'shopRegistration', value: true }).then([open])
})

const service = await startService()
const call = async (method: string, path: string, body?: unknown, as?: string) =>
  service.call(method, `/api/admin/${path}`, { as: as ?? (await service.staff()), body })
const set = (key: string, value: unknown, as?: string) => call('PATCH', `settings/${key}`, { value }, as)

describe('over HTTP', () => {
  test('a change holds at once, for whoever asks', async () => {
    const listed = async () => (await call('GET', 'settings')).body.items
    expect((await listed())[0]).toMatchObject({ key: 'shopRegistration', value: true, usual: true, changedAt: null })
    for (const value of [false, true]) {
      const changed = await set('shopRegistration', value)
      expect(changed.body).toMatchObject({ key: 'shopRegistration', value, changedAt: expect.any(String) })
      expect(await settingOf(service.licensing.read, 'shopRegistration')).toBe(value)
      expect((await listed())[0].value).toBe(value)
    }
  })

  test.each([
    ['another type', 'shopRegistration', 'yes', 400],
    ['nothing', 'shopRegistration', undefined, 400],
    ['a key that is none', 'noSuchSetting', true, 404],
    ['a key of every object', 'constructor', true, 404],
  ])('refuses %s', async (_what, key, value, status) => expect((await set(key, value)).status).toBe(status))
})

const now = () => service.licensing.clock.now()
/** A time step of which less than half has passed, so that the previous code is still valid when it is used. */
function freshStep(): number {
  const leftMs = STEP_MS - (now().getTime() % STEP_MS)
  if (leftMs < STEP_MS / 2) service.passTime(leftMs)
  return stepAt(now())
}

test('where a second factor is required, nobody does anything else without one', async () => {
  const boss = (await service.somebody('SUPERADMIN')).accessToken
  const helper = (await service.somebody('SUPPORT')).accessToken
  const proof = { password: STAFF_PASSWORD }
  const { secret } = (await call('POST', 'auth/2fa/setup', proof, boss)).body
  const step = freshStep()
  await call('POST', 'auth/2fa/enable', { ...proof, code: totpCode(secret, step - 1) }, boss)
  expect((await set('requireSecondFactor', true, boss)).headers.get('error-code')).toBe('STEP_UP_REQUIRED')
  expect((await call('POST', 'auth/step-up', { code: totpCode(secret, step) }, boss)).status).toBe(204)
  expect((await call('GET', 'licenses', undefined, helper)).status).toBe(200)
  expect((await set('requireSecondFactor', true, boss)).status).toBe(200)
  const refused = await call('GET', 'licenses', undefined, helper)
  expect(refused.body).toEqual({
    statusCode: 403,
    message: 'Set up a second factor first: POST /api/admin/auth/2fa/setup',
  })
  for (const path of ['exports/licenses', 'bulk'] as const) {
    const body = { action: 'licenses.suspend', filter: {}, reason: 'test', dryRun: true }
    const other = path === 'bulk' ? await call('POST', path, body, helper) : await call('GET', path, undefined, helper)
    expect(other.body, path).toEqual(refused.body)
  }
  const signedIn = await call('POST', 'auth/login', { email: 'support@staff.test', password: STAFF_PASSWORD }, helper)
  const due = { secondFactorDue: true, permissions: [], roles: ['SUPPORT'] }
  expect(signedIn.body.user).toMatchObject(due)
  expect((await call('GET', 'auth/me', undefined, helper)).body).toMatchObject(due)
  expect((await call('GET', 'auth/me', undefined, boss)).body).toMatchObject({ secondFactorDue: false })
  expect((await call('GET', 'licenses', undefined, boss)).status).toBe(200)
  const { secret: own } = (await call('POST', 'auth/2fa/setup', proof, helper)).body
  await call('POST', 'auth/2fa/enable', { ...proof, code: totpCode(own, stepAt(now())) }, helper)
  expect((await call('GET', 'licenses', undefined, helper)).status).toBe(200)
  const after = (await call('GET', 'auth/me', undefined, helper)).body
  expect(after).toMatchObject({ secondFactorDue: false, permissions: expect.arrayContaining(['licenses:view']) })
}, 90_000)
