/** Machine tokens over HTTP: who may mint them, what they open, and when they end. */
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { hashSecret, isSecret, newSecret } from '#kernel/credentials/secret-token'
import { sessionUseRecorder } from '#kernel/credentials/session-uses'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { route } from '#kernel/http/route'
import type { Caller } from '#kernel/http/route'
import { httpServer } from '#kernel/http/server'
import type { HttpServer } from '#kernel/http/server'
import { logger } from '#kernel/logging/log'
import { kyselyFor } from '#kernel/projections/read-database'
import { servicePool } from '#kernel/store/connection'
import { staffOrToken } from '#licensing/access/access'
import { authenticate } from '#licensing/access/authenticate'
import { BANNED_FOR_TOKENS } from '#licensing/access/permissions'
import { tokenCaller } from '#licensing/access/token-caller'
import { tokenUses } from '#licensing/access/token-uses'
import { StaffSessionSteppedUp, staffSessionEvents } from '#licensing/auth/events'
import { machineTokens } from '#licensing/machine-tokens/decider'
import { StaffTotpDisabled, StaffTotpEnabled, staffEvents } from '#licensing/staff/events'
import { machineTokenTable } from '#projections/licensing/machine-tokens'
import { mintWithoutRules as unruled } from '../../support/licensing/backdated-token.ts'
import { startService } from '../../support/licensing/service.ts'
import type { Reply } from '../../support/licensing/service.ts'

const PATH = '/api/admin/machine-tokens'
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'
const DAY_MS = 86_400_000
const inDays = (days: number, moreMs = 0) => new Date(Date.now() + days * DAY_MS + moreMs).toISOString()
const from = (address: string) => ({ 'x-forwarded-for': address })

const service = await startService({
  trustedProxies: parseTrustedProxies('127.0.0.1'),
  // After hundreds of tokens: compared once, at the end.
  compareReadModels: false,
})
const { call, run } = service

async function asStaff(method: string, path: string, body?: unknown): Promise<Reply> {
  return call(method, path, { as: await service.staff(), ...(body === undefined ? {} : { body }) })
}
const mint = async (more: object = {}) => asStaff('POST', PATH, { name: 'CI', permissions: ['plans:view'], ...more })
async function minted(more: object = {}): Promise<{ token: any; secret: string }> {
  const reply = await mint(more)
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}
const usedBy = (secret: string, headers?: Record<string, string>) =>
  call('GET', '/api/admin/plans', { as: secret, ...(headers ? { headers } : {}) })
const head = () => service.licensing.store.head()

const mintedPast = (more: object) => unruled(service.licensing, more)

/** Each test begins with free places under the cap. */
afterEach(() =>
  run(async (unit) => {
    for (const { id } of await unit.load(machineTokens))
      await unit.decide(machineTokens, undefined, 'RevokeToken', { machineTokenId: id })
  }),
)

