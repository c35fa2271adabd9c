import { describe, expect, test } from 'vitest'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { customers } from '#licensing/customers/decider'
import { stepAt, totpCode } from '#test/support/licensing/authenticator'
import { cookieIn, eventsOf, fromNewAddress } from '#test/support/licensing/people'
import type { Reply } from '#test/support/licensing/service'
import { startService } from '#test/support/licensing/service'
import { shopFixture } from '#test/support/licensing/shop-fixture'
import {
  enableShopTotp,
  mailedToken,
  SHOP_REFRESH_COOKIE,
  SHOP_URL,
  SHOPPER_PASSWORD,
  signedInShopper,
  newShopper,
  shopSignIn,
} from '#test/support/licensing/shoppers'
import type { ShopSession } from '#test/support/licensing/shoppers'

const service = await startService({ trustedProxies: parseTrustedProxies('127.0.0.1'), shopUrl: SHOP_URL })
const floor = await shopFixture(service)
const NEW_PASSWORD = 'another quite long passphrase'

let people = 0
const someAddress = () => `new-${(people += 1)}@customer.test`

const post = (
  path: string,
  body: unknown,
  { as, headers = fromNewAddress() }: { as?: string; headers?: Record<string, string> } = {},
) => service.call('POST', `/api/shop/${path}`, { as, body, headers })
const get = (path: string, as?: string) => service.call('GET', `/api/shop/${path}`, { as })

const isLetIn = async (as: string): Promise<boolean> => (await get('me', as)).status === 200
const now = () => service.licensing.clock.now()
const present = (secret: string) => totpCode(secret, stepAt(now()))

const refreshing = (token: string, origin = 'https://shop.test') =>
  post('auth/refresh', {}, { headers: { cookie: `${SHOP_REFRESH_COOKIE}=${token}`, origin } })

/** What may differ between two answers that reveal nothing: their time and their request id. */
function told({ status, text, headers }: Reply) {
  const shown = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
  return { status, text, headers: shown }
}

async function registered(email: string): Promise<string> {
  expect((await post('auth/register', { email })).status).toBe(202)
  const token = (await mailedToken(service, email))!
  expect((await post('auth/verify-email', { token, password: SHOPPER_PASSWORD })).status).toBe(204)
  return token
}

const mailsTo = async (email: string) => {
  await service.settle()
  return service.mails.filter(({ to }) => to === email)
}

async function bought(email: string, terms: object = {}) {
  const { slug } = await floor.plan(terms)
  return (await floor.provision({ email, planSlug: slug, reference: `order of ${email}` })).body
}

describe('registering', () => {
  test('mails a link to the shop, by which the owner of the address chooses the password; then he is in', async () => {
    const email = someAddress()
    const reply = await post('auth/register', { email, name: 'Robin', company: 'Robin & Sons' })
    expect(reply).toMatchObject({ status: 202, text: '' })
    expect((await shopSignIn(service, { email, password: SHOPPER_PASSWORD })).reply.status).toBe(401)
    const token = await mailedToken(service, email)
    const [mail] = await mailsTo(email)
    expect(mail!.text).toContain(`${SHOP_URL}/verify-email#token=${token}`)
    expect((await post('auth/verify-email', { token, password: SHOPPER_PASSWORD })).status).toBe(204)
    const { reply: entered, accessToken } = await shopSignIn(service, { email, password: SHOPPER_PASSWORD })
    expect(entered.body).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      user: {
        id: expect.any(String),
        email,
        name: 'Robin',
        company: 'Robin & Sons',
        totpEnabled: false,
        createdAt: expect.stringMatching(/Z$/),
      },
    })
    const [refresh, device] = entered.headers.getSetCookie()
    expect(refresh).toMatch(
      /^daybook_shop_refresh=dbr_[0-9A-Za-z]{46}; Path=\/api\/shop\/auth; Max-Age=60\d{4}; HttpOnly; SameSite=Strict$/,
    )
    expect(device).toMatch(/^daybook_shop_device=[\w-]{36}\.[\w-]{43}; Path=\/api\/shop\/auth\/login; /)
    expect((await get('me', accessToken)).body).toEqual(entered.body.user)
  })

  test('the answer for a known address is that for an unknown one, to the byte; its owner is told', async () => {
    const { email, id } = await newShopper(service)
    const replies = [
      await post('auth/register', { email, name: 'A stranger' }),
      await post('auth/register', { email: someAddress() }),
    ]
    expect(told(replies[0]!)).toEqual(told(replies[1]!))
    const mails = await mailsTo(email)
    expect(mails.map(({ subject }) => subject)).toContain('You have an account already')
    expect(mails.some(({ text }) => text.includes('#token='))).toBe(false)
    const { body } = await floor.get(`/api/admin/customers/${id}`)
    expect(body.name).toBeNull()
  })

  test('whoever was sold something before gets a link as well, and finds it when he is in', async () => {
    const email = someAddress()
    const sold = await bought(email)
    await registered(email)
    const { accessToken } = await shopSignIn(service, { email, password: SHOPPER_PASSWORD })
    const own = await get('subscriptions', accessToken)
    expect(own.body.items.map(({ id }: { id: string }) => id)).toEqual([sold.subscription.id])
  })

  test('a hundred at once with one address make one customer', async () => {
    const email = someAddress()
    const replies = await Promise.all(Array.from({ length: 100 }, () => post('auth/register', { email })))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]))
    const { body } = await floor.get(`/api/admin/customers?q=${email}`)
    expect(body.total).toBe(1)
    const mails = (await mailsTo(email)).length
    expect(mails).toBeGreaterThanOrEqual(1)
    expect(mails).toBeLessThanOrEqual(5)
  })

  test.each([
    ['an address that is none', { email: 'nobody' }],
    [
      'a password, which only the owner of the address may choose',
      { email: 'x@customer.test', password: SHOPPER_PASSWORD },
    ],
    ['nothing', {}],
  ])('400 for %s', async (_what, body) => expect((await post('auth/register', body)).status).toBe(400))
})

