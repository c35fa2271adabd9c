/** API keys over HTTP: minting, showing, using, revoking (seed, "API key"). */
import { describe, expect, test } from 'vitest'
import { newSecret } from '#kernel/credentials/secret-token'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { ERASED } from '#kernel/vault/vault'
import { userEvents } from '#panel/users/events'
import {
  apiKeyFixture,
  MANAGE,
  mintWithoutRules,
  stableReply,
  UNKNOWN_ID,
  VIEW,
} from '../../support/panel/api-key-fixture.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const ADMIN_KEYS = '/api/admin/api-keys'
const NO_KEY = 'Invalid or expired API key'
const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

const panel = await startPanel({ trustedProxies: parseTrustedProxies('127.0.0.1') })
await panel.licensed()
const floor = projectFixture(panel)
const { mint, minted, revoke, remove, list, use } = apiKeyFixture(panel)

const from = (ip: string) => ({ 'x-forwarded-for': ip })

async function suspend(userId: string): Promise<void> {
  const suspended = userEvents.UserStatusChanged({ userId, status: 'SUSPENDED' })
  await panel.run(async (unit) => unit.appendEvent(userEvents, userId, suspended))
  await panel.panel.projector.catchUp()
}

describe('mint', () => {
  test('answers id, prefix and scopes, and the secret this once', async () => {
    const user = await panel.somebody()
    const { status, body } = await mint(user, {
      scopes: [VIEW, 'nonsense', 'x'.repeat(10_000), ...Array(200).fill('more')],
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      key: { id: body.key.id, prefix: body.secret.slice(0, 12), scopes: [VIEW] },
      secret: body.secret,
    })
    expect(body.secret).toMatch(/^dbk_[0-9A-Za-z]{46}$/)
    const [listed] = await list(user)
    expect(listed).toEqual({
      ...body.key,
      name: 'CI',
      kind: 'PERSONAL',
      ownerId: user.id,
      projectIds: null,
      allowedIps: [],
      expiresAt: null,
      status: 'ACTIVE',
      createdAt: listed.createdAt,
      mintedBy: user.id,
      lastUsedAt: null,
      lastUsedIp: null,
      revokedAt: null,
      revokedBy: null,
    })
  })

  test.each([
    ['no scope that there is', { scopes: ['nonsense', 'projects:view'] }],
    ['no scope', { scopes: [] }],
    ['scopes left out', { scopes: undefined }],
    ['no project', { projectIds: [] }],
    ['projects that are null', { projectIds: null }],
    ['a project that is no id', { projectIds: ['x'] }],
    ['a name too long', { name: 'x'.repeat(101) }],
    ['a name of blanks', { name: '   ' }],
    ['an expiry in the past', { expiresAt: inDays(-1) }],
    ['an expiry 365 days ahead', { expiresAt: inDays(365.01) }],
    ['an expiry without a zone', { expiresAt: '2026-12-01T00:00:00' }],
    ['an address that is none', { allowedIps: ['10/8'] }],
    ['every address', { allowedIps: ['0.0.0.0/0'] }],
    ['every address in two rules', { allowedIps: ['0.0.0.0/1', '128.0.0.0/1'] }],
    ['a kind that there is not', { kind: 'ROBOT' }],
    ['an unknown field', { hash: 'mine' }],
    ['an owner of a MACHINE key', { kind: 'MACHINE', ownerId: UNKNOWN_ID }],
  ])('refuses %s', async (_what, more) => {
    const root = await panel.somebody('SUPERADMIN')
    expect((await mint(root, more)).status).toBe(400)
    expect(await list(root)).toEqual([])
  })

  test('takes a name of 100 characters and an expiry short of 365 days', async () => {
    const user = await panel.somebody()
    await minted(user, {
      name: 'x'.repeat(100),
      expiresAt: inDays(364.9),
      allowedIps: ['::ffff:192.0.2.7', '2001:db8::/32'],
    })
    expect(await list(user)).toMatchObject([
      { name: 'x'.repeat(100), allowedIps: ['192.0.2.7', '2001:db8::/32'], status: 'ACTIVE' },
    ])
  })

  test('answers projects that the owner does not see like unknown ones', async () => {
    const [user, other] = [await panel.somebody(), await panel.somebody()]
    const [own, foreign] = [await floor.project(user), await floor.project(other)]
    const unknown = await mint(user, { projectIds: [own, UNKNOWN_ID] })
    expect(unknown.status).toBe(400)
    expect(stableReply(await mint(user, { projectIds: [own, foreign] }))).toEqual(stableReply(unknown))
    await minted(user, { projectIds: [own, own] })
    expect(await list(user)).toMatchObject([{ projectIds: [own] }])
  })

  test.each(['USER', 'ADMIN'] as const)('MACHINE keys and keys of others are not for a %s', async (role) => {
    const [user, other] = [await panel.somebody(role, role === 'ADMIN' ? ['users:manage'] : []), await panel.somebody()]
    for (const more of [{ kind: 'MACHINE' }, { ownerId: other.id }, { ownerId: UNKNOWN_ID }])
      expect(refusalIn(await mint(user, more))).toEqual([403, 'ROLE_MISSING'])
    expect(await list(other)).toEqual([])
  })

  test('a key for another is his: in his list, and named in the audit with minter and owner', async () => {
    const [root, user] = [await panel.somebody('SUPERADMIN'), await panel.somebody()]
    const { id, secret } = await minted(root, { ownerId: user.id })
    expect(await list(root)).toEqual([])
    expect(await list(user)).toMatchObject([{ id, ownerId: user.id, mintedBy: root.id }])
    const { rows } = await panel.superuser.query(
      `SELECT actor_id, ids, sentence FROM read.audit_trail WHERE subject_id = $1`,
      [id],
    )
    expect(rows).toEqual([
      {
        actor_id: root.id,
        ids: expect.arrayContaining([id, user.id]),
        sentence: `minted API key ${id} (${secret.slice(0, 12)}) of ${user.id}`,
      },
    ])
  })

  test('an owner has to exist and to be active', async () => {
    const root = await panel.somebody('SUPERADMIN')
    const { id } = await panel.account('USER', 'SUSPENDED')
    expect(refusalIn(await mint(root, { ownerId: UNKNOWN_ID }))).toEqual([400, 'OWNER_UNKNOWN'])
    expect(refusalIn(await mint(root, { ownerId: id }))).toEqual([409, 'NOT_ACTIVE'])
  })

  test('projectIds are judged by what the owner sees, not by what the minter sees', async () => {
    const [root, user] = [await panel.somebody('SUPERADMIN'), await panel.somebody()]
    const [rooted, own] = [await floor.project(root), await floor.project(user)]
    expect(refusalIn(await mint(root, { ownerId: user.id, projectIds: [rooted] }))).toEqual([400, 'PROJECT_UNKNOWN'])
    await minted(root, { ownerId: user.id, projectIds: [own] })
    await minted(root, { kind: 'MACHINE', projectIds: [rooted, own] })
    expect(refusalIn(await mint(root, { kind: 'MACHINE', projectIds: [UNKNOWN_ID] }))).toEqual([400, 'PROJECT_UNKNOWN'])
  })
})