describe('POST /machine-tokens', () => {
  test('201: the record, and the secret, here and nowhere else', async () => {
    const expiresAt = inDays(30)
    const reply = await mint({
      name: ' deploy ',
      permissions: [
        'plans:*',
        'staff:manage',
        'nonsense',
        'x'.repeat(10_000),
        ...Array(200).fill('more'),
        'licenses:manage',
      ],
      allowedIps: ['::ffff:10.0.0.0/104', '2001:DB8:0::/32'],
      expiresAt: expiresAt.replace('Z', '+00:00'),
    })
    const { token, secret } = reply.body
    expect(reply.status).toBe(201)
    expect(isSecret(secret, 'm')).toBe(true)
    expect(token).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'deploy',
      prefix: secret.slice(0, 12),
      permissions: ['plans:*', 'licenses:manage'],
      allowedIps: ['10.0.0.0/8', '2001:db8::/32'],
      expiresAt,
      status: 'ACTIVE',
      createdAt: expect.any(String),
      createdBy: (await service.somebody('SUPERADMIN')).id,
      lastUsedAt: null,
      lastUsedIp: null,
      revokedAt: null,
      revokedBy: null,
    })
    expect((await asStaff('GET', `${PATH}/${token.id}`)).body).toEqual(token)
    expect(Number(reply.headers.get('event-position'))).toBe(await head())
    expect(reply.headers.get('cache-control')).toBe('no-store')
  })

  const bad: [string, object][] = [
    ['no name', { name: undefined }],
    ['an empty name', { name: '  ' }],
    ['a name of 101 characters', { name: 'x'.repeat(101) }],
    ['no permissions', { permissions: undefined }],
    ['an empty list of permissions', { permissions: [] }],
    ['only what is forbidden', { permissions: [...BANNED_FOR_TOKENS] }],
    ['only what is unknown', { permissions: ['licenses:*', '*'] }],
    ['permissions that are no list', { permissions: 'plans:view' }],
    ['an unknown field', { admin: true }],
    ['a rule that is no address', { allowedIps: ['localhost'] }],
    ['host bits', { allowedIps: ['10.0.0.1/8'] }],
    ['0.0.0.0/0', { allowedIps: ['0.0.0.0/0'] }],
    ['::/0', { allowedIps: ['::/0'] }],
    ['two halves of everything', { allowedIps: ['0.0.0.0/1', '128.0.0.0/1'] }],
    ['101 rules', { allowedIps: Array.from({ length: 101 }, (_, n) => `10.0.0.${n}`) }],
    ['an expiry that is now', { expiresAt: 'now' }],
    ['an expiry without zone', { expiresAt: '2027-01-01T00:00:00' }],
    ['an expiry without time', { expiresAt: inDays(30).slice(0, 10) }],
    ['an expiry as a number', { expiresAt: Date.now() + DAY_MS }],
    ['an expiry in the past', { expiresAt: inDays(0, -1_000) }],
    ['an expiry 365 days ahead', { expiresAt: inDays(365, 600_000) }],
    ['versions:manage without expiry', { permissions: ['versions:manage'] }],
    ['versions:manage for 91 days', { permissions: ['plans:view', 'versions:manage'], expiresAt: inDays(91) }],
  ]
  test.each(bad)('400 for %s, and nothing is written', async (_what, more) => {
    const before = await head()
    const reply = await mint(more)
    expect(reply.status, reply.text).toBe(400)
    expect(Object.keys(reply.body)).toEqual(['statusCode', 'message'])
    expect(await head()).toBe(before)
  })

  test.each([
    [
      'no permission is left',
      { permissions: ['settings:manage'] },
      'No valid permission remains: request at least one that a token may hold',
    ],
    ['the past', { expiresAt: inDays(0, -1_000) }, 'expiresAt must be in the future'],
    ['a year', { expiresAt: inDays(365, 600_000) }, 'expiresAt must be less than 365 days ahead'],
    [
      'versions:manage',
      { permissions: ['versions:manage'] },
      'A token with versions:manage must expire within 90 days',
    ],
  ])('says why: %s', async (_what, more, message) => {
    expect((await mint(more)).body).toEqual({ statusCode: 400, message })
  })

  test('just inside the bounds is taken', async () => {
    await minted({ name: 'x'.repeat(100), expiresAt: inDays(365, -5_000) })
    await minted({ permissions: ['versions:manage'], expiresAt: inDays(90, -5_000), allowedIps: ['0.0.0.0/1'] })
    await minted({ expiresAt: null, allowedIps: [] })
  })

  test('409 for the 51st live token, nothing written; room again after a revocation', async () => {
    const tokens = await Promise.all(Array.from({ length: 50 }, () => minted()))
    const before = await head()
    const refused = await mint()
    expect(refused.status).toBe(409)
    expect(refused.body.message).toBe('An installation holds at most 50 live machine tokens')
    expect(await head()).toBe(before)
    await asStaff('POST', `${PATH}/${tokens[3]!.token.id}/revoke`)
    await minted()
    expect((await mint()).status).toBe(409)
    expect((await asStaff('POST', `${PATH}/${tokens[4]!.token.id}/rotate`, { overlapMinutes: 1 })).status).toBe(409)
    expect((await asStaff('POST', `${PATH}/${tokens[4]!.token.id}/rotate`)).status).toBe(201)
    expect((await mint()).status).toBe(409)
    const live = await asStaff('GET', `${PATH}?status=ACTIVE&pageSize=1`)
    expect(live.body.total).toBe(50)
  })

  test('403 STEP_UP_REQUIRED where the account has a second factor, until it was proved again', async () => {
    const { id: staffId, accessToken: as } = await service.somebody('SUPERADMIN')
    const staffSessionId = JSON.parse(Buffer.from(as.split('.')[1]!, 'base64url').toString()).sid
    const { token } = await minted()
    const ask = { as, body: { name: 'CI', permissions: ['plans:view'] } }
    try {
      await run(async (unit) =>
        unit.appendEvent(staffEvents, staffId, StaffTotpEnabled({ staffId, step: 1, staffSessionId, backupCodes: [] })),
      )
      await service.licensing.projector.catchUp()
      for (const refused of [await call('POST', PATH, ask), await call('POST', `${PATH}/${token.id}/rotate`, { as })]) {
        expect(refused.status).toBe(403)
        expect(refused.headers.get('error-code')).toBe('STEP_UP_REQUIRED')
      }
      expect((await call('GET', PATH, { as })).status, 'reading needs no step-up').toBe(200)
      await run(async (unit) =>
        unit.appendEvent(staffSessionEvents, staffId, StaffSessionSteppedUp({ staffSessionId, staffId })),
      )
      await service.licensing.projector.catchUp()
      expect((await call('POST', PATH, ask)).status).toBe(201)
      expect((await call('POST', `${PATH}/${token.id}/rotate`, { as })).status).toBe(201)
    } finally {
      await run(async (unit) =>
        unit.appendEvent(staffEvents, staffId, StaffTotpDisabled({ staffId, step: 2, staffSessionId })),
      )
      await service.licensing.projector.catchUp()
    }
  })
})

