/** Servers over HTTP: what is set, installed, reset and removed, and that the license’s number is exact. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashSecret } from '#kernel/credentials/secret-token'
import { tasks } from '#panel/agent/decider'
import { servers } from '#panel/servers/decider'
import { agentTokenOf, nextAgentTokenOf } from '#panel/workflows/servers'
import { ok, refusalIn } from '../../support/panel/project-fixture.ts'
import { BEAT, FACTS } from '../../support/panel/server-examples.ts'
import { serverFixture, tokenIn } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const { post, get, patch, remove, add, register, running, contact, place } = serverFixture(panel)
const root = await panel.somebody('SUPERADMIN')
const { vault } = panel.panel
const AT_ONCE = 100
const DAY_MS = 86_400_000
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'
const now = () => panel.panel.clock.now()
const read = async (id: string) => ok(await get(root, `/${id}`))
const agentOf = async (id: string) => (await panel.run((unit) => unit.look(servers, id)))!.agent!

test('a server is added, read, listed and changed', async () => {
  const body = {
    name: '  East  ',
    description: 'Rack 4\nof the basement',
    publicAddress: 'East.Example.test',
    allowedIps: ['192.0.2.0/24', '2001:DB8::/32'],
    labels: ['gpu', 'eu-west', 'gpu'],
  }
  const { server, installCommand, expiresAt } = ok(await post(root, '', body), 201)
  expect(server).toEqual({
    id: expect.any(String),
    kind: 'REMOTE',
    status: 'PENDING_INSTALL',
    name: 'East',
    description: 'Rack 4\nof the basement',
    publicAddress: 'east.example.test',
    allowedIps: ['192.0.2.0/24', '2001:db8::/32'],
    labels: ['gpu', 'eu-west'],
    meshPort: null,
    cordoned: false,
    isOpen: true,
    agent: null,
    engine: null,
    problem: null,
    capacity: null,
    createdAt: expect.any(String),
  })
  expect(Date.parse(expiresAt) - now().getTime()).toBeGreaterThan(DAY_MS - 60_000)
  expect(installCommand).toMatch(
    /^printf '%s\\n' 'dbi_\w{46}' \| node bin\/daybook\.mjs agent \/var\/lib\/daybook-agent 'http:\/\/panel\.test'$/,
  )
  expect(await read(server.id)).toEqual({ ...server, level: 'MANAGE' })
  expect(ok(await get(root, '?page=1&pageSize=100')).items).toContainEqual(server)
  const changes = { name: 'West', description: null, meshPort: 4_711, cordoned: true, labels: [] }
  const changed = { ...server, ...changes }
  expect(ok(await patch(root, `/${server.id}`, changes))).toEqual(changed)
  expect(await read(server.id)).toEqual({ ...changed, level: 'MANAGE' })
  expect(ok(await patch(root, `/${server.id}`, changes))).toEqual(changed)
})

test('a body with a bad field is refused', async () => {
  const { id } = await add(root)
  for (const more of [
    { name: '' },
    { name: 'x'.repeat(65) },
    { name: 'a\u202eb' },
    { publicAddress: 'not a host' },
    { publicAddress: '-host' },
    { publicAddress: 'http://host' },
    { publicAddress: '2001:db8::x' },
    { publicAddress: 'fe80:::1' },
    { allowedIps: ['10/8'] },
    { allowedIps: ['0.0.0.0/1', '128.0.0.0/1'] },
    { labels: ['Upper'] },
    { labels: Array.from({ length: 21 }, (_, nth) => `l${nth}`) },
    { kind: 'LOCAL' },
  ]) {
    expect((await post(root, '', { name: 'fine', ...more })).status, JSON.stringify(more)).toBe(400)
    expect((await patch(root, `/${id}`, more)).status, JSON.stringify(more)).toBe(400)
  }
  for (const body of [{}, { meshPort: 0 }, { meshPort: 65_536 }, { cordoned: 'yes' }])
    expect((await patch(root, `/${id}`, body)).status, JSON.stringify(body)).toBe(400)
})

test('a name is taken in every spelling of case, until its server has another one or is deleted', async () => {
  const { id } = await add(root, { name: 'Kiel' })
  const other = await add(root, { name: 'Bonn' })
  expect(refusalIn(await post(root, '', { name: 'KIEL' }))).toEqual([409, 'NAME_TAKEN'])
  expect(refusalIn(await patch(root, `/${other.id}`, { name: 'kiel' }))).toEqual([409, 'NAME_TAKEN'])
  ok(await patch(root, `/${id}`, { name: 'KIEL' }))
  ok(await patch(root, `/${id}`, { name: 'Ulm' }))
  ok(await patch(root, `/${other.id}`, { name: 'kiel' }))
  ok(await remove(root, `/${other.id}`), 204)
  ok(await patch(root, `/${id}`, { name: 'Kiel' }))
})

test('the install command is shown until it is used, each showing is recorded, and the token is stored nowhere', async () => {
  const { id, installToken } = await add(root)
  const before = await panel.panel.store.head()
  const { command } = ok(await get(root, `/${id}/install-command`))
  expect(tokenIn(command)).toBe(installToken)
  expect((await panel.history(before)).map(({ type }) => type)).toEqual(['ServerInstallCommandShown'])
  await register(installToken)
  expect(refusalIn(await get(root, `/${id}/install-command`))).toEqual([409, 'INSTALL_TOKEN_OVER'])
  const token = await agentTokenOf(vault, await agentOf(id))
  const dump = await panel.dump()
  expect(dump.includes(id)).toBe(true)
  expect([installToken, token].filter((secret) => dump.includes(secret))).toEqual([])
})

test('a new command voids the one before, and the present agent runs on until another registers', async () => {
  const { id, installToken } = await add(root)
  const { command } = ok(await post(root, `/${id}/regen-token`))
  await expect(register(installToken)).rejects.toMatchObject({ statusCode: 401 })
  const { token } = await register(tokenIn(command))
  const { command: next } = ok(await post(root, `/${id}/regen-token`))
  expect(hashSecret(token)).toBe((await agentOf(id)).tokenHash)
  const other = await register(tokenIn(next), { publicKey: 'another key' })
  expect(other.serverId).toBe(id)
  expect(hashSecret(other.token)).toBe((await agentOf(id)).tokenHash)
  expect(other.token).not.toBe(token)
})

test('an install token opens one server once; the agent that used it may ask again', async () => {
  const { id, installToken } = await add(root)
  const first = await register(installToken)
  expect(first.serverId).toBe(id)
  expect(await register(installToken)).toEqual(first)
  await expect(register(installToken, { publicKey: 'another key' })).rejects.toMatchObject({ statusCode: 401 })
  for (const token of ['', 'dbi_', installToken.replace('dbi_', 'dba_'), first.token])
    await expect(register(token)).rejects.toMatchObject({ statusCode: 401 })
})

test('of a hundred agents that register at once with one token, one is the agent of the server', async () => {
  const { installToken } = await add(root)
  const tries = Array.from({ length: AT_ONCE }, (_, nth) => register(installToken, { publicKey: `key ${nth}` }))
  const outcomes = await Promise.allSettled(tries)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const reasons = outcomes.flatMap((each) => (each.status === 'rejected' ? each.reason.statusCode : []))
  expect(reasons.filter((status) => status !== 401 && status !== 503)).toEqual([])
})

test('an engine belongs to one server, until that server is reset or deleted', async () => {
  const engineId = randomUUID()
  const [one, other] = [await add(root), await add(root)]
  await register(one.installToken, { engineId })
  await expect(register(other.installToken, { engineId })).rejects.toMatchObject({ code: 'ENGINE_MANAGED' })
  const { command } = ok(await post(root, `/${one.id}/reset`))
  await register(other.installToken, { engineId })
  ok(await remove(root, `/${other.id}`), 204)
  await register(tokenIn(command), { engineId })
})

test('a reset voids the agent at once and answers a new command, in every state', async () => {
  const id = await running(root)
  expect((await read(id)).status).toBe('OFFLINE')
  const { command } = ok(await post(root, `/${id}/reset`))
  expect(await read(id)).toMatchObject({ status: 'PENDING_INSTALL', agent: null, capacity: null })
  const { command: second } = ok(await post(root, `/${id}/reset`))
  await expect(register(tokenIn(command))).rejects.toMatchObject({ statusCode: 401 })
  expect((await register(tokenIn(second))).serverId).toBe(id)
})

test('the successor of an agent token is the same in every reply until it is used', async () => {
  const id = await running(root)
  const before = await agentOf(id)
  const next = await nextAgentTokenOf(vault, before)
  expect(await nextAgentTokenOf(vault, before)).toBe(next)
  await panel.run((unit) => unit.decide(servers, id, 'RotateToken', { tokenHash: hashSecret(next) }))
  const after = await agentOf(id)
  expect(await agentTokenOf(vault, after)).toBe(next)
  expect(await agentTokenOf(vault, before)).not.toBe(next)
})

test('the status follows from the newest contact, and from silence that was noted', async () => {
  const id = await running(root)
  const status = async () => (await read(id)).status
  const ago = (ms: number) => new Date(now().getTime() - ms)
  expect(await status()).toBe('OFFLINE')
  await contact(id, ago(60_000))
  expect(await status()).toBe('STALE')
  await contact(id, ago(1_000))
  expect(await read(id)).toMatchObject({
    status: 'ONLINE',
    agent: { version: FACTS.version, arch: 'amd64', lastContactAt: expect.any(String) },
    engine: FACTS.engine,
    capacity: FACTS.capacity,
  })
  await contact(id, ago(50_000))
  expect(await status(), 'an older contact changes nothing').toBe('ONLINE')
  const lastContactAt = now().toISOString()
  await panel.run((unit) => unit.decide(servers, id, 'GoOffline', { lastContactAt }))
  await panel.panel.projector.catchUp()
  expect(await status()).toBe('OFFLINE')
  await panel.run((unit) => unit.decide(servers, id, 'ComeBack', {}))
  await panel.panel.projector.catchUp()
  expect(await status()).toBe('ONLINE')
})

test('a server says why it gets no work', async () => {
  const id = await running(root)
  const problem = async () => (await read(id)).problem?.code ?? null
  expect(await problem()).toBeNull()
  const { engineId, facts } = await agentOf(id)
  await panel.run((unit) => unit.decide(servers, id, 'NoteFacts', { engineId, facts: { ...facts, engine: null } }))
  await panel.panel.projector.catchUp()
  expect(await problem()).toBe('NO_ENGINE')
  await panel.run((unit) => unit.decide(servers, id, 'NoteConflict', { run: randomUUID(), otherRun: randomUUID() }))
  await panel.panel.projector.catchUp()
  expect(await problem()).toBe('AGENT_CONFLICTED')
})

test('a server says that its host cannot open the meshPort that it has', async () => {
  const id = await running(root)
  ok(await patch(root, `/${id}`, { meshPort: 4_712 }))
  const problem = async () => (await read(id)).problem
  await contact(id, now(), { ...BEAT, meshPortClosed: 4_711 })
  expect(await problem()).toBeNull()
  await contact(id, now(), { ...BEAT, meshPortClosed: 4_712 })
  expect(await problem()).toMatchObject({ code: 'MESH_PORT_CLOSED', message: expect.stringContaining('port 4712') })
  await contact(id, now(), BEAT)
  expect(await problem()).toBeNull()
})

test('a server with a workload is not deleted; without one it is gone, and with it what was known of it', async () => {
  const id = await running(root, { description: 'the words of a person' })
  await contact(id, now())
  await place(root.id, id)
  expect(refusalIn(await remove(root, `/${id}`))).toEqual([409, 'IN_USE'])
  const empty = await running(root, { description: 'the words of a person' })
  await contact(empty, now())
  ok(await remove(root, `/${empty}`), 204)
  for (const path of ['', '/access', '/install-command'])
    expect((await get(root, `/${empty}${path}`)).status, path).toBe(404)
  expect((await patch(root, `/${empty}`, { name: 'again' })).status).toBe(404)
  expect((await remove(root, `/${empty}`)).status).toBe(404)
  await panel.settle()
  const { rows } = await panel.superuser.query(
    'SELECT server_id FROM telemetry.server_contact WHERE server_id = ANY($1)',
    [[id, empty]],
  )
  expect(rows).toEqual([{ server_id: id }])
  const key = 'SELECT wrapped IS NULL AS erased FROM vault.data_key WHERE subject = $1'
  expect((await panel.superuser.query(key, [`server/${empty}`])).rows).toEqual([{ erased: true }])
  expect((await panel.superuser.query(key, [`server/${id}`])).rows).toEqual([{ erased: false }])
})

test('tasks of a server that is reset or removed fail, and those that are queued later do not', async () => {
  const [reset, removed] = [await running(root), await running(root)]
  const queued = (serverId: string) =>
    panel.run(async (unit) => {
      const [id, expiresAt] = [unit.newId(), new Date(unit.at.getTime() + DAY_MS).toISOString()]
      const asked = { kind: 'echo', kindVersion: 1, lane: null, payload: '{}', causeType: 'test', causeId: id }
      await unit.decide(tasks, id, 'Queue', { taskId: id, serverId, projectId: null, expiresAt, ...asked })
      return id
    })
  const before = [await queued(reset), await queued(removed)]
  ok(await post(root, `/${reset}/reset`), 200)
  ok(await remove(root, `/${removed}`), 204)
  const later = await queued(reset)
  await panel.settle()
  const stateOf = async (id: string) => (await panel.run((unit) => unit.load(tasks, id)))!
  expect(await Promise.all(before.map(async (id) => (await stateOf(id)).errorCode))).toEqual([
    'SERVER_RESET',
    'SERVER_REMOVED',
  ])
  expect((await stateOf(later)).state).toBe('QUEUED')
})

test('a workload that is placed while its server is deleted is refused, or keeps the server', async () => {
  for (let nth = 0; nth < 10; nth += 1) {
    const id = await running(root)
    const [removed, placed] = await Promise.all([
      remove(root, `/${id}`),
      place(root.id, id).then(
        () => true,
        () => false,
      ),
    ])
    expect([removed.status, placed]).toEqual(placed ? [409, true] : [204, false])
  }
})

test('an unknown server is not found', async () => {
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['GET', '/access'],
    ['GET', '/install-command'],
    ['POST', '/regen-token'],
    ['POST', '/reset'],
  ] as const)
    expect((await panel.call(method, `/api/servers/${UNKNOWN_ID}${path}`, { as: root.as })).status, path).toBe(404)
})

test('a hundred servers at once end exactly at the number of the license', async () => {
  const count = async () => ok(await get(root, '?page=1&pageSize=1')).total
  const free = 3
  await panel.licensed({ 'servers.max': (await count()) + free })
  const replies = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, nth) => post(root, '', { name: `racing ${nth}` })),
  )
  const statuses = replies.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(free)
  const refusal = replies.find(({ status }) => status === 402)!
  expect(refusalIn(refusal)).toEqual([402, 'LIMIT_REACHED'])
  expect(refusal.body.message).toMatch(/^The plan test allows \d+ servers: upgrade it or delete a server$/)
  expect(statuses.filter((status) => status !== 201 && status !== 402 && status !== 503)).toEqual([])
  const made = replies.find(({ status }) => status === 201)!.body.server.id
  ok(await remove(root, `/${made}`), 204)
  ok(await post(root, '', { name: 'in its place' }), 201)
  expect(refusalIn(await post(root, '', { name: 'one too many' }))).toEqual([402, 'LIMIT_REACHED'])
  await panel.licensed()
})