test('scopes are those that registered routes ask for', async () => {
  const { as } = await panel.somebody()
  const { body } = await panel.call('GET', '/api/api-keys/scopes', { as })
  expect(body).toEqual([
    { scope: MANAGE, routes: ['POST /api/projects', 'PATCH /api/projects/:id'] },
    {
      scope: VIEW,
      routes: [
        'GET /api/projects',
        'GET /api/projects/rbac-catalog',
        'GET /api/projects/:id',
        'GET /api/projects/:id/usage',
        'GET /api/projects/:id/members',
        'GET /api/projects/:id/roles',
        'GET /api/projects/:id/usage/history',
        'GET /api/projects/:id/mesh',
      ],
    },
    { scope: 'project:apps:create', routes: ['POST /api/applications', 'PATCH /api/applications/:id'] },
    { scope: 'project:apps:delete', routes: ['DELETE /api/applications/:id'] },
    {
      scope: 'project:apps:deploy',
      routes: ['POST /api/applications/:id/redeploy', 'POST /api/applications/:id/rollback', 'POST /api/deployments'],
    },
    { scope: 'project:apps:env', routes: ['GET /api/applications/:id/env', 'PATCH /api/applications/:id/env'] },
    { scope: 'project:apps:logs', routes: ['GET /api/applications/:id/logs'] },
    {
      scope: 'project:apps:restart',
      routes: [
        'POST /api/applications/:id/restart',
        'POST /api/applications/:id/start',
        'POST /api/applications/:id/stop',
      ],
    },
    { scope: 'project:apps:view', routes: ['GET /api/applications', 'GET /api/applications/:id'] },
    { scope: 'project:deployments:view', routes: ['GET /api/deployments', 'GET /api/deployments/:id'] },
  ])
})