describe('who may', () => {
  const lines: [string, string, string][] = [
    ['GET', PATH, 'settings:view'],
    ['GET', `${PATH}/${UNKNOWN_ID}`, 'settings:view'],
    ['POST', PATH, 'settings:manage'],
    ['POST', `${PATH}/${UNKNOWN_ID}/revoke`, 'settings:manage'],
    ['POST', `${PATH}/${UNKNOWN_ID}/rotate`, 'settings:manage'],
  ]
  test.each(lines)('%s %s: 401 for nobody, 403 for tokens and without %s', async (method, path, permission) => {
    const nobody = await call(method, path)
    expect([nobody.status, nobody.body.message]).toEqual([401, 'Authentication required'])
    const all = await minted({ permissions: ['plans:*', 'features:*', 'subscriptions:*', 'licenses:manage'] })
    const token = await call(method, path, { as: all.secret })
    expect(token.status).toBe(403)
    expect(token.body.message).toBe('This endpoint is not available to machine tokens. Use a staff session.')
    for (const role of ['SUPPORT', 'BILLING', 'RELEASE'] as const) {
      const reply = await call(method, path, { as: await service.staff(role) })
      expect([reply.status, reply.body.message]).toEqual([403, `Missing permission ${permission}`])
    }
    const auditor = await call(method, path, { as: await service.staff('AUDITOR') })
    expect(auditor.status === 403).toBe(permission === 'settings:manage')
  })
})

describe('GET', () => {
  test('404 for an unknown id and for what is no id, alike', async () => {
    const [unknown, other] = [await asStaff('GET', `${PATH}/${UNKNOWN_ID}`), await asStaff('GET', `${PATH}/not-an-id`)]
    expect(unknown.status).toBe(404)
    expect(other.text).toBe(unknown.text)
  })

  test('lists by status, q, order and page; never a hash', async () => {
    const mark = `mark${Date.now()}`
    const active = (await minted({ name: `${mark} Älpha` })).token
    const revoked = (await minted({ name: `${mark} beta` })).token
    await asStaff('POST', `${PATH}/${revoked.id}/revoke`)
    const expired = await mintedPast({ name: `${mark} gamma`, expiresAt: inDays(0, -1_000) })
    const listed = async (query: string) => (await asStaff('GET', `${PATH}?q=${mark}&${query}`)).body
    const ids = async (query: string) => (await listed(query)).items.map(({ id }: any) => id)
    expect(await ids('')).toEqual([expired.id, revoked.id, active.id])
    expect(await ids('sort=name')).toEqual([revoked.id, expired.id, active.id])
    expect(await ids('status=ACTIVE')).toEqual([active.id])
    expect(await ids('status=REVOKED')).toEqual([revoked.id])
    expect(await ids('status=EXPIRED')).toEqual([expired.id])
    expect(await listed('page=2&pageSize=2')).toMatchObject({ total: 3, page: 2, items: [{ id: active.id }] })
    const first = await listed('limit=2')
    expect((await listed(`limit=2&cursor=${first.nextCursor}`)).items).toMatchObject([{ id: active.id }])
    const byPrefix = await asStaff('GET', `${PATH}?q=${active.prefix}`)
    expect(byPrefix.body.items).toEqual([active])
    expect((await asStaff('GET', `${PATH}?q=%25`)).body.items, 'no wildcard').toEqual([])
    expect((await asStaff('GET', `${PATH}?status=LIVE`)).status).toBe(400)
    expect((await asStaff('GET', `${PATH}?hash=x`)).status).toBe(400)
  })
})

