/** The mesh of a project: who measures whom, what is shown of it, and to whom. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { publicTaskKeyOf, taskJwkIn } from '#panel/agent/keys/task-keys'
import { liftWorkload } from '#panel/workflows/place-workload'
import { startAgent } from '../../../src/agent/agent.ts'
import { engineCall } from '../../../src/agent/engine-call.ts'
import { startMesh } from '../../../src/agent/mesh/mesh.ts'
import { plannersOn } from '../../../src/agent/performers.ts'
import { newBoxKeys } from '../../../src/tasks/sealed-box.ts'
import { testBeat } from '../../support/agent/performers.ts'
import { freePort } from '../../support/free-port.ts'
import { apiKeyFixture } from '../../support/panel/api-key-fixture.ts'
import { agentHeaders } from '../../support/panel/credentials.ts'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { BEAT, FACTS } from '../../support/panel/server-examples.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const floor = projectFixture(panel)
const { add, register, running, grant, patch, place } = serverFixture(panel)
const { minted } = apiKeyFixture(panel)
const stopping: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(stopping.map((stop) => stop())))

const meshOf = async (who: { as: string }, projectId: string) => ok(await floor.get(who, `/${projectId}/mesh`))
const idsIn = ({ servers }: { servers: { id: string }[] }) => servers.map(({ id }) => id).toSorted()
const plansOf = async (serverId: string) =>
  (await panel.history()).filter(({ type, data }) => type === 'TaskQueued' && (data as any).serverId === serverId)

/** A server whose agent knows plans, at a port of its own. */
async function measuring() {
  const [boxKeys, meshPort] = [newBoxKeys(), await freePort()]
  const { id: serverId, installToken } = await add(root, { publicAddress: '127.0.0.1' })
  const kinds = { 'plan.apply': 1 }
  const { token } = await register(installToken, { publicKey: boxKeys.publicKey, facts: { ...FACTS, kinds } })
  ok(await patch(root, `/${serverId}`, { meshPort }))
  return { serverId, token, boxKeys, meshPort }
}

async function startAgentOf({ serverId, token, boxKeys }: Awaited<ReturnType<typeof measuring>>) {
  const directory = await mkdtemp(join(tmpdir(), 'mesh-'))
  const mesh = startMesh(serverId)
  const agent = await startAgent({
    panelUrl: panel.url,
    serverId,
    token,
    boxKeys,
    taskKeys: [await panel.run(async (unit) => publicTaskKeyOf(await taskJwkIn(unit)))],
    directory,
    performers: [],
    askers: [],
    planners: plannersOn(engineCall('/nowhere'), mesh),
    beat: async () => ({ ...(await testBeat()), ...mesh.news() }),
    isReady: async () => true,
    log: () => {},
  })
  stopping.push(async () => {
    await agent.stop()
    await mesh.close()
    await rm(directory, { recursive: true })
  })
  return agent
}

test('servers of one project measure each other, and the project sees who reaches whom', async () => {
  const owner = await panel.somebody()
  const projectId = await floor.project(owner)
  const [east, west] = [await measuring(), await measuring()]
  for (const { serverId } of [east, west]) await place(root.id, serverId, { projectId })
  await panel.settle()
  const unknown = (from: string, to: string) => ({ from, to, state: 'UNKNOWN', rttMs: null, at: null })
  const ends = [east.serverId, west.serverId].toSorted()
  expect((await meshOf(owner, projectId)).links).toEqual([unknown(ends[0]!, ends[1]!), unknown(ends[1]!, ends[0]!)])
  const agents = [await startAgentOf(east), await startAgentOf(west)]
  await expect.poll(() => agents.every((agent) => agent.revisions()['mesh'] !== undefined)).toBe(true)
  const reaches = { state: 'OK', rttMs: expect.any(Number), at: expect.any(String) }
  await expect
    .poll(async () => (await meshOf(owner, projectId)).links, { timeout: 25_000, interval: 500 })
    .toEqual([
      { from: ends[0], to: ends[1], ...reaches },
      { from: ends[1], to: ends[0], ...reaches },
    ])
  const { servers } = await meshOf(owner, projectId)
  expect(
    servers
      .filter(({ isUsed }: any) => isUsed)
      .map(({ id }: any) => id)
      .toSorted(),
  ).toEqual(ends)
  expect(JSON.stringify(await meshOf(owner, projectId))).not.toContain('127.0.0.1')
}, 40_000)

test('a change of the mesh sends the plan to the servers that it concerns, and to no other', async () => {
  const owner = await panel.somebody()
  const [projectId, otherId] = [await floor.project(owner), await floor.project(owner)]
  const [east, west, lone] = [await measuring(), await measuring(), await measuring()]
  const offMesh = await running(root)
  const counts = async () => {
    await panel.settle()
    const all = [east.serverId, west.serverId, lone.serverId, offMesh]
    return Promise.all(all.map(async (id) => (await plansOf(id)).length))
  }
  const before = await counts()
  const since = async () => (await counts()).map((count, nth) => count - before[nth]!)
  const workload = await place(root.id, east.serverId, { projectId })
  await place(root.id, lone.serverId, { projectId: otherId })
  await place(root.id, offMesh, { projectId })
  expect((await since())[3], 'a server without a port').toBe(0)
  const [eastPlaced, westPlaced, lonePlaced] = await since()
  await place(root.id, west.serverId, { projectId })
  expect(await since()).toEqual([eastPlaced! + 1, westPlaced! + 1, lonePlaced, 0])
  ok(await patch(root, `/${west.serverId}`, { publicAddress: 'west.example.com' }))
  expect(await since()).toEqual([eastPlaced! + 2, westPlaced! + 2, lonePlaced, 0])
  await panel.run((unit) => liftWorkload(unit, { serverId: east.serverId, workload }))
  expect(await since()).toEqual([eastPlaced! + 3, westPlaced! + 3, lonePlaced, 0])
  ok(await patch(root, `/${east.serverId}`, { meshPort: null }))
  expect((await since())[0], 'its port is to be closed').toBe(eastPlaced! + 4)
})