describe('revoke and delete', () => {
  test('a revoked key stays in the list and stops on the very next request', async () => {
    const user = await panel.somebody()
    const { id, secret } = await minted(user)
    expect((await use(secret)).status).toBe(200)
    expect(ok(await revoke(user, id))).toMatchObject({ id, status: 'REVOKED', revokedBy: user.id })
    expect((await use(secret)).status).toBe(401)
    // The use is stored up to a second after its request, and shown in every later answer.
    await expect.poll(async () => (await list(user))[0].lastUsedAt, { timeout: 20_000 }).not.toBeNull()
    const [first] = await list(user)
    expect(ok(await revoke(user, id))).toEqual(first)
  })

  test('a deleted key is in no list any more; the audit log keeps it', async () => {
    const user = await panel.somebody()
    const { id, secret } = await minted(user)
    expect((await remove(user, id)).status).toBe(204)
    expect(await list(user)).toEqual([])
    expect((await use(secret)).status).toBe(401)
    for (const again of [await revoke(user, id), await remove(user, id)]) expect(again.status).toBe(404)
    const { rows } = await panel.superuser.query(
      `SELECT action FROM read.audit_trail WHERE subject_id = $1 ORDER BY position`,
      [id],
    )
    expect(rows.map(({ action }) => action)).toEqual(['api_key.minted', 'api_key.deleted'])
  })

  test('a key of somebody else is like an unknown one, and stays', async () => {
    const [user, root] = [await panel.somebody(), await panel.somebody('SUPERADMIN')]
    const { id, secret } = await minted(user)
    for (const act of [revoke, remove]) {
      const unknown = await act(root, UNKNOWN_ID)
      expect(unknown.status).toBe(404)
      expect(stableReply(await act(root, id))).toEqual(stableReply(unknown))
    }
    expect((await use(secret)).status).toBe(200)
  })

  test('whoever manages users revokes and deletes anyone’s, a SUPERADMIN’s and MACHINE keys among them', async () => {
    const [root, admin] = [
      await panel.somebody('SUPERADMIN'),
      await panel.somebody('ADMIN', ['users:manage', 'users:view']),
    ]
    for (const kind of ['PERSONAL', 'MACHINE']) {
      const { id, secret } = await minted(root, { kind })
      expect(ok(await revoke(admin, id, ADMIN_KEYS))).toMatchObject({
        id,
        kind,
        status: 'REVOKED',
        revokedBy: admin.id,
      })
      expect((await use(secret)).status).toBe(401)
      expect((await remove(admin, id, ADMIN_KEYS)).status).toBe(204)
      const { rows } = await panel.superuser.query(
        `SELECT sentence FROM read.audit_trail WHERE subject_id = $1 AND actor_id = $2 ORDER BY position`,
        [id, admin.id],
      )
      const named =
        kind === 'MACHINE'
          ? /^\w+ MACHINE key [\w-]+ \(dbk_\w{8}\)$/
          : new RegExp(`key ${id} \\(dbk_\\w{8}\\) of ${root.id}$`)
      expect(rows).toHaveLength(2)
      for (const { sentence } of rows) expect(sentence).toMatch(named)
    }
    for (const act of [revoke, remove]) expect((await act(admin, UNKNOWN_ID, ADMIN_KEYS)).status).toBe(404)
  })
})

