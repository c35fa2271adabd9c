/**
 * A stolen session without its password: the routes that it never opens, and the owners that it never locks
 * out (A16).
 */
import { describe, expect, test } from 'vitest'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { newTotpSecret } from '#kernel/credentials/totp'
import { shopAccountEvents, ShopTotpEnabled, ShopTotpSetUp } from '#licensing/shop/accounts/events'
import { staffEvents, StaffTotpEnabled, StaffTotpSetUp } from '#licensing/staff/events'
import { stepAt, totpCode } from '#test/support/licensing/authenticator'
import { enableTotp, eventsOf, fromNewAddress, REFRESH_COOKIE, signIn, newStaff } from '#test/support/licensing/people'
import { startService } from '#test/support/licensing/service'
import type { Reply } from '#test/support/licensing/service'
import { shopFixture } from '#test/support/licensing/shop-fixture'
import { enableShopTotp, SHOP_REFRESH_COOKIE, SHOP_URL, newShopper, shopSignIn } from '#test/support/licensing/shoppers'
import { searchReachableStates, sessionIn } from '#test/support/session-thief'
import type { ThiefRealm, Victim } from '#test/support/session-thief'
import { routes } from '../../../src/composition/licensing.ts'

const service = await startService({
  trustedProxies: parseTrustedProxies('127.0.0.1'),
  shopUrl: SHOP_URL,
  compareReadModels: false,
})
const floor = await shopFixture(service)
const { slug: planSlug } = await floor.plan()
const seller = await service.token(['licenses:manage'])
const STALE_MS = 6 * 60_000
const GUESSES = 5

interface Account {
  readonly id: string
  readonly email: string
  readonly password: string
  /** The secret of the owner's second factor. */
  readonly secret: string | undefined
}

/** With what was sold to a customer; in the shop, to the owner of the account. */
interface Owner extends Account, Victim {
  readonly sold: { readonly customer: { id: string; email: string }; readonly license: { id: string } }
}

type Signed = Omit<Victim, 'id'> & { readonly reply: Reply }
type Asked = readonly [method: string, path: string, body?: object]

interface Tested extends Pick<ThiefRealm<Owner>, 'authPath' | 'cookie' | 'origin'> {
  readonly sessions: string
  account(hasFactor: boolean): Promise<Account>
  enter(account: Account, given: { totp?: string }): Promise<Signed>
  /** What 0.1.0 recorded when a session enabled a second factor without proving the password. */
  enabledByOldRelease(account: Account, sessionId: string, secret: string): Promise<void>
  /** Calls that need a fresh proof; calls that work only once come last. */
  guarded(owner: Owner): readonly Asked[]
}

const STAFF: Tested = {
  authPath: '/api/admin/auth',
  cookie: REFRESH_COOKIE,
  origin: 'http://licensing.test',
  sessions: 'staffSessions',
  async account(hasFactor) {
    const person = await newStaff(service)
    return { ...person, secret: hasFactor ? (await enableTotp(service, person)).secret : undefined }
  },
  enter: (account, given) => signIn(service, account, given),
  enabledByOldRelease: ({ id: staffId }, staffSessionId, secret) =>
    service.run(async (unit) => {
      unit.appendEvent(staffEvents, staffId, StaffTotpSetUp({ staffId, secret, staffSessionId: null }))
      unit.appendEvent(staffEvents, staffId, StaffTotpEnabled({ staffId, step: 1, staffSessionId, backupCodes: [] }))
    }),
  guarded: ({ id, sold: { customer } }) => [
    ['POST', '/api/admin/machine-tokens', { name: 'of a thief', permissions: ['plans:view'] }],
    ['POST', '/api/admin/staff', { email: `friend-of-${id}@thief.test`, name: 'Friend', roles: ['SUPERADMIN'] }],
    ['PATCH', `/api/admin/staff/${id}`, { roles: ['SUPERADMIN'] }],
    ['PATCH', '/api/admin/settings/shopRegistration', { value: false }],
    ['POST', `/api/admin/customers/${customer.id}/credits`, { amount: 1, reason: 'gift' }],
    ['POST', `/api/admin/customers/${customer.id}/erase`, { confirmEmail: customer.email }],
  ],
}

const SHOP: Tested = {
  authPath: '/api/shop/auth',
  cookie: SHOP_REFRESH_COOKIE,
  origin: 'https://shop.test',
  sessions: 'shopSession',
  async account(hasFactor) {
    const shopper = await newShopper(service)
    return { ...shopper, secret: hasFactor ? (await enableShopTotp(service, shopper)).secret : undefined }
  },
  enter: (account, given) => shopSignIn(service, account, given),
  enabledByOldRelease: ({ id: customerId }, shopSessionId, secret) =>
    service.run(async (unit) => {
      unit.appendEvent(shopAccountEvents, customerId, ShopTotpSetUp({ customerId, secret, shopSessionId: null }))
      unit.appendEvent(
        shopAccountEvents,
        customerId,
        ShopTotpEnabled({ customerId, step: 1, shopSessionId, backupCodes: [] }),
      )
    }),
  guarded: ({ email, sold: { license } }) => [
    ['GET', `/api/shop/licenses/${license.id}/key`],
    ['POST', `/api/shop/licenses/${license.id}/rotate`, { mode: 'leaked' }],
    ['POST', '/api/shop/account/export'],
    ['DELETE', '/api/shop/account', { confirmEmail: email }],
  ],
}