describe('POST /revoke', () => {
  test('200, refused from the next request on; a repetition changes nothing', async () => {
    const { token, secret } = await minted()
    expect((await usedBy(secret)).status).toBe(200)
    await expect.poll(async () => (await asStaff('GET', `${PATH}/${token.id}`)).body.lastUsedAt).not.toBeNull()
    const reply = await asStaff('POST', `${PATH}/${token.id.toUpperCase()}/revoke`)
    expect((await usedBy(secret)).status).toBe(401)
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({
      id: token.id,
      status: 'REVOKED',
      revokedBy: token.createdBy,
      lastUsedAt: expect.any(String),
    })
    const before = await head()
    expect((await asStaff('POST', `${PATH}/${token.id}/revoke`)).body).toEqual(reply.body)
    expect((await asStaff('GET', `${PATH}/${token.id}`)).body).toEqual(reply.body)
    expect(await head()).toBe(before)
  })

  test('50 at once are one revocation and 50 equal answers', async () => {
    const { token } = await minted()
    const before = await head()
    const all = await Promise.all(Array.from({ length: 50 }, () => asStaff('POST', `${PATH}/${token.id}/revoke`)))
    expect(new Set(all.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(all[0]!.body).toMatchObject({ status: 'REVOKED', revokedBy: token.createdBy })
    expect(await service.licensing.store.readAll(before, 10)).toHaveLength(1)
  })

  test('an expired token stays expired; an unknown one is 404', async () => {
    const { id } = await mintedPast({ expiresAt: inDays(0, -1_000) })
    const reply = await asStaff('POST', `${PATH}/${id}/revoke`)
    expect([reply.status, reply.body.status, reply.body.revokedAt]).toEqual([200, 'EXPIRED', null])
    expect((await asStaff('POST', `${PATH}/${UNKNOWN_ID}/revoke`)).status).toBe(404)
    expect((await asStaff('POST', `${PATH}/${id}/revoke`, { reason: 'x' })).status).toBe(400)
  })

  test('holds on the very next request: 0 stale of 40', async () => {
    const codes = new Set<string>()
    for (let round = 0; round < 40; round++) {
      const { id, secret } = await mintedPast({ grants: ['plans:view'] })
      const before = await usedBy(secret)
      const revoked = await asStaff('POST', `${PATH}/${id}/revoke`)
      const after = await usedBy(secret)
      codes.add([before, revoked, after].map(({ status }) => status).join(' '))
    }
    expect([...codes]).toEqual(['200 200 401'])
  })
})

test('while the read model stands still a mint is answered, a revocation is not; its repetition is, later', async () => {
  const { token, secret } = await minted()
  const blocker = await service.superuser.connect()
  const revoke = () => asStaff('POST', `${PATH}/${token.id}/revoke`)
  try {
    await blocker.query('BEGIN')
    await blocker.query('LOCK TABLE read.machine_tokens IN EXCLUSIVE MODE')
    const late = await mint()
    expect([late.status, late.headers.get('projection-lag')]).toEqual([201, '1'])
    expect((await usedBy(late.body.secret)).status, 'not known yet: fails closed').toBe(401)
    const [recorded, askedMs] = [await head(), performance.now()]
    const first = revoke()
    await expect.poll(head).toBeGreaterThan(recorded)
    const [repeated, unseen] = [revoke(), asStaff('POST', `${PATH}/${late.body.token.id}/revoke`)]
    for (const refused of await Promise.all([first, repeated, unseen])) {
      expect([refused.status, refused.headers.get('error-code')]).toEqual([503, 'NOT_YET_IN_EFFECT'])
      expect(refused.headers.get('retry-after')).toBe('1')
    }
    expect(performance.now() - askedMs, 'each waits once').toBeLessThan(9_000)
  } finally {
    await blocker.query('ROLLBACK')
    blocker.release()
  }
  await service.licensing.projector.catchUp()
  expect((await usedBy(secret)).status).toBe(401)
  const { status, body } = await revoke()
  expect([status, body.status]).toEqual([200, 'REVOKED'])
}, 60_000)

describe('POST /rotate', () => {
  test('201: a successor like it; the old secret ends at once', async () => {
    const old = await minted({ permissions: ['plans:*'], expiresAt: inDays(10) })
    const reply = await asStaff('POST', `${PATH}/${old.token.id}/rotate`)
    expect(reply.status, reply.text).toBe(201)
    const { token, secret } = reply.body
    const { name, permissions, allowedIps } = old.token
    expect(token).toMatchObject({ name, permissions, allowedIps, status: 'ACTIVE' })
    const life = (each: any) => Date.parse(each.expiresAt) - Date.parse(each.createdAt)
    expect(life(token)).toBe(life(old.token))
    expect((await usedBy(old.secret)).status).toBe(401)
    expect((await usedBy(secret)).status).toBe(200)
    expect((await asStaff('GET', `${PATH}/${old.token.id}`)).body.status).toBe('REVOKED')
    // The token's use may have been recorded by now.
    const { lastUsedAt: _at, lastUsedIp: _ip, ...same } = token
    expect((await asStaff('GET', `${PATH}/${token.id}`)).body).toMatchObject(same)
  })

  test('with overlap both work for a while; only the successor can be rotated again', async () => {
    const old = await minted()
    const reply = await asStaff('POST', `${PATH}/${old.token.id}/rotate`, { overlapMinutes: 1_440 })
    expect((await usedBy(old.secret)).status).toBe(200)
    expect((await usedBy(reply.body.secret)).status).toBe(200)
    const shown = (await asStaff('GET', `${PATH}/${old.token.id}`)).body
    expect(shown.status).toBe('ACTIVE')
    expect(Date.parse(shown.expiresAt) - Date.parse(reply.body.token.createdAt)).toBe(DAY_MS)
    const again = await asStaff('POST', `${PATH}/${old.token.id}/rotate`)
    expect([again.status, again.body.message]).toEqual([
      409,
      `This machine token was already rotated to ${reply.body.token.id}: rotate that one`,
    ])
    expect((await asStaff('POST', `${PATH}/${reply.body.token.id}/rotate`)).status).toBe(201)
  })

  test('404 for an unknown token, 409 for a dead one, 400 for another overlap', async () => {
    expect((await asStaff('POST', `${PATH}/${UNKNOWN_ID}/rotate`)).status).toBe(404)
    const { token } = await minted()
    for (const overlapMinutes of [-1, 1_441, 0.5, '5', null])
      expect((await asStaff('POST', `${PATH}/${token.id}/rotate`, { overlapMinutes })).status).toBe(400)
    await asStaff('POST', `${PATH}/${token.id}/revoke`)
    const expired = await mintedPast({ grants: ['plans:view'], expiresAt: inDays(0, -1_000) })
    for (const id of [token.id, expired.id]) {
      const reply = await asStaff('POST', `${PATH}/${id}/rotate`)
      expect([reply.status, reply.body.message]).toEqual([409, 'Only a live machine token can be rotated'])
    }
  })
})

describe('what a token opens', () => {
  const newPlan = () => ({ slug: `plan-${crypto.randomUUID().slice(0, 8)}`, name: 'Plan' })
  const create = (as: string) => call('POST', '/api/admin/plans', { as, body: newPlan() })

  test('opened routes within its permissions', async () => {
    const { secret } = await minted({ permissions: ['plans:view'] })
    expect((await usedBy(secret)).status).toBe(200)
    const refused = await create(secret)
    expect([refused.status, refused.body.message]).toEqual([403, 'Missing permission plans:manage'])
    expect(refused.headers.get('error-code')).toBe('PERMISSION_MISSING')
  })

  test('a family opens its members, and those of no other', async () => {
    expect((await create((await minted({ permissions: ['plans:*'] })).secret)).status).toBe(201)
    const other = await create((await minted({ permissions: ['features:*', 'subscriptions:*'] })).secret)
    expect(other.body.message).toBe('Missing permission plans:manage')
  })

  test('a family opens the members known at mint, not those that came later', async () => {
    const { secret } = await mintedPast({ permissions: ['plans:*'], grants: ['plans:view'] })
    expect((await usedBy(secret)).status).toBe(200)
    expect((await create(secret)).body.message).toBe('Missing permission plans:manage')
  })

  test('what it does is done in its name', async () => {
    const { token, secret } = await minted({ permissions: ['plans:manage'] })
    const { body: plan } = await create(secret)
    const made = await service.licensing.store.readStream(`plan-${plan.id}`)
    expect(made.map(({ metadata }) => metadata['actor'])).toEqual([{ type: 'TOKEN', id: token.id }])
  })
})

describe('the ban list, at three points', () => {
  const Held = z.object({ held: z.boolean() })
  const opened = BANNED_FOR_TOKENS.map((permission) =>
    route(`GET /api/admin/banned/${permission.replace(':', '-')}`, {
      does: 'Opened to machine tokens by mistake.',
      access: staffOrToken(permission),
      reply: Held,
      handle: async () => ({ held: true }),
    }),
  )
  const pool = servicePool(service.database.url, { role: 'daybook_service' })
  const { vault, clock, commands, projector } = service.licensing
  const { baseUrl } = service.settings
  const uses = {
    tokens: tokenUses({ pool, vault }),
    sessions: sessionUseRecorder({ pool, table: 'staff_session_use' }),
  }
  const read = kyselyFor(pool)
  const whole = authenticate({ read, vault, baseUrl, uses })
  const all = [...BANNED_FOR_TOKENS, 'settings:*', 'staff:*', 'payments:*', 'plans:view']

  /** A caller with the recorded permissions, unfiltered. */
  async function unresolved(caller: Caller): Promise<Caller> {
    const token = await machineTokenTable
      .queryIn(read)
      .selectAll()
      .where('id', '=', caller.actor.id)
      .executeTakeFirstOrThrow()
    return { ...caller, can: (permission) => token.grants.includes(permission) }
  }
  const ungated = async ({ permissionBan: _, ...caller }: Caller): Promise<Caller> => caller

  /** Builds in which checks are missing. A token written without the mint has also bypassed the first one. */
  const builds: Record<string, (caller: Caller) => Promise<Caller>> = {
    'every check': async (caller) => caller,
    'no check at resolution': unresolved,
    'no check at the gate': ungated,
    'the check at mint alone': async (caller) => ungated(await unresolved(caller)),
  }
  const servers: HttpServer[] = []
  const urls: Record<string, string> = {}

  beforeAll(async () => {
    for (const [name, without] of Object.entries(builds)) {
      const server = httpServer({
        routes: opened,
        authenticate: async (arrival) => {
          const caller = await whole(arrival)
          return caller?.kind === 'token' ? without(caller) : caller
        },
        commands,
        read,
        telemetry: pool,
        vault,
        clock,
        baseUrl,
        trustedProxies: parseTrustedProxies(undefined),
        waitUntilCaughtUp: projector.waitUntilCaughtUp,
        logger: logger({ level: 'silent' }),
      })
      servers.push(server)
      urls[name] = `http://127.0.0.1:${(await server.listen(0, '127.0.0.1')).port}`
    }
  })
  afterAll(async () => {
    for (const server of servers) await server.close(1_000)
    await Promise.all([uses.tokens.close(), uses.sessions.close()])
    await pool.end()
  })

  const asked = async (build: string, path: string, as: string) => {
    const reply = await fetch(urls[build] + path, { headers: { authorization: `Bearer ${as}` } })
    return [reply.status, ((await reply.json()) as any).message]
  }
  const never = (permission = '') => [403, `Machine tokens may never hold ${permission}`]
  const missing = (permission = '') => [403, `Missing permission ${permission}`]

  test.each(opened)(
    '$line, opened to tokens, refuses each that was written past the mint',
    async ({ path, access }) => {
      const { secret } = await mintedPast({ permissions: all, grants: all })
      expect(await asked('every check', path, secret)).toEqual(never(access.permission))
      expect(await asked('no check at resolution', path, secret)).toEqual(never(access.permission))
      expect(await asked('no check at the gate', path, secret)).toEqual(missing(access.permission))
      const teeth = await asked('the check at mint alone', path, secret)
      expect(teeth[0], 'without any check it would be let in').toBe(200)
      expect((await asked('every check', path, await service.staff()))[0], 'staff may').toBe(200)
    },
  )

  test('the mint alone refuses them too', async () => {
    const { token, secret } = await minted({ permissions: all })
    expect(token.permissions).toEqual(['plans:view'])
    for (const { path, access } of opened)
      expect(await asked('the check at mint alone', path, secret)).toEqual(missing(access.permission))
  })
})

describe('from where', () => {
  const rows: [string[], string | undefined, boolean][] = [
    [[], undefined, true],
    [[], '203.0.113.7', true],
    [['203.0.113.7'], '203.0.113.7', true],
    [['203.0.113.7'], '::ffff:203.0.113.7', true],
    [['203.0.113.7'], '203.0.113.8', false],
    [['203.0.113.7'], undefined, false],
    [['203.0.113.7'], '', false],
    [['203.0.113.7'], 'nonsense', false],
    [['203.0.113.7'], '203.0.113.7:80', false],
    [['203.0.113.7'], '203.0.113.7, 198.51.100.1', false],
    [['203.0.113.7'], '198.51.100.1, 203.0.113.7', true],
    [['203.0.113.7'], '203.0.113.7, 127.0.0.1', false],
    [['127.0.0.0/8'], undefined, false],
    [['10.0.0.0/8'], '10.255.255.255', true],
    [['10.0.0.0/8'], '11.0.0.0', false],
    [['10.0.0.0/8'], '2001:db8::1', false],
    [['2001:db8::/32'], '2001:db8:ffff::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['2001:db8::/32'], 'fe80::1%eth0', false],
    [['2001:db8::1', '10.0.0.0/8'], '2001:0DB8::0:1', true],
  ]
  test.each(rows)('%j, called from %s: %s', async (allowedIps, address, accepted) => {
    const { secret } = await minted({ allowedIps })
    const reply = await usedBy(secret, address === undefined ? undefined : from(address))
    expect(reply.status).toBe(accepted ? 200 : 401)
  })

  test('no other header names the source', async () => {
    const { secret } = await minted({ allowedIps: ['203.0.113.7'] })
    const others = { forwarded: 'for=203.0.113.7', 'x-real-ip': '203.0.113.7', 'cf-connecting-ip': '203.0.113.7' }
    expect((await usedBy(secret, others)).status).toBe(401)
    expect((await usedBy(secret, { ...others, ...from('198.51.100.1') })).status).toBe(401)
  })
})

describe('what is not accepted', () => {
  const seen = ({ status, text, headers }: Reply) => {
    const own = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
    return JSON.stringify([status, text, own])
  }

  test('401, one answer for every cause', async () => {
    const revoked = await minted()
    await asStaff('POST', `${PATH}/${revoked.token.id}/revoke`)
    const expired = await mintedPast({ grants: ['plans:view'], expiresAt: inDays(0, -1) })
    const elsewhere = await minted({ allowedIps: ['203.0.113.7'] })
    const well = newSecret('m')
    const answers = [
      await usedBy(well),
      await usedBy(revoked.secret),
      await usedBy(expired.secret),
      await usedBy(elsewhere.secret, from('198.51.100.1')),
      await usedBy(elsewhere.secret),
      await usedBy(`${well.slice(0, -1)}${well.endsWith('0') ? '1' : '0'}`),
      await usedBy(newSecret('k')),
      await usedBy('x'),
      await call('GET', '/api/admin/plans', { headers: { authorization: 'Basic eDp5' } }),
      await call('GET', '/api/admin/plans', { headers: { authorization: 'Bearer' } }),
      await call('GET', '/api/admin/plans', { headers: { authorization: `Bearer ${well} ${well}` } }),
    ]
    expect(answers[0]!.status).toBe(401)
    expect(answers[0]!.body).toEqual({ statusCode: 401, message: 'Invalid or expired machine token' })
    expect(new Set(answers.map(seen)).size).toBe(1)
  })

  test('three dot-separated parts are a session', async () => {
    for (const jwt of ['a.b.c', '..', `${newSecret('m')}.x.y`]) {
      const reply = await usedBy(jwt)
      expect([reply.status, reply.body.message]).toEqual([401, 'Invalid or expired session'])
    }
  })

  test('in any other place a token is no credential', async () => {
    const { secret } = await minted()
    expect((await call('GET', `/api/admin/plans?access_token=${secret}`)).status).toBe(401)
    expect((await call('GET', '/api/admin/plans', { headers: { 'x-api-key': secret } })).status).toBe(401)
    expect((await call('GET', '/api/admin/plans', { headers: { cookie: `token=${secret}` } })).status).toBe(401)
    const scheme = await call('GET', '/api/admin/plans', { headers: { authorization: `bEARER ${secret}` } })
    expect(scheme.status).toBe(200)
  })

  test('garbage asks no database', async () => {
    const forbidden = new Proxy({}, { get: () => expect.fail('asked the database') }) as never
    const arrival = { authorization: [], ip: undefined, now: new Date() }
    const typo = fc.tuple(fc.nat(49), fc.constantFrom('0', 'a', 'Z', '_')).map(([at, letter]) => {
      const secret = newSecret('m')
      return secret[at] === letter ? 'x' : secret.slice(0, at) + letter + secret.slice(at + 1)
    })
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), typo), async (garbage) => {
        const asked = tokenCaller(garbage, arrival, { read: forbidden, uses: forbidden })
        await expect(asked).rejects.toThrow('Invalid or expired machine token')
      }),
      { numRuns: 2_000 },
    )
  })
})