test('administrators list all keys, or those of one account', async () => {
  const [root, user] = [await panel.somebody('SUPERADMIN'), await panel.somebody()]
  const [own, machine] = [await minted(user), await minted(root, { kind: 'MACHINE' })]
  expect(await list(root, `${ADMIN_KEYS}?userId=${user.id}`)).toMatchObject([{ id: own.id, kind: 'PERSONAL' }])
  const all = await list(root, ADMIN_KEYS)
  expect(all.slice(0, 2)).toMatchObject([{ id: machine.id, kind: 'MACHINE', ownerId: null }, { id: own.id }])
  expect(await list(root)).toEqual([])
  const page = ok(await panel.call('GET', `${ADMIN_KEYS}?page=2&pageSize=1`, { as: root.as }))
  expect(page).toMatchObject({ items: [{ id: own.id }], page: 2, pageSize: 1, total: all.length })
})

describe('a key that is not good (any more) is refused like an unknown one', () => {
  test.each<[string, () => Promise<{ secret: string; headers?: Record<string, string> }>]>([
    ['misspelled', async () => ({ secret: `${newSecret('k').slice(0, -1)}_` })],
    [
      'with a wrong checksum',
      async () => ({ secret: newSecret('k').replace(/.$/, (last) => (last === '0' ? '1' : '0')) }),
    ],
    ['the prefix alone', async () => ({ secret: 'dbk_' })],
    ['revoked', async () => spoiled(revoke)],
    ['deleted', async () => spoiled(remove)],
    ['expired', expired],
    ['from elsewhere', async () => ({ ...(await listedKey()), headers: from('192.0.2.8') })],
    ['from nobody knows where', async () => ({ ...(await listedKey()), headers: from('unknown') })],
    ['from an address of the other family', async () => ({ ...(await listedKey()), headers: from('2001:db8::1') })],
    ['of somebody suspended', async () => withOwner(suspend)],
    ['of somebody erased', erasedOwner],
  ])('%s', async (_what, make) => {
    const { secret, headers = from('192.0.2.7') } = await make()
    const unknown = await use(newSecret('k'), headers)
    expect(unknown.status).toBe(401)
    expect(unknown.body).toEqual({ statusCode: 401, message: NO_KEY })
    expect(stableReply(await use(secret, headers))).toEqual(stableReply(unknown))
  })

  async function spoiled(act: typeof revoke) {
    const user = await panel.somebody()
    const key = await minted(user)
    await act(user, key.id)
    return key
  }

  async function expired() {
    const { id } = await panel.somebody()
    const key = await mintWithoutRules(panel, id, { expiresAt: panel.panel.clock.now().toISOString() })
    return key
  }

  async function listedKey() {
    const key = await minted(await panel.somebody(), { allowedIps: ['192.0.2.7'] })
    expect((await use(key.secret, from('192.0.2.7'))).status).toBe(200)
    return key
  }

  async function withOwner(act: (userId: string) => Promise<unknown>) {
    const user = await panel.somebody()
    const key = await minted(user)
    expect((await use(key.secret)).status).toBe(200)
    await act(user.id)
    return key
  }

  async function erasedOwner() {
    const root = await panel.somebody('SUPERADMIN')
    return withOwner((id) => panel.call('DELETE', `/api/users/${id}`, { as: root.as }))
  }
})

test('with its owner a key comes back from a suspension', async () => {
  const [root, user] = [await panel.somebody('SUPERADMIN'), await panel.somebody()]
  const { secret } = await minted(user)
  const setStatus = (status: string) => panel.call('PATCH', `/api/users/${user.id}`, { as: root.as, body: { status } })
  ok(await setStatus('SUSPENDED'))
  expect((await use(secret)).status).toBe(401)
  ok(await setStatus('ACTIVE'))
  expect((await use(secret)).status).toBe(200)
})

