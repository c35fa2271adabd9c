/**
 * A change that ends credentials of an account ends each of them on the next request, in every process (A13).
 * All other credentials stay valid.
 */
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { stepAt, totpCode } from '#test/support/licensing/authenticator'
import { openPanel } from '../../../src/composition/panel.ts'
import { apiKeyFixture } from '../../support/panel/api-key-fixture.ts'
import { enableTotp, fromNewAddress, mailedToken, signIn, withCookie } from '../../support/panel/people.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'
import type { TestUser } from '../../support/panel/service.ts'

const NEW = 'quite another passphrase 77'
const panel = await startPanel({ trustedProxies: parseTrustedProxies('127.0.0.1'), compareReadModels: false })
const keys = apiKeyFixture(panel)
const root = await panel.somebody('SUPERADMIN')
const second = await openPanel(panel.settings, pino({ level: 'silent' }))
const { port } = await second.listen(0, '127.0.0.1')
afterAll(() => second.close())

/** All credentials of an account besides the session that it acts with. */
interface Ways {
  readonly session: string
  readonly refresh: string
  readonly stream: string
  readonly key: string
}

interface Person extends TestUser {
  readonly ways: Ways
  /** A code of the account's second factor, if it has one. */
  readonly code: () => string
}

const streamToken = async (as: string): Promise<string> =>
  (await panel.call('POST', '/api/auth/sse-token', { as })).body.sseToken

async function person(isGuarded = false): Promise<Person> {
  const { id, email } = await panel.account('USER')
  const { codes, code } = isGuarded ? await enableTotp(panel, id) : { codes: [], code: () => '' }
  const enter = async (nth: number) => {
    const entered = await signIn(panel, { email }, isGuarded ? { totp: codes[nth]! } : {})
    expect(entered.reply.status, entered.reply.text).toBe(200)
    return entered
  }
  const [acting, other] = [await enter(0), await enter(1)]
  const key = await keys.minted({ as: other.accessToken })
  const stream = await streamToken(other.accessToken)
  await panel.panel.projector.catchUp()
  const ways = { session: other.accessToken, refresh: other.refreshToken, stream, key: key.secret }
  return { id, email, as: acting.accessToken, ways, code }
}

/** The answer of the other process. A credential that is valid once is used up by it. */
async function statusElsewhere(way: keyof Ways, secret: string): Promise<number> {
  const bearer = { authorization: `Bearer ${secret}` }
  const asking: Record<keyof Ways, [string, RequestInit]> = {
    session: ['/api/auth/me', { headers: bearer }],
    key: ['/api/projects', { headers: bearer }],
    stream: [`/api/events/stream?sseToken=${secret}`, {}],
    refresh: [
      '/api/auth/refresh',
      { method: 'POST', body: '{}', headers: { ...withCookie(secret), 'content-type': 'application/json' } },
    ],
  }
  const [path, init] = asking[way]
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, signal: AbortSignal.timeout(20_000) })
  await response.body?.cancel()
  return response.status
}

const SIGNED_IN: readonly (keyof Ways)[] = ['session', 'refresh', 'stream']
const EVERY_WAY: readonly (keyof Ways)[] = [...SIGNED_IN, 'key']

const mine = (path: string, body: object) => (who: Person) =>
  panel.call('POST', `/api/auth/${path}`, { as: who.as, body, headers: fromNewAddress() })
const asRoot = (method: string, path: string, body?: object) => (who: Person) =>
  panel.call(method, `/api/admin/users/${who.id}${path}`, { as: root.as, ...(body && { body }) })

async function resetByLink({ email }: Person) {
  await panel.call('POST', '/api/auth/forgot-password', { body: { email }, headers: fromNewAddress() })
  const body = { token: (await mailedToken(panel, email)).token, password: NEW }
  return panel.call('POST', '/api/auth/reset-password', { body, headers: fromNewAddress() })
}

async function enableFactor(who: Person) {
  const { secret } = (await mine('2fa/setup', { password: PASSWORD })(who)).body
  return mine('2fa/enable', { password: PASSWORD, code: totpCode(secret, stepAt(panel.panel.clock.now())) })(who)
}

test.each<[string, readonly (keyof Ways)[], (who: Person) => Promise<{ status: number }>, boolean?]>([
  ['signs out', SIGNED_IN, ({ ways }) => panel.call('POST', '/api/auth/logout', { as: ways.session, body: {} })],
  ['ends his other sessions', SIGNED_IN, ({ as }) => panel.call('DELETE', '/api/auth/sessions', { as })],
  ['changes his password', SIGNED_IN, mine('change-password', { current: PASSWORD, new: NEW })],
  ['chooses a new password by a link', SIGNED_IN, resetByLink],
  ['gets a second factor', SIGNED_IN, enableFactor],
  [
    'disables his second factor',
    SIGNED_IN,
    (who) => mine('2fa/disable', { password: PASSWORD, code: who.code() })(who),
    true,
  ],
  ['is given another role', SIGNED_IN, asRoot('PATCH', '/role', { role: 'ADMIN' })],
  ['is suspended', EVERY_WAY, asRoot('PATCH', '/status', { status: 'SUSPENDED' })],
  ['is banned', EVERY_WAY, asRoot('PATCH', '/status', { status: 'BANNED' })],
  ['is erased', EVERY_WAY, asRoot('DELETE', '')],
])('somebody who %s', async (_what, ended, happens, isGuarded) => {
  const who = await person(isGuarded)
  const before = { ...who.ways, stream: await streamToken(who.ways.session) }
  for (const way of ['session', 'stream', 'key'] as const)
    expect(await statusElsewhere(way, before[way]), way).toBe(200)
  expect((await happens(who)).status).toBeLessThan(300)
  const left = EVERY_WAY.filter((way) => !ended.includes(way))
  for (const way of ended) expect(await statusElsewhere(way, who.ways[way]), way).toBe(401)
  for (const way of left) expect(await statusElsewhere(way, who.ways[way]), way).toBe(200)
})
