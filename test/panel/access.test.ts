/** The generated matrix: every route × every kind of credential. A changed access declaration fails it. */
import { SignJWT, generateKeyPair } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { newSecret } from '#kernel/identity/secret'
import { KEY, SSE, USER } from '#panel/identity/access'
import { PLATFORM_PERMISSIONS } from '#panel/identity/permissions'
import type { PlatformPermission } from '#panel/identity/permissions'
import { userEvents, UserStatusChanged } from '#panel/users/events'
import { routes } from '../../src/panel-app.ts'
import { ACCESS } from './access-table.ts'
import type { Needs, Row } from './access-table.ts'
import { keyRing, mintedPast } from './key-ring.ts'
import { startPanel } from './service.ts'
import type { Reply } from './service.ts'

const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'
const NONE: Record<string, string> = {}
const NO_SESSION = 'Invalid or expired session'
const NO_KEY = 'Invalid or expired API key'
const NOT_FOR_KEYS = 'This endpoint is not available to API keys. Use a session.'
const panel = await startPanel({ compareReadModels: false })
const guarded = ACCESS.filter(({ needs }) => needs !== 'public' && needs !== 'cookie')
const SCOPES = [...new Set(ACCESS.flatMap(({ scope }) => scope ?? []))]
const keys = keyRing(panel)
const owner = panel.somebody('SUPERADMIN')
/** Those that answer and end; a stream that lets somebody in goes on. */
const ending = guarded.filter(({ needs }) => needs !== 'stream')

let cells = 0
afterAll(() => console.log(`${ACCESS.length} routes of the panel, ${cells} cells`))

/** Nothing that changes anybody else: bodies are refused before a handler runs, ids are unknown. A gate that lets through answers 2xx, 400, 404, 409 or 415. */
async function knock({ line }: Row, as?: string, headers?: Record<string, string>): Promise<Reply> {
  const [method, path] = line.split(' ') as [string, string]
  cells += 1
  return panel.call(method, path.replaceAll(/:\w+/g, UNKNOWN_ID), { as, ...(headers && { headers }) })
}

const passed = ({ status }: Reply): boolean => ![401, 403, 405, 429].includes(status) && status < 500

function expectRefused(reply: Reply, statusCode: number, message: string): void {
  expect({ status: reply.status, body: reply.body }).toEqual({ status: statusCode, body: { statusCode, message } })
}

test('every registered route stands in the access table, and the other way round', () => {
  expect(routes.map(({ line }) => line as string).toSorted()).toEqual(ACCESS.map(({ line }) => line).toSorted())
})

test('every declaration says what the table says', () => {
  for (const { line, needs, scope } of ACCESS) {
    const { access } = routes.find((route) => route.line === line)!
    const isOpen = needs === 'public' || needs === 'cookie'
    expect(access.kinds, line).toEqual(isOpen ? [] : scope === undefined ? [USER] : [USER, KEY])
    expect(access.scope, line).toBe(scope)
    expect(access.permission, line).toBe(isPermission(needs) ? needs : undefined)
    expect(access.by, line).toBe(needs === 'stream' ? SSE : undefined)
    const isRuled = needs === 'any admin' || needs === 'superadmin' || /^in (project|team)/.test(needs)
    if (isRuled) expect(access.rule, line).toBeDefined()
  }
})

const isPermission = (needs: Needs): boolean => /^[a-z]+:(view|manage)$/.test(needs)

test.each(guarded)('$line: no credential and garbage are refused', async (row) => {
  expectRefused(await knock(row), 401, 'Authentication required')
  for (const garbage of ['garbage', 'a.b.c', newSecret('m'), newSecret('r'), newSecret('s')])
    expectRefused(await knock(row, garbage), 401, NO_SESSION)
  for (const garbage of [newSecret('k'), 'dbk_garbage']) expectRefused(await knock(row, garbage), 401, NO_KEY)
})

/** Each was good once, or is good elsewhere. */
const withered: [string, () => Promise<string>][] = [
  ['an ended session', endedSession],
  ['a session whose time is over', expiredSession],
  ['a session of somebody suspended', suspendedSession],
  ['a refresh token', refreshToken],
  ['a stream token', streamToken],
  ['a well-made session of another key', forgedSession],
]