async function lastUse(id: string): Promise<{ lastUsedAt: string | null; lastUsedIp: string | null }> {
  const { lastUsedAt, lastUsedIp } = (await asStaff('GET', `${PATH}/${id}`)).body
  return { lastUsedAt, lastUsedIp }
}

/** Uses are stored in the order of the calls. When the last use of a new token is shown, all uses before it are stored. */
async function allUsesStored({ token, secret }: { token: any; secret: string }): Promise<void> {
  expect((await usedBy(secret)).status).toBe(200)
  await expect.poll(async () => (await lastUse(token.id)).lastUsedAt, { interval: 20 }).not.toBeNull()
}

describe('last use', () => {
  const NEVER = { lastUsedAt: null, lastUsedIp: null }

  test('is shown within a second, at most once a minute, in the list too', { retry: 2 }, async () => {
    const { token, secret } = await minted()
    const before = Date.now()
    await usedBy(secret, from('198.51.100.77'))
    await usedBy(secret, from('198.51.100.78'))
    const within = { timeout: 1_000 - (Date.now() - before), interval: 20 }
    await expect.poll(async () => (await lastUse(token.id)).lastUsedIp, within).toBe('198.51.100.77')
    const use = await lastUse(token.id)
    expect(Math.abs(Date.parse(use.lastUsedAt!) - before)).toBeLessThan(1_000)
    await usedBy(secret, from('198.51.100.79'))
    await allUsesStored(await minted())
    expect(await lastUse(token.id)).toEqual(use)
    const listed = await asStaff('GET', `${PATH}?q=${token.prefix}`)
    expect(listed.body.items).toMatchObject([use])
    await service.rebuiltEqualsLive()
    expect(await lastUse(token.id), 'survives a rebuild').toEqual(use)
    expect(await service.dump()).not.toContain('198.51.100.7')
  })

  test('only of accepted calls', async () => {
    const { token, secret } = await minted({ allowedIps: ['203.0.113.7'] })
    const statuses = [
      await usedBy(secret, from('198.51.100.1')),
      await call('GET', PATH, { as: secret, headers: from('203.0.113.7') }),
      await call('POST', '/api/admin/plans', { as: secret, headers: from('203.0.113.7'), body: {} }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([401, 403, 403])
    await allUsesStored(await minted())
    expect(await lastUse(token.id)).toEqual(NEVER)
  })

  test('is no event', async () => {
    const [{ secret }, other] = [await minted(), await minted()]
    const before = await head()
    await usedBy(secret)
    await allUsesStored(other)
    expect(await head()).toBe(before)
  })
})

test('a secret is nowhere but in its own answer', async () => {
  const { token, secret } = await minted()
  await usedBy(secret)
  const rotated = (await asStaff('POST', `${PATH}/${token.id}/rotate`)).body.secret
  await usedBy(secret)
  await call('GET', '/api/admin/plans', { as: rotated, headers: { 'x-request-id': rotated } })
  await allUsesStored(await minted())
  const dump = await service.dump()
  for (const canary of [secret, rotated]) {
    expect(dump).toContain(hashSecret(canary))
    expect(dump).toContain(canary.slice(0, 12))
    for (const place of [dump, service.logs()]) {
      expect(place).not.toContain(canary)
      expect(place).not.toContain(canary.slice(12, -6))
    }
  }
  const { rows } = await service.superuser.query(
    'SELECT action, details::text FROM read.audit_trail WHERE subject_id = $1 ORDER BY position',
    [token.id],
  )
  expect(rows.map(({ action }) => action)).toEqual(['machine_token.minted', 'machine_token.revoked'])
  expect(JSON.stringify(rows)).not.toContain(hashSecret(secret))
  expect(service.logs().length).toBeGreaterThan(1_000)
})

test('what is remembered of all this is what the events say', () => service.rebuiltEqualsLive())