test('erasing an account revokes its keys in the same append and leaves no name of them', async () => {
  const [root, user] = [await panel.somebody('SUPERADMIN'), await panel.somebody()]
  const { id, secret } = await minted(user, { name: 'Ada’s laptop' })
  await use(secret, from('192.0.2.77'))
  await expect.poll(async () => (await list(user))[0].lastUsedIp, { timeout: 20_000 }).toBe('192.0.2.77')
  expect((await panel.call('DELETE', `/api/users/${user.id}`, { as: root.as })).status).toBe(204)
  expect(await list(root, `${ADMIN_KEYS}?userId=${user.id}`)).toMatchObject([
    { id, name: ERASED, status: 'REVOKED', lastUsedIp: ERASED },
  ])
  const events = await panel.history()
  const [erased, revoked] = ['UserErased', 'ApiKeyRevoked'].map((type) =>
    events.find((each) => each.type === type && JSON.stringify(each.data).includes(user.id)),
  )
  expect(revoked?.metadata['requestId']).toBe(erased?.metadata['requestId'])
})

test('every entry of the audit log calls a key by its name: what it did, and what was done to it, its end included', async () => {
  const [root, user] = [await panel.somebody('SUPERADMIN'), await panel.somebody()]
  const { id, secret } = await minted(user, { name: 'Deploys' })
  ok(await panel.call('POST', '/api/projects', { as: secret, body: { name: 'By a key' } }), 201)
  await revoke(root, id, ADMIN_KEYS)
  await remove(root, id, ADMIN_KEYS)
  await panel.panel.projector.catchUp()
  const logs = async (query: string) =>
    (await panel.call('GET', `/api/admin/audit-logs?${query}`, { as: root.as })).body
  const about: any[] = await logs(`subject=${id}`)
  expect(about.map(({ action }) => action)).toEqual(['api_key.deleted', 'api_key.revoked', 'api_key.minted'])
  expect(about.map(({ subject }) => subject)).toEqual(about.map(() => ({ type: 'apiKey', id, label: 'Deploys' })))
  const done: any[] = await logs(`actor=${id}`)
  expect(done.length).toBeGreaterThan(0)
  expect(new Set(done.map(({ actor }) => actor.label))).toEqual(new Set(['Deploys']))
})

test('last use is shown, to whoever may list it, with its address; it is stored sealed', async () => {
  const user = await panel.somebody()
  const { secret } = await minted(user)
  await use(secret, from('192.0.2.91'))
  await expect.poll(async () => (await list(user))[0].lastUsedIp, { timeout: 20_000 }).toBe('192.0.2.91')
  expect((await list(user))[0].lastUsedAt).toMatch(/^20/)
  expect(await panel.dump()).not.toContain('192.0.2.91')
})

test('only accepted calls count as a use', async () => {
  const user = await panel.somebody()
  const { secret } = await minted(user, { scopes: [VIEW], allowedIps: ['192.0.2.1'] })
  await panel.call('POST', '/api/projects', { as: secret, headers: from('192.0.2.1'), body: { name: 'x' } })
  await use(secret, from('192.0.2.2'))
  const other = await minted(user)
  await use(other.secret, from('192.0.2.3'))
  await expect.poll(async () => (await list(user))[0].lastUsedIp, { timeout: 20_000 }).toBe('192.0.2.3')
  expect(await list(user)).toMatchObject([{ id: other.id }, { lastUsedAt: null, lastUsedIp: null }])
})

test('the secret is in no table, log line or answer but that of the mint', async () => {
  const user = await panel.somebody()
  const { id, secret } = await minted(user, { name: 'Canary of Ada' })
  const answers = [
    await use(secret),
    await panel.call('GET', '/api/api-keys', { as: user.as }),
    await panel.call('GET', '/api/api-keys', { as: secret }),
    await panel.call('POST', '/api/projects', { as: secret, body: { name: 'Canaries', colour: 'yellow' } }),
    await revoke(user, id),
    await use(secret),
  ]
  const everything = [await panel.dump(), panel.logs(), ...answers.map(({ text }) => text)].join('\n')
  expect(everything).not.toContain(secret)
  expect(everything).not.toContain(secret.slice(12))
  expect(await panel.dump()).not.toContain('Canary of Ada')
})