describe.each(withered)('%s', (_kind, make) => {
  const credential = make()
  test.each(guarded)('$line', async (row) => expectRefused(await knock(row, await credential), 401, NO_SESSION))
})

async function endedSession(): Promise<string> {
  const { as } = await panel.somebody('SUPERADMIN')
  expect((await panel.call('POST', '/api/auth/logout', { as, body: {} })).status).toBe(204)
  return as
}

async function expiredSession(): Promise<string> {
  const { as, id } = await panel.somebody('SUPERADMIN')
  await panel.superuser.query(
    `UPDATE read.user_sessions SET expires_at = now() - interval '1 second' WHERE user_id = $1`,
    [id],
  )
  return as
}

async function suspendedSession(): Promise<string> {
  const { as, id } = await panel.somebody('SUPERADMIN')
  const suspended = UserStatusChanged({ userId: id, status: 'SUSPENDED' })
  await panel.run(async (unit) => unit.record(userEvents, id, suspended))
  await panel.panel.projector.catchUp()
  return as
}

async function refreshToken(): Promise<string> {
  const { email } = await panel.account('SUPERADMIN')
  const { headers } = await panel.login(email)
  return /daybook_panel_refresh=([^;]+)/.exec(headers.get('set-cookie')!)![1]!
}

async function streamToken(): Promise<string> {
  const { as } = await panel.somebody('SUPERADMIN')
  return (await panel.call('POST', '/api/auth/sse-token', { as })).body.sseToken
}

async function forgedSession(): Promise<string> {
  const { privateKey } = await generateKeyPair('EdDSA')
  const { id } = await panel.account('SUPERADMIN')
  return new SignJWT({ sub: id, sid: UNKNOWN_ID, jti: 'x' })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt' })
    .setIssuer(panel.settings.baseUrl)
    .setAudience('daybook-panel')
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(privateKey)
}

const ADMINS_ONLY = 'Only for the role ADMIN or SUPERADMIN'

/** What the session of a role without any grant is answered; undefined lets it in. */
const REFUSALS: Readonly<Record<'USER' | 'ADMIN' | 'SUPERADMIN', (needs: Needs) => string | undefined>> = {
  USER: (needs) => (needs === 'any admin' ? ADMINS_ONLY : refusedToAdmin(needs)),
  ADMIN: refusedToAdmin,
  SUPERADMIN: () => undefined,
}

function refusedToAdmin(needs: Needs): string | undefined {
  if (needs === 'superadmin') return 'Only for the role SUPERADMIN'
  return isPermission(needs) ? `Missing permission ${needs}` : undefined
}

describe.each(['USER', 'ADMIN', 'SUPERADMIN'] as const)('a session of the role %s', (role) => {
  const somebody = panel.somebody(role)

  test.each(ending)('$line', async (row) => {
    const reply = await knock(row, (await somebody).as)
    const refusal = REFUSALS[role](row.needs)
    if (refusal === undefined) expect(passed(reply), reply.text).toBe(true)
    else expectRefused(reply, 403, refusal)
  })
})

/** Each was good once, or is good elsewhere. */
const witheredKeys: [string, () => Promise<string>][] = [
  ['a revoked key', revokedKey],
  ['an expired key', expiredKey],
  ['a key from a wrong address', async () => (await keys.minted(await owner, { allowedIps: ['192.0.2.1'] })).secret],
  ['a key of somebody suspended', suspendedKey],
]

describe.each(witheredKeys)('%s', (_kind, make) => {
  const credential = make()
  test.each(guarded)('$line', async (row) => expectRefused(await knock(row, await credential), 401, NO_KEY))
})

async function revokedKey(): Promise<string> {
  const { id, secret } = await keys.minted(await owner)
  expect((await keys.revoke(await owner, id)).status).toBe(200)
  return secret
}

async function expiredKey(): Promise<string> {
  const expiresAt = new Date(Date.now() - 1_000).toISOString()
  return (await mintedPast(panel, (await owner).id, { expiresAt })).secret
}