describe('a mailed link', () => {
  test('counts once, also when a hundred present it at once', async () => {
    const email = someAddress()
    await post('auth/register', { email })
    const token = await mailedToken(service, email)
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post('auth/verify-email', { token, password: `${SHOPPER_PASSWORD} ${n}` })),
    )
    expect(replies.filter(({ status }) => status === 204).length).toBe(1)
    expect(replies.filter(({ status }) => status === 400).length).toBe(19)
    const again = await post('auth/verify-email', { token, password: SHOPPER_PASSWORD })
    expect(again).toMatchObject({
      status: 400,
      body: { statusCode: 400, message: 'This link is no longer valid: request a new one' },
    })
  })

  test('is for its own purpose, and good although another was asked for', async () => {
    const { email } = await newShopper(service)
    await post('auth/forgot-password', { email })
    const token = await mailedToken(service, email)
    await post('auth/forgot-password', { email })
    expect(await mailedToken(service, email), 'it is in the mailbox already').toBe(token)
    const choosing = (path: string) => post(`auth/${path}`, { token, password: NEW_PASSWORD })
    expect((await choosing('verify-email')).status).toBe(400)
    expect((await choosing('reset-password')).status).toBe(204)
  })

  test('takes 20 tries in a quarter of an hour, right ones among them: each may cost a hash', async () => {
    const { email } = await newShopper(service)
    await post('auth/forgot-password', { email })
    const token = await mailedToken(service, email)
    const common = () => post('auth/reset-password', { token, password: 'passwordpassword' })
    for (let n = 0; n < 20; n += 1) expect((await common()).headers.get('error-code')).toBe('PASSWORD_COMMON')
    const refused = await post('auth/reset-password', { token, password: NEW_PASSWORD })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900'])
    // Resets the counter, because in a quarter of an hour the link itself would have ended.
    await service.superuser.query(`DELETE FROM telemetry.attempt WHERE key LIKE 'link-try:%'`)
    expect((await post('auth/reset-password', { token, password: NEW_PASSWORD })).status).toBe(204)
  })

  test('is good in a block whose guesses are used up, where an unknown one is answered as ever', async () => {
    const { email } = await newShopper(service)
    await post('auth/forgot-password', { email })
    const token = await mailedToken(service, email)
    const headers = fromNewAddress()
    const guess = () => post('auth/reset-password', { token: 'x'.repeat(43), password: NEW_PASSWORD }, { headers })
    const guesses: Reply[] = []
    for (let n = 0; n < 25; n += 1) guesses.push(await guess())
    for (const reply of guesses) expect(told(reply)).toEqual(told(guesses[0]!))
    const right = { email, password: SHOPPER_PASSWORD }
    expect((await shopSignIn(service, right, { headers })).reply.status, 'the block is blocked').toBe(401)
    expect((await post('auth/reset-password', { token, password: NEW_PASSWORD }, { headers })).status).toBe(204)
  })

  test('neither it nor its token is anywhere but in the mail', async () => {
    const email = someAddress()
    await post('auth/register', { email })
    const token = (await mailedToken(service, email))!
    expect(await service.dump()).not.toContain(token)
    expect(service.logs()).not.toContain(token)
  })

  test('refuses a common password and keeps the link', async () => {
    const email = someAddress()
    await post('auth/register', { email })
    const token = await mailedToken(service, email)
    expect((await post('auth/verify-email', { token, password: 'short' })).headers.get('error-code')).toBe(
      'PASSWORD_TOO_SHORT',
    )
    expect((await post('auth/verify-email', { token, password: SHOPPER_PASSWORD })).status).toBe(204)
  })
})

