/**
 * The expiry of links and proofs, and what is refused when no link can be mailed. The clock only moves
 * forward, so the order of tests matters.
 */
import { describe, expect, test } from 'vitest'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { fromNewAddress } from '#test/support/licensing/people'
import { startService } from '#test/support/licensing/service'
import { shopFixture } from '#test/support/licensing/shop-fixture'
import { mailedToken, SHOP_URL, SHOPPER_PASSWORD, signedInShopper, newShopper } from '#test/support/licensing/shoppers'

const trustedProxies = parseTrustedProxies('127.0.0.1')
const service = await startService({ trustedProxies, shopUrl: SHOP_URL })
const floor = await shopFixture(service)
const NEW_PASSWORD = 'another quite long passphrase'
const MINUTE_MS = 60_000

const post = (path: string, body: unknown, { as }: { as?: string } = {}) =>
  service.call('POST', `/api/shop/${path}`, { as, body, headers: fromNewAddress() })
const get = (path: string, as?: string) => service.call('GET', `/api/shop/${path}`, { as })

const mailsTo = async (email: string) => {
  await service.settle()
  return service.mails.filter(({ to }) => to === email)
}

test('a key asks for a proof of the last five minutes, is recorded, and is the back office’s to the byte', async () => {
  const shopper = await signedInShopper(service)
  const { slug } = await floor.plan()
  const sold = (await floor.provision({ email: shopper.email, planSlug: slug })).body
  const path = `licenses/${sold.license.id}/key`
  const first = await get(path, shopper.as)
  expect(first.status).toBe(200)
  expect(first.body.licenseKey).toBe(sold.licenseKey)
  expect(first.headers.get('cache-control')).toBe('no-store')
  const [entry] = await floor.audit(sold.license.id)
  expect(entry).toMatchObject({ action: 'license.key_read', actor: { type: 'CUSTOMER', id: shopper.id } })
  service.passTime(5 * MINUTE_MS + 1)
  const stale = await get(path, shopper.as)
  expect(stale.status).toBe(403)
  expect(stale.headers.get('error-code')).toBe('STEP_UP_REQUIRED')
  expect((await post('auth/step-up', { password: 'wrong' }, { as: shopper.as })).status).toBe(401)
  expect((await post('auth/step-up', { password: SHOPPER_PASSWORD }, { as: shopper.as })).status).toBe(204)
  expect((await get(path, shopper.as)).status).toBe(200)
})

test('a link holds for ten minutes, after which it is as void as any other text', async () => {
  const { email } = await newShopper(service)
  await post('auth/forgot-password', { email })
  const token = await mailedToken(service, email)
  service.passTime(10 * MINUTE_MS + 1)
  expect((await post('auth/reset-password', { token, password: NEW_PASSWORD })).status).toBe(400)
  const unknown = await post('auth/reset-password', { token: 'x'.repeat(43), password: NEW_PASSWORD })
  expect(unknown.body.message).toBe('This link is no longer valid: request a new one')
})

test('a link is not mailed any more when it has run out, and never to somebody else’s page', async () => {
  const { email } = await newShopper(service)
  const before = (await mailsTo(email)).length
  const asked = await service.call('POST', '/api/shop/auth/forgot-password', {
    body: { email },
    headers: { ...fromNewAddress(), 'x-forwarded-host': 'evil.test', origin: 'https://evil.test' },
  })
  expect(asked.status).toBe(202)
  service.passTime(10 * MINUTE_MS + 1)
  expect((await mailsTo(email)).length).toBe(before)
  await post('auth/forgot-password', { email })
  const [last] = (await mailsTo(email)).slice(-1)
  expect(last!.text).toContain(`${SHOP_URL}/reset-password#token=`)
  expect(last!.text).not.toContain('evil')
})

test('the owner is not muted by a stranger, whose asking takes no link away either', async () => {
  const { email } = await newShopper(service)
  const ask = (headers = fromNewAddress()) =>
    service.call('POST', '/api/shop/auth/forgot-password', { body: { email }, headers })
  const stranger = fromNewAddress()
  const linksIn = async () => (await mailsTo(email)).filter(({ text }) => text.includes('#token=')).length
  // Three hours, a request every four minutes: seven links are made, with a limit of five an hour.
  for (let n = 0; n < 12; n += 1) {
    expect((await ask(stranger)).status).toBe(202)
    service.passTime(4 * MINUTE_MS)
  }
  const before = await linksIn()
  expect((await ask()).status).toBe(202)
  const own = await mailedToken(service, email)
  expect((await linksIn()) - before, 'nothing newer than five minutes was there').toBeLessThanOrEqual(1)
  for (let n = 0; n < 3; n += 1) {
    await ask(stranger)
    service.passTime(1.5 * MINUTE_MS)
  }
  expect((await post('auth/reset-password', { token: own, password: NEW_PASSWORD })).status).toBe(204)
})

test('a registration is not muted either: whatever was asked for an address that nobody has', async () => {
  const email = 'asked-for-before@customer.test'
  for (let n = 0; n < 8; n += 1) await post('auth/forgot-password', { email })
  expect((await post('auth/register', { email })).status).toBe(202)
  const token = await mailedToken(service, email)
  expect((await post('auth/verify-email', { token, password: NEW_PASSWORD })).status).toBe(204)
})

test('notices of repeated registrations stay five an hour', async () => {
  const { email } = await newShopper(service)
  for (let n = 0; n < 8; n += 1) expect((await post('auth/register', { email })).status).toBe(202)
  const notices = (await mailsTo(email)).filter(({ subject }) => subject === 'You have an account already')
  expect(notices).toHaveLength(5)
})

describe.each([
  ['SHOP_URL', {}, 503, 'SHOP_NOT_CONFIGURED'],
  ['SMTP_URL', { shopUrl: SHOP_URL, mail: undefined }, 409, 'MAIL_NOT_CONFIGURED'],
] as const)('without %s', async (_name, settings, status, code) => {
  const bare = await startService({ ...settings, trustedProxies, compareReadModels: false })

  test.each(['register', 'forgot-password'])('%s is refused with the reason, and nothing happens', async (path) => {
    const before = await bare.licensing.store.head()
    const body = { email: 'somebody@customer.test' }
    const reply = await bare.call('POST', `/api/shop/auth/${path}`, { body, headers: fromNewAddress() })
    expect(reply.status).toBe(status)
    expect(reply.headers.get('error-code')).toBe(code)
    expect(await bare.licensing.store.head()).toBe(before)
  })
})