async function suspendedKey(): Promise<string> {
  const { id, as } = await panel.somebody('USER')
  const { secret } = await keys.minted({ as })
  const suspended = UserStatusChanged({ userId: id, status: 'SUSPENDED' })
  await panel.run(async (unit) => unit.record(userEvents, id, suspended))
  await panel.panel.projector.catchUp()
  return secret
}

describe('a key of a SUPERADMIN with every scope, and one with every other', () => {
  const every = owner.then((who) => keys.minted(who, { scopes: SCOPES }))
  const others = new Map(
    SCOPES.map((scope) => [
      scope,
      owner.then((who) => keys.minted(who, { scopes: SCOPES.filter((other) => other !== scope) })),
    ]),
  )

  test.each(guarded)('$line', async (row) => {
    const reply = await knock(row, (await every).secret)
    if (row.scope === undefined) return expectRefused(reply, 403, NOT_FOR_KEYS)
    expect(passed(reply), reply.text).toBe(true)
    expectRefused(await knock(row, (await others.get(row.scope)!).secret), 403, `Missing scope ${row.scope}`)
  })
})

describe('an ADMIN with just the permission, and one with all others', () => {
  const withPermission = guarded.filter(({ needs }) => isPermission(needs))
  const admins = new Map(
    [...new Set(withPermission.map(({ needs }) => needs as PlatformPermission))].map((permission) => [
      permission,
      {
        exact: panel.somebody('ADMIN', [permission]),
        others: panel.somebody(
          'ADMIN',
          PLATFORM_PERMISSIONS.filter((other) => other !== permission),
        ),
      },
    ]),
  )

  test.each(withPermission)('$line', async (row) => {
    const { exact, others } = admins.get(row.needs as PlatformPermission)!
    const reply = await knock(row, (await exact).as)
    expect(passed(reply), reply.text).toBe(true)
    expectRefused(await knock(row, (await others).as), 403, `Missing permission ${row.needs}`)
  })
})

test('public routes answer without a credential and look at none', async () => {
  for (const row of ACCESS.filter(({ needs }) => needs === 'public')) {
    const bare = await knock(row)
    expect(passed(bare), row.line).toBe(true)
    expect((await knock(row, 'garbage')).status, row.line).toBe(bare.status)
  }
})

test('what changes something records it under its request, and what is refused records nothing', async () => {
  const mutating = ACCESS.filter(({ line }) => !line.startsWith('GET '))
  const credentials = [undefined, (await panel.somebody('USER')).as, (await panel.somebody('SUPERADMIN')).as]
  const replies: { line: string; reply: Reply }[] = []
  for (const as of credentials)
    for (const row of mutating) replies.push({ line: row.line, reply: await knock(row, as) })
  const recorded = new Set(
    (await panel.history()).map(({ metadata }) => (metadata as { requestId?: string }).requestId),
  )
  const wrong = replies.filter(({ reply }) => {
    const isRecorded = recorded.has(reply.headers.get('x-request-id')!)
    return isRecorded !== reply.status < 300
  })
  expect(wrong.map(({ line, reply }) => `${line} ${reply.status}`)).toEqual([])
  expect(replies.some(({ reply }) => reply.status < 300)).toBe(true)
})

test('the refresh token alone opens refresh and logout: a cookie of something else, or nothing, does not', async () => {
  const cookie = `daybook_panel_refresh=${newSecret('r')}`
  for (const { line } of ACCESS.filter(({ needs }) => needs === 'cookie'))
    for (const headers of [NONE, { cookie, origin: panel.settings.baseUrl }])
      expectRefused(await panel.call('POST', line.replace('POST ', ''), { body: {}, headers }), 401, NO_SESSION)
})

test('credentials in the query string, a cookie or another header open nothing', async () => {
  const { as } = await panel.somebody('SUPERADMIN')
  for (const name of ['token', 'access_token', 'sseToken'])
    expect((await panel.call('GET', `/api/auth/me?${name}=${as}`)).status).toBe(401)
  for (const name of ['x-api-key', 'x-access-token', 'cookie']) {
    const headers = { ...NONE, [name]: name === 'cookie' ? `daybook_panel_refresh=${as}` : as }
    expect((await panel.call('GET', '/api/auth/me', { headers })).status, name).toBe(401)
  }
})