describe('a forgotten password', () => {
  test('is replaced by a link; every session ends and the second factor stays', async () => {
    const shopper = await newShopper(service)
    const before = await shopSignIn(service, shopper)
    await enableShopTotp(service, shopper)
    await post('auth/forgot-password', { email: shopper.email.toUpperCase() })
    const token = await mailedToken(service, shopper.email)
    expect((await post('auth/reset-password', { token, password: NEW_PASSWORD })).status).toBe(204)
    expect(await isLetIn(before.accessToken)).toBe(false)
    expect((await refreshing(before.refreshToken)).status).toBe(401)
    expect((await shopSignIn(service, shopper)).reply.body.message).toBe('Invalid credentials')
    const renewed = { ...shopper, password: NEW_PASSWORD }
    expect((await shopSignIn(service, renewed)).reply.body.message).toBe('Second factor required')
  })

  test('answers alike for an address that nobody has, one without a password and a suspended one', async () => {
    const known = await newShopper(service)
    const sold = someAddress()
    await bought(sold)
    const replies: Reply[] = []
    for (const email of [known.email, sold, 'nobody@customer.test'])
      replies.push(await post('auth/forgot-password', { email }))
    for (const reply of replies) expect(told(reply)).toEqual(told(replies[2]!))
    expect(await mailedToken(service, known.email)).toBeDefined()
    expect(await mailedToken(service, sold)).toBeDefined()
  })

  test('asked for without end is mailed once in five minutes, and answered on', async () => {
    const { email, id } = await newShopper(service)
    for (let n = 0; n < 8; n += 1) expect((await post('auth/forgot-password', { email })).status).toBe(202)
    const events = await eventsOf(service, `shopAccount-${id}`)
    expect(events.filter(({ data }) => data.purpose === 'RESET')).toHaveLength(1)
    expect((await mailsTo(email)).filter(({ text }) => text.includes('#token='))).toHaveLength(1)
  })

  test('one address block may ask 30 times an hour', async () => {
    const headers = fromNewAddress()
    for (let n = 0; n < 30; n += 1)
      expect((await post('auth/forgot-password', { email: `many-${n}@customer.test` }, { headers })).status).toBe(202)
    const refused = await post('auth/forgot-password', { email: 'one-more@customer.test' }, { headers })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('3600')
    expect(refused.headers.get('ratelimit-policy')).toBe('"link-asker";q=30;w=3600')
  }, 60_000)
})