const codeFor = ({ secret }: Pick<Account, 'secret'>): { code?: string } =>
  secret === undefined ? {} : { code: totpCode(secret, stepAt(service.licensing.clock.now())) }

const entered = ({ enter }: Tested, account: Account): Promise<Signed> => {
  const { code } = codeFor(account)
  return enter(account, code === undefined ? {} : { totp: code })
}

/** An owner who signed in six minutes ago. */
async function owner(tested: Tested, hasFactor: boolean): Promise<Owner> {
  const account = await tested.account(hasFactor)
  const { accessToken, refreshToken, reply } = await entered(tested, account)
  expect(reply.status, reply.text).toBe(200)
  const order = {
    email: tested === SHOP ? account.email : `of-${account.id}@customer.test`,
    planSlug,
    reference: account.id,
  }
  const provisioned = await floor.provision(order, seller)
  expect(provisioned.status, provisioned.text).toBe(201)
  service.passTime(STALE_MS)
  return { ...account, accessToken, refreshToken, sold: provisioned.body }
}

async function answers(asked: readonly Asked[], as: string): Promise<[string, number][]> {
  const all: [string, number][] = []
  for (const [method, path, body] of asked)
    all.push([`${method} ${path}`, (await service.call(method, path, { as, body })).status])
  return all
}

const prove = ({ authPath }: Tested, as: string, body: object, headers = fromNewAddress()) =>
  service.call('POST', `${authPath}/step-up`, { as, body, headers })

const mailsTo = async ({ email }: Account): Promise<string[]> => {
  await service.settle()
  return service.mails.flatMap(({ to, text }) => (to === email ? text : []))
}