test('servers are shown that the project uses or the caller may use, to members and keys', async () => {
  const owner = await panel.somebody()
  const [projectId, otherId] = [await floor.project(owner), await floor.project(owner)]
  const viewer = await floor.member(owner, projectId, { role: 'VIEWER' })
  const [used, closed, ruled] = [await running(root), await running(root), await running(root)]
  await grant(root, closed, { userId: root.id })
  await grant(root, used, { userId: root.id })
  await grant(root, ruled, { userId: viewer.id })
  await place(root.id, used, { projectId })
  await panel.panel.projector.catchUp()
  const seenBy = async (who: { as: string }) => {
    const ids = idsIn(await meshOf(who, projectId))
    return [used, closed, ruled].map((id) => ids.includes(id))
  }
  expect(await seenBy(owner)).toEqual([true, false, false])
  expect(await seenBy(viewer)).toEqual([true, false, true])
  expect(await seenBy(root)).toEqual([true, true, true])
  const scopes = ['platform:projects:view']
  const [ownKey, otherKey, machine] = [
    await minted(viewer, { scopes }),
    await minted(owner, { scopes, projectIds: [otherId] }),
    await minted(root, { scopes, kind: 'MACHINE' }),
  ]
  expect(await seenBy({ as: ownKey.secret })).toEqual([true, false, true])
  expect(await seenBy({ as: machine.secret })).toEqual([true, false, false])
  expect((await floor.get({ as: otherKey.secret }, `/${projectId}/mesh`)).status).toBe(404)
  expect((await floor.get(await panel.somebody(), `/${projectId}/mesh`)).status).toBe(404)
  const shown = (await meshOf(viewer, projectId)).servers.find(({ id }: any) => id === used)
  expect(shown).toEqual({ id: used, name: expect.any(String), status: 'OFFLINE', isUsed: true })
})

test('an agent tells its own links only, and those of a removed server are forgotten', async () => {
  const owner = await panel.somebody()
  const projectId = await floor.project(owner)
  const [east, west] = [await measuring(), await measuring()]
  const placed = await place(root.id, east.serverId, { projectId })
  await place(root.id, west.serverId, { projectId })
  await panel.settle()
  const tell = (links: unknown) =>
    panel.call('POST', '/api/agent/heartbeat', {
      ...(agentHeaders({ serverId: east.serverId, token: east.token }) as { as: string }),
      body: { ...BEAT, links },
    })
  const link = (to: string, more: object = {}) => ({ to, state: 'OK', rttMs: 1.5, ageMs: 0, ...more })
  ok(await tell([link(west.serverId), link(west.serverId), link('01890000-0000-7000-8000-00000000dead')]))
  const told = async () =>
    (await meshOf(owner, projectId)).links.map(({ from, to, state }: any) => ({ from, to, state }))
  const both = (there: string, back: string) =>
    [
      { from: east.serverId, to: west.serverId, state: there },
      { from: west.serverId, to: east.serverId, state: back },
    ].toSorted((one, other) => (one.from < other.from ? -1 : 1))
  expect(await told()).toEqual(both('OK', 'UNKNOWN'))
  ok(await tell([link(west.serverId, { state: 'BLOCKED', rttMs: null })]))
  expect(await told()).toEqual(both('BLOCKED', 'UNKNOWN'))
  for (const bad of [
    [{ ...link(west.serverId), from: west.serverId }],
    [link('x')],
    [link(west.serverId, { ageMs: -1 })],
  ])
    expect((await tell(bad)).status).toBe(400)
  ok(await tell([]))
  expect(await told()).toEqual(both('UNKNOWN', 'UNKNOWN'))
  ok(await tell([link(west.serverId)]))
  await panel.run((unit) => liftWorkload(unit, { serverId: east.serverId, workload: placed }))
  ok(await panel.call('DELETE', `/api/servers/${east.serverId}`, { as: root.as }), 204)
  await panel.settle()
  const left = await panel.superuser.query('SELECT 1 FROM telemetry.mesh_link WHERE from_server = $1', [east.serverId])
  expect(left.rowCount).toBe(0)
})

test('a measurement of a quarter of an hour ago says nothing', async () => {
  const owner = await panel.somebody()
  const projectId = await floor.project(owner)
  const [east, west] = [await measuring(), await measuring()]
  for (const { serverId } of [east, west]) await place(root.id, serverId, { projectId })
  const { as, headers } = agentHeaders({ serverId: east.serverId, token: east.token })
  const link = { to: west.serverId, state: 'OK', rttMs: 1, ageMs: 890_000 }
  ok(await panel.call('POST', '/api/agent/heartbeat', { as: as!, headers: headers!, body: { ...BEAT, links: [link] } }))
  const shown = async (who: { as: string }) =>
    (await meshOf(who, projectId)).links.find(({ from }: any) => from === east.serverId)
  expect(await shown(owner)).toMatchObject({ state: 'OK', rttMs: 1 })
  panel.passTime(10_000)
  const later = await shown({ as: await panel.signIn(owner.email) })
  expect(later).toMatchObject({ state: 'UNKNOWN', rttMs: null, at: expect.any(String) })
})