describe('signing in', () => {
  test('the same 401 for an unknown address, a wrong password, no password yet and a wrong code', async () => {
    const shopper = await newShopper(service)
    const unverified = someAddress()
    await post('auth/register', { email: unverified })
    const guarded = await newShopper(service)
    await enableShopTotp(service, guarded)
    const { reply: right } = await shopSignIn(service, { ...shopper, password: 'wrong' })
    expect(right.body).toEqual({ statusCode: 401, message: 'Invalid credentials' })
    const others = [
      await shopSignIn(service, { email: 'nobody@customer.test', password: SHOPPER_PASSWORD }),
      await shopSignIn(service, { email: unverified, password: SHOPPER_PASSWORD }),
      await shopSignIn(service, guarded, { totp: '000000' }),
    ]
    for (const { reply } of others) expect(told(reply)).toEqual(told(right))
  })

  test('a code is asked for when the second factor is on, and the owner hears of a right password without one', async () => {
    const shopper = await newShopper(service)
    const { secret, codes } = await enableShopTotp(service, shopper)
    const { reply } = await shopSignIn(service, shopper)
    expect(reply.headers.get('error-code')).toBe('TOTP_REQUIRED')
    expect((await mailsTo(shopper.email)).map(({ subject }) => subject)).toContain(
      'Your password was used without a code',
    )
    const totp = present(secret)
    expect((await shopSignIn(service, shopper, { totp })).reply.status).toBe(200)
    expect((await shopSignIn(service, shopper, { totp })).reply.status).toBe(401)
    expect((await shopSignIn(service, shopper, { totp: codes[0]! })).reply.status).toBe(200)
    expect((await shopSignIn(service, shopper, { totp: codes[0]! })).reply.status).toBe(401)
  })

  test('failures of a customer do not count against staff with the same address, nor the other way round', async () => {
    const { email } = await service.somebody('AUDITOR')
    await newShopper(service, { email })
    for (let n = 0; n < 6; n += 1) await shopSignIn(service, { email, password: 'wrong' })
    expect((await shopSignIn(service, { email, password: SHOPPER_PASSWORD })).reply.status).toBe(401)
    const staff = await service.call('POST', '/api/admin/auth/login', {
      body: { email, password: 'a long enough passphrase 42' },
      headers: fromNewAddress(),
    })
    expect(staff.status).toBe(200)
  })

  test('a session of the shop opens nothing of the back office, nor the other way round', async () => {
    const { as } = await signedInShopper(service)
    expect((await service.call('GET', '/api/admin/auth/me', { as })).status).toBe(403)
    expect((await get('me', floor.admin)).status).toBe(403)
    expect((await service.call('POST', '/api/admin/auth/logout', { as, body: {} })).status).toBe(401)
    expect(await isLetIn(as)).toBe(true)
  })

  test('five failures delay an account', async () => {
    const shopper = await newShopper(service)
    for (let n = 0; n < 5; n += 1) await shopSignIn(service, { ...shopper, password: 'wrong' })
    expect((await shopSignIn(service, shopper)).reply.status).toBe(401)
    expect((await eventsOf(service, `shopLogins-${shopper.id}`)).length).toBe(5)
  })
})

describe('a session', () => {
  let session: ShopSession

  test('refreshes by its cookie, from the shop’s own origin; a used token ends it, and its owner hears of it', async () => {
    const shopper = await newShopper(service)
    session = await shopSignIn(service, shopper)
    expect((await refreshing(session.refreshToken, 'https://evil.test')).status).toBe(403)
    expect((await post('auth/refresh', { refreshToken: session.refreshToken })).status).toBe(400)
    const second = await refreshing(session.refreshToken)
    expect(second.status).toBe(200)
    const third = cookieIn(second, SHOP_REFRESH_COOKIE)!
    expect((await refreshing(third)).status).toBe(200)
    expect((await refreshing(session.refreshToken)).status).toBe(401)
    expect(await isLetIn(second.body.accessToken)).toBe(false)
    expect((await mailsTo(shopper.email)).map(({ subject }) => subject)).toContain('One of your sessions was ended')
  })

  test('ends by logout, with the session or the cookie', async () => {
    const shopper = await newShopper(service)
    const one = await shopSignIn(service, shopper)
    expect((await post('auth/logout', {}, { as: one.accessToken })).status).toBe(204)
    expect(await isLetIn(one.accessToken)).toBe(false)
    const other = await shopSignIn(service, shopper)
    const headers = { cookie: `${SHOP_REFRESH_COOKIE}=${other.refreshToken}`, origin: 'https://shop.test' }
    expect((await post('auth/logout', {}, { headers })).status).toBe(204)
    expect(await isLetIn(other.accessToken)).toBe(false)
  })

  test('a changed password ends the others and spares the one that asks', async () => {
    const shopper = await newShopper(service)
    const [one, other] = [await shopSignIn(service, shopper), await shopSignIn(service, shopper)]
    const body = { current: SHOPPER_PASSWORD, new: NEW_PASSWORD }
    expect((await post('auth/password', body, { as: one.accessToken })).status).toBe(204)
    expect(await isLetIn(one.accessToken)).toBe(true)
    expect(await isLetIn(other.accessToken)).toBe(false)
    expect((await shopSignIn(service, { ...shopper, password: NEW_PASSWORD })).reply.status).toBe(200)
  })

  test('hands its owner everything that is kept about him, and erases him when he asks', async () => {
    const { as, id, email } = await signedInShopper(service, { name: 'Own Eraser' })
    const sold = await bought(email)
    const bundle = await post('account/export', undefined, { as })
    expect(bundle.body).toMatchObject({ customer: { id, email }, licenses: [{ id: sold.license.id }] })
    const erase = (confirmEmail: string) =>
      service.call('DELETE', '/api/shop/account', { as, body: { confirmEmail }, headers: fromNewAddress() })
    expect((await erase('other@customer.test')).status).toBe(400)
    expect((await erase(email)).status).toBe(202)
    expect(await isLetIn(as)).toBe(false)
    expect(await service.dump()).not.toContain('Own Eraser')
    expect((await floor.get(`/api/admin/customers/${id}`)).body).toMatchObject({ status: 'ERASED', email: 'ERASED' })
  })

  test('of an erased customer ends at once, and nothing of his can be read any more', async () => {
    const shopper = await signedInShopper(service, { name: 'Forgotten Fellow' })
    const body = { confirmEmail: shopper.email }
    expect((await floor.post(`/api/admin/customers/${shopper.id}/erase`, body)).status).toBe(202)
    expect(await isLetIn(shopper.as)).toBe(false)
    expect((await shopSignIn(service, shopper)).reply.status).toBe(401)
    expect(await service.dump()).not.toContain('Forgotten Fellow')
    expect(JSON.stringify(await eventsOf(service, `shopAccount-${shopper.id}`))).not.toContain('$argon2id$')
  })
})