describe.each([
  ['staff', STAFF],
  ['customers', SHOP],
])('of %s', (_realm, tested) => {
  describe.each([
    ['without a second factor', false],
    ['with a second factor', true],
  ])('%s', (_what, hasFactor) => {
    test('no sequence of calls that needs no password opens what asks for a proof, or locks the owner out', async () => {
      const calls = await searchReachableStates(service, {
        ...tested,
        opened: service.licensing,
        routes,
        victim: () => owner(tested, hasFactor),
        async check(victim, as, path) {
          const isOpen = ([, status]: [string, number]) => status !== 403 && status !== 401
          expect((await answers(tested.guarded(victim), as)).filter(isOpen), path).toEqual([])
          expect((await entered(tested, victim)).reply.status, `the owner signs in after ${path}`).toBe(200)
        },
      })
      for (const line of ['step-up {code}', '2fa/setup {password}', '2fa/enable {password, code}', 'refresh {}'])
        expect(calls).toContain(`POST ${tested.authPath}/${line}`)
    })

    test('with the proof all of it opens', async () => {
      const known = await owner(tested, hasFactor)
      const [{ accessToken: as }, asked] = [known, tested.guarded(known)]
      expect(new Set((await answers(asked, as)).map(([, status]) => status))).toEqual(new Set([403]))
      const proof = hasFactor ? codeFor(known) : { password: known.password }
      expect((await prove(tested, as, proof)).status).toBe(204)
      expect((await answers(asked, as)).filter(([, status]) => status >= 300)).toEqual([])
    })
  })

  test('enrolling takes the password twice, is told to the owner, and renews the proof of the session', async () => {
    const known = await owner(tested, false)
    const { accessToken: as, password } = known
    const ask = (path: string, body: object) => service.call('POST', `${tested.authPath}/2fa/${path}`, { as, body })
    expect((await ask('setup', { password: 'wrong' })).status).toBe(401)
    const { secret } = (await ask('setup', { password })).body
    expect((await ask('enable', { password: 'wrong', ...codeFor({ secret }) })).status).toBe(401)
    expect((await ask('enable', { password, ...codeFor({ secret }) })).status).toBe(200)
    expect((await mailsTo(known)).join()).toContain('A second factor was enabled for your account')
    service.passTime(STALE_MS)
    expect((await answers(tested.guarded(known).slice(0, 1), as))[0]![1]).toBe(403)
    expect((await prove(tested, as, codeFor({ secret }))).status).toBe(204)
    expect((await answers(tested.guarded(known), as)).filter(([, status]) => status >= 300)).toEqual([])
  })

  test('a secret is enabled by the session that set it up and by no other', async () => {
    const known = await owner(tested, false)
    const [{ accessToken: other }, { password }] = [await entered(tested, known), known]
    const ask = (path: string, as: string, body: object) =>
      service.call('POST', `${tested.authPath}/2fa/${path}`, { as, body })
    const { secret } = (await ask('setup', known.accessToken, { password })).body
    const refused = await ask('enable', other, { password, ...codeFor({ secret }) })
    expect([refused.status, refused.headers.get('error-code')]).toEqual([409, 'TOTP_NOT_SET_UP'])
  })

  test('a second factor that a session enabled under 0.1.0 renews no proof of that session', async () => {
    const known = await owner(tested, false)
    const secret = newTotpSecret()
    await tested.enabledByOldRelease(known, sessionIn(known.accessToken), secret)
    const refused = await prove(tested, known.accessToken, codeFor({ secret }))
    expect([refused.status, refused.headers.get('error-code')]).toEqual([403, 'SIGN_IN_AGAIN'])
    const statuses = (await answers(tested.guarded(known), known.accessToken)).map(([, status]) => status)
    expect(new Set(statuses)).toEqual(new Set([403]))
    const { accessToken } = await entered(tested, { ...known, secret })
    service.passTime(STALE_MS)
    expect((await prove(tested, accessToken, codeFor({ secret }))).status).toBe(204)
  })

  const ended = async (id: string) =>
    (await eventsOf(service, `${tested.sessions}-${id}`)).flatMap(({ data }) => data.reason ?? [])

  test('five wrong codes end the session, of which the owner is told, and never stand in the way of signing in', async () => {
    const known = await owner(tested, true)
    const other = await entered(tested, known)
    const guess = () => prove(tested, known.accessToken, { code: '000000' })
    for (let n = 0; n < GUESSES; n += 1) expect((await guess()).body.message).toBe('Invalid credentials')
    expect(await ended(known.id)).toEqual(['WRONG_PROOFS'])
    expect((await guess()).body.message).toBe('Invalid or expired session')
    expect((await mailsTo(known)).join()).toContain('Too many wrong passwords or codes')
    expect((await entered(tested, known)).reply.status).toBe(401)
    service.passTime(30_000)
    expect((await entered(tested, known)).reply.status).toBe(200)
    expect((await prove(tested, other.accessToken, { code: '000000' })).body.message).toBe('Invalid credentials')
  })

  test('of many wrong codes at once, five are looked at', async () => {
    const known = await owner(tested, true)
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => prove(tested, known.accessToken, { code: '000000' })),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]))
    expect(await ended(known.id)).toEqual(['WRONG_PROOFS'])
  })

  test('a session whose guesses are used up ends with the next one, where the process was stopped before it ended it', async () => {
    const known = await owner(tested, true)
    await prove(tested, known.accessToken, { code: '000000' })
    await service.superuser.query(
      `UPDATE telemetry.attempt SET recent = array_fill(clock_timestamp(), ARRAY[${GUESSES}])
       WHERE starts_with(key, 'session-code:')`,
    )
    expect((await prove(tested, known.accessToken, codeFor(known))).status).toBe(401)
    expect(await ended(known.id)).toEqual(['WRONG_PROOFS'])
  })

  test('a right code forgives the wrong ones before it', async () => {
    const known = await owner(tested, true)
    for (let round = 0; round < 2; round += 1) {
      for (let n = 1; n < GUESSES; n += 1) await prove(tested, known.accessToken, { code: '000000' })
      service.passTime(30_000)
      expect((await prove(tested, known.accessToken, { ...codeFor(known) })).status).toBe(204)
    }
    expect(await ended(known.id)).toEqual([])
  })

  test('five wrong passwords end the session, whichever route they are given to', async () => {
    const known = await owner(tested, false)
    const password = 'what the thief guesses 77'
    const guesses: [string, object][] = [
      ['step-up', { password }],
      ['2fa/setup', { password }],
      ['password', { current: password, new: 'a passphrase of the thief 78' }],
      ['2fa/setup', { password }],
      ['step-up', { password }],
    ]
    for (const [path, body] of guesses)
      expect((await service.call('POST', `${tested.authPath}/${path}`, { as: known.accessToken, body })).status).toBe(
        401,
      )
    expect(await ended(known.id)).toEqual(['WRONG_PROOFS'])
    expect((await mailsTo(known)).join()).toContain('Too many wrong passwords or codes')
  })

  test('strangers who guess at the password of the account stand in no way of a session of its owner', async () => {
    const known = await owner(tested, false)
    const { accessToken: as, password: current } = known
    for (let n = 0; n < 6; n += 1) await tested.enter({ ...known, password: 'what a stranger guesses' }, {})
    expect((await entered(tested, known)).reply.status, 'the account is delayed').toBe(401)
    for (let n = 0; n <= GUESSES; n += 1) expect((await prove(tested, as, { password: current })).status).toBe(204)
    expect(await ended(known.id)).toEqual([])
    const body = { current, new: 'a passphrase of the owner 79' }
    expect((await service.call('POST', `${tested.authPath}/password`, { as, body })).status).toBe(204)
    expect((await entered(tested, { ...known, password: body.new })).reply.status).toBe(200)
  })
})
