/** The reaper over HTTP, with a real agent whose host is a list of the test. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { installationOf } from '#panel/agent/installation'
import { publicTaskKeyOf, taskJwkIn } from '#panel/agent/keys/task-keys'
import { liftWorkload } from '#panel/workflows/place-workload'
import { startAgent } from '../../../src/agent/agent.ts'
import { asker, performer } from '../../../src/agent/performer.ts'
import { inventory, reaperReap } from '../../../src/tasks/reaper.ts'
import type { LeftItem } from '../../../src/tasks/reaper.ts'
import { newBoxKeys } from '../../../src/tasks/sealed-box.ts'
import { testBeat } from '../../support/agent/performers.ts'
import { ok, refusalIn } from '../../support/panel/project-fixture.ts'
import { FACTS } from '../../support/panel/server-examples.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const { add, register, running, place } = serverFixture(panel)
const HOUR_MS = 3_600_000
const DAY_SECONDS = 86_400

let nth = 0
const left = (more: Partial<LeftItem> = {}): LeftItem => ({
  kind: 'CONTAINER',
  id: String((nth += 1)).padStart(64, '0'),
  name: `thing-${nth}`,
  ageSeconds: DAY_SECONDS,
  bytes: null,
  task: null,
  workload: null,
  project: null,
  ...more,
})

const host: { items: LeftItem[]; asked: string[]; reaped: unknown[] } = { items: [], asked: [], reaped: [] }
const { id: serverId, installToken } = await add(root)
const boxKeys = newBoxKeys()
const facts = { ...FACTS, kinds: { [reaperReap.name]: 1 } }
const { token } = await register(installToken, { publicKey: boxKeys.publicKey, facts })
await panel.panel.projector.catchUp()
const directory = await mkdtemp(join(tmpdir(), 'reaper-'))
const agent = await startAgent({
  panelUrl: panel.url,
  serverId,
  token,
  boxKeys,
  taskKeys: [await panel.run(async (unit) => publicTaskKeyOf(await taskJwkIn(unit)))],
  directory,
  performers: [
    performer(reaperReap, async ({ payload }) => {
      host.reaped.push(payload)
      return { removed: payload.items.length, kept: [], bytes: 0 }
    }),
  ],
  askers: [
    asker(inventory, async ({ installation }) => {
      host.asked.push(installation)
      return { items: host.items, isCut: false }
    }),
  ],
  planners: [],
  beat: testBeat,
  isReady: async () => true,
  log: () => {},
})
afterAll(async () => {
  await agent.stop()
  await rm(directory, { recursive: true })
})
beforeAll(() =>
  vi.waitUntil(async () => (await panel.superuser.query('SELECT FROM telemetry.server_contact')).rowCount === 1, {
    timeout: 10_000,
  }),
)

const scan = async () => ok(await panel.call('GET', '/api/admin/reaper/scan', { as: root.as }))
const reap = (query = '', body?: object) =>
  panel.call('POST', `/api/admin/reaper/reap${query}`, { as: root.as, ...(body ? { body } : {}) })
const idsIn = ({ servers }: any): string[] =>
  servers.find((each: any) => each.serverId === serverId).items.map(({ id }: LeftItem) => id)

test('nothing is reaped without a scan', async () => {
  expect(refusalIn(await reap())).toEqual([409, 'NO_SCAN'])
})

test('what is placed, what is young and the network of a project are expected, and all else is listed', async () => {
  const placed = await place(root.id, serverId, { projectId: null })
  const projectId = ok(await panel.call('POST', '/api/projects', { as: root.as, body: { name: 'Shop' } }), 201).id
  await place(root.id, serverId, { projectId })
  const orphan = left({ workload: 'APPLICATION/01890000-0000-7000-8000-00000000dead', ageSeconds: 3_600 })
  const volume = left({ kind: 'VOLUME' })
  const otherNetwork = left({ kind: 'NETWORK', project: '01890000-0000-7000-8000-00000000dead' })
  const projectContainer = left({ project: projectId })
  host.items = [
    orphan,
    volume,
    otherNetwork,
    projectContainer,
    left({ workload: `REGISTRY/${placed.id}` }),
    left({ kind: 'NETWORK', project: projectId }),
    left({ ageSeconds: 3_599 }),
    left({ ageSeconds: null }),
  ]
  const scanned = await scan()
  expect(idsIn(scanned)).toEqual([orphan, volume, otherNetwork, projectContainer].map(({ id }) => id))
  expect(host.asked.at(-1)).toBe(await installationOf(panel.panel.vault))
  await panel.run((unit) => liftWorkload(unit, { serverId, workload: placed }))
  expect(idsIn(await scan())).toHaveLength(5)
})

test('a reap takes what its scan has listed and is not expected meanwhile, and no volume', async () => {
  const workload = { kind: 'REGISTRY', id: '01890000-0000-7000-8000-00000000aaaa' }
  const again = left({ workload: `REGISTRY/${workload.id}` })
  const orphan = left()
  host.items = [again, orphan, left({ kind: 'VOLUME' })]
  const { scanId } = await scan()
  await place(root.id, serverId, { workload })
  host.reaped.length = 0
  const { tasks } = ok(await reap('?truncateLogs=true', { scanId }), 202)
  expect(tasks).toEqual([{ serverId, taskId: expect.any(String) }])
  await expect
    .poll(async () => (await panel.call('GET', `/api/agent/tasks/${tasks[0].taskId}`, { as: root.as })).body)
    .toMatchObject({ state: 'SUCCEEDED', result: { removed: 1 }, cause: { type: 'reap' } })
  expect(host.reaped).toEqual([
    {
      installation: host.asked[0],
      items: [{ kind: 'CONTAINER', id: orphan.id, workload: null }],
      pruneBuildCache: false,
      truncateLogs: true,
    },
  ])
  expect((await panel.history()).findLast(({ type }) => type === 'ReapAsked')?.data).toMatchObject({
    scanId,
    items: [{ serverId, kind: 'CONTAINER', id: orphan.id }],
  })
})

test('many objects are several tasks, and no reap takes more than a thousand', async () => {
  host.items = Array.from({ length: 1_001 }, () => left())
  await scan()
  host.reaped.length = 0
  const { tasks } = ok(await reap('?pruneBuildCache=true'), 202)
  expect(tasks).toHaveLength(3)
  await expect.poll(() => host.reaped.length).toBe(3)
  const sizes = host.reaped.map(({ items, pruneBuildCache }: any) => [items.length, pruneBuildCache])
  expect(sizes).toEqual([
    [400, true],
    [400, false],
    [200, false],
  ])
})

test('a host that does not answer is named, and nothing is asked of it', async () => {
  const silent = await running(root)
  host.items = []
  const scanned = await scan()
  expect(scanned.servers.find((each: any) => each.serverId === silent)).toEqual({
    serverId: silent,
    items: [],
    problem: { code: 'SERVER_OFFLINE', message: expect.any(String) },
  })
  expect(ok(await reap('?truncateLogs=true'), 202).tasks.map((each: any) => each.serverId)).toEqual([serverId])
  expect(ok(await reap(), 202).tasks).toEqual([])
})

test('a scan is stale after an hour', async () => {
  await scan()
  panel.passTime(HOUR_MS + 1_000)
  const { as } = await panel.somebody('SUPERADMIN')
  expect(refusalIn(await panel.call('POST', '/api/admin/reaper/reap', { as }))).toEqual([409, 'SCAN_STALE'])
})