describe('the second factor', () => {
  test('is set up, enabled, asked for and disabled', async () => {
    const shopper = await signedInShopper(service)
    const { password } = shopper
    const { secret, otpauthUrl } = (await post('auth/2fa/setup', { password }, { as: shopper.as })).body
    expect(otpauthUrl).toMatch(/^otpauth:\/\/totp\//)
    const step = stepAt(now())
    const enabled = await post('auth/2fa/enable', { password, code: totpCode(secret, step - 1) }, { as: shopper.as })
    expect(enabled.body.backupCodes.length).toBe(10)
    expect((await get('me', shopper.as)).body.totpEnabled).toBe(true)
    const disable = { password, code: totpCode(secret, stepAt(now())) }
    expect((await post('auth/2fa/disable', disable, { as: shopper.as })).status).toBe(204)
    expect((await get('me', shopper.as)).body.totpEnabled).toBe(false)
    const subjects = (await mailsTo(shopper.email)).map(({ subject }) => subject)
    expect(subjects).toEqual(expect.arrayContaining(['Your second factor is on', 'Your second factor is off']))
  })
})

describe('PATCH /api/shop/me', () => {
  test('changes name and company, sealed; null removes, and what is not given stays', async () => {
    const { as, id } = await signedInShopper(service)
    const patch = (body: object) => service.call('PATCH', '/api/shop/me', { as, body })
    expect((await patch({ name: 'Robin Redbreast', company: 'Birds' })).body).toMatchObject({
      name: 'Robin Redbreast',
      company: 'Birds',
    })
    expect((await patch({ company: null })).body).toMatchObject({ name: 'Robin Redbreast', company: null })
    expect((await floor.get(`/api/admin/customers/${id}`)).body.name).toBe('Robin Redbreast')
    expect(await service.dump()).not.toContain('Redbreast')
    expect((await patch({ email: 'other@customer.test' })).status).toBe(400)
    expect((await patch({ status: 'ACTIVE' })).status).toBe(400)
  })
})

describe('GET /api/shop/plans', () => {
  test('shows anybody what is open, without what only the back office needs', async () => {
    const open = await floor.plan({ priceMonthly: 900 })
    const closed = await floor.plan()
    const hidden = await floor.plan({ priceMonthly: 900, public: false })
    await floor.post(`/api/admin/plans/${closed.id}/deactivate`)
    const { body } = await get('plans?pageSize=100')
    const slugs = body.items.map(({ slug }: { slug: string }) => slug)
    expect(slugs).toContain(open.slug)
    expect(slugs).not.toContain(closed.slug)
    expect(slugs).not.toContain(hidden.slug)
    expect(Object.keys(body.items[0]).toSorted()).toEqual(
      [
        'slug',
        'name',
        'currency',
        'priceMonthly',
        'priceYearly',
        'free',
        'trialDays',
        'maxActivations',
        'maxSeats',
        'features',
      ].toSorted(),
    )
  })
})

describe('what is mine', () => {
  test('subscriptions and licenses, without the seller’s own words', async () => {
    const { as, email } = await signedInShopper(service)
    const sold = await bought(email)
    const subscription = await get(`subscriptions/${sold.subscription.id}`, as)
    expect(subscription).toMatchObject({ status: 200, body: { id: sold.subscription.id, status: 'ACTIVE' } })
    expect(subscription.body).not.toHaveProperty('reference')
    const license = await get(`licenses/${sold.license.id}`, as)
    expect(license).toMatchObject({ status: 200, body: { effectiveStatus: 'ACTIVE' } })
    expect(license.body).not.toHaveProperty('reason')
    expect((await get('licenses?status=ACTIVE', as)).body.items).toEqual([license.body])
    expect((await get('subscriptions?status=CANCELLED', as)).body.items).toEqual([])
  })

  test('with a second factor the password alone is no proof', async () => {
    const shopper = await newShopper(service)
    const { secret } = await enableShopTotp(service, shopper)
    const { accessToken: as } = await shopSignIn(service, shopper, { totp: totpCode(secret, stepAt(now()) - 1) })
    for (const password of [SHOPPER_PASSWORD, 'wrong']) {
      const { status, body } = await post('auth/step-up', { password }, { as })
      expect([status, body.message], password).toEqual([
        409,
        'The second factor is enabled: send a code instead of the password',
      ])
    }
    expect((await post('auth/step-up', { code: present(secret) }, { as })).status).toBe(204)
  })

  test('a subscription is changed at the price of its preview; the customer cannot say that it costs nothing', async () => {
    const { as, email } = await signedInShopper(service)
    const sold = await bought(email, { priceYearly: 12_000, maxSeats: 9 })
    const path = `subscriptions/${sold.subscription.id}`
    const preview = await post(`${path}/change-preview`, { seats: 3 }, { as })
    expect(preview.body).toMatchObject({ next: { seats: 3, price: 36_000 }, license: { willReissue: false } })
    expect(preview.body.dueNow).toBeGreaterThan(23_000)
    const patch = (body: object) => service.call('PATCH', `/api/shop/${path}`, { as, body })
    expect((await patch({ seats: 3, proration: 'none' })).status).toBe(400)
    const changed = await patch({ seats: 3, previewToken: preview.body.previewToken })
    expect(changed).toMatchObject({ status: 200, body: { seats: 3 } })
    expect(changed.body).not.toHaveProperty('reference')
    expect((await patch({ seats: 10 })).body.message).toMatch(/at most 9 seats/)
    expect((await patch({})).status).toBe(400)
    const [entry] = await floor.audit(sold.subscription.id)
    expect(entry).toMatchObject({ actor: { type: 'CUSTOMER' } })
  })

  test('a subscription is cancelled for the end of its period, or at once; his own words are sealed', async () => {
    const { as, email } = await signedInShopper(service)
    const sold = await bought(email)
    const path = `subscriptions/${sold.subscription.id}/cancel`
    const tried = await post(`${path}?dryRun=true`, { mode: 'now' }, { as })
    expect(tried.body.status).toBe('CANCELLED')
    const later = await post(path, { mode: 'period_end', reason: 'UNUSED', comment: 'my dog ate it' }, { as })
    expect(later.body).toMatchObject({ status: 'ACTIVE', cancelAtPeriodEnd: true })
    expect(await service.dump()).not.toContain('my dog ate it')
    expect((await post(path, { mode: 'now', reason: 'Call me: Robin, 555-1234' }, { as })).status).toBe(400)
    expect((await post(path, { mode: 'now' }, { as })).body.status).toBe('CANCELLED')
    expect((await get(`licenses/${sold.license.id}`, as)).body.effectiveStatus).toBe('REVOKED')
  })

  test('a key is read at most 60 times an hour', async () => {
    const shopper = await signedInShopper(service)
    const sold = await bought(shopper.email)
    const statuses = new Set<number>()
    for (let n = 0; n < 61; n += 1) statuses.add((await get(`licenses/${sold.license.id}/key`, shopper.as)).status)
    expect([...statuses]).toEqual([200, 429])
  }, 60_000)
})

test('a session that outlives the suspension of its customer lets nobody in', async () => {
  const { id, as } = await signedInShopper(service)
  expect((await get('subscriptions', as)).status).toBe(200)
  await service.run((unit) => unit.decide(customers, id, 'SetCustomerStatus', { status: 'SUSPENDED', reason: null }))
  await service.licensing.projector.catchUp()
  expect(await isLetIn(as)).toBe(false)
  expect((await get('subscriptions', as)).status).toBe(401)
})
