/** Copies of applications with what is in their volumes, over HTTP: when they are made, and what follows from their end. */
import { afterAll, expect, test } from 'vitest'
import { deployedShop } from '../../support/panel/deployed-shop.ts'
import { deployingHost, failing, gate } from '../../support/panel/deploying-host.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const [floor, servers] = [projectFixture(panel), serverFixture(panel)]
const host = await deployingHost(panel, { servers, owner: root })
afterAll(() => host.stop())
const GIB = 1_024 ** 3

const VOLUMES = [
  { name: 'data', mountPath: '/data', shared: false },
  { name: 'files', mountPath: '/files', shared: true },
]

async function shop() {
  const owner = await panel.somebody()
  const made = await deployedShop(panel, owner, { floor, host })
  /** An application with the volumes that its host has. */
  async function add(more: object = {}) {
    const application = await made.add({ volumes: VOLUMES, ...more })
    for (const name of ['data', 'files'])
      host.volumes.push({ name: `${application.id}-${name}-1`, of: application.id, size: 1_000 })
    return application
  }
  return {
    ...made,
    owner,
    add,
    duplicate: (id: string, more: object = {}) =>
      made.send('POST', `applications/${id}/duplicate`, { name: `Copy of ${id}`, copyData: true, ...more }),
    async copied(id: string): Promise<any> {
      await expect
        .poll(async () => {
          await panel.settle()
          return (await made.read(id)).dataCopy.state
        })
        .not.toBe('RUNNING')
      return made.read(id)
    },
  }
}
const copiesOf = (id: string) =>
  host.done
    .filter(({ kind, payload }) => kind === 'volume.copy' && payload.from.id === id)
    .map(({ payload }) => payload)

test('the volumes of its source are copied on their server, and then it is deployed', async () => {
  const { add, duplicate, copied, deploy, send, read, projectId, environmentId } = await shop()
  const first = await add()
  host.volumes.push({ name: `${first.id}-data-2`, of: first.id, size: 1_000 })
  const hold = gate()
  host.script('volume.copy', async (work) => {
    await hold.wait(work)
    return { bytes: 4_096, sha256: 'e'.repeat(64), pausedMs: 3 }
  })
  const made = ok(await duplicate(first.id), 201)
  const copy = { fromId: first.id, taskId: expect.any(String), volumes: 2, code: null }
  expect(made.dataCopy).toEqual({ ...copy, state: 'RUNNING', bytes: null })
  expect(await read(made.id)).toEqual(made)
  await expect.poll(() => copiesOf(first.id)).toHaveLength(1)
  expect(copiesOf(first.id)[0]).toMatchObject({
    from: { kind: 'APPLICATION', id: first.id },
    to: { kind: 'APPLICATION', id: made.id },
    projectId,
    environmentId,
    volumes: ['data-1', 'files-1'].map((each) => ({ from: `${first.id}-${each}`, to: `${made.id}-${each}` })),
    pause: true,
  })
  for (const what of ['redeploy', 'restart'])
    expect((await send('POST', `applications/${made.id}/${what}`)).status, what).toBe(409)
  expect(refusalIn(await send('POST', `applications/${made.id}/redeploy`))).toEqual([409, 'DATA_COPYING'])
  hold.open()
  expect((await copied(made.id)).dataCopy).toEqual({ ...copy, state: 'DONE', bytes: 4_096 })
  host.usual('volume.copy')
  expect((await deploy(made.id)).status).toBe('SUCCEEDED')
})

test('without a pause its containers go on, and without volumes nothing is copied', async () => {
  const { add, duplicate, copied, duplicate: again, send } = await shop()
  const first = await add()
  const made = ok(await duplicate(first.id, { pause: false }), 201)
  await copied(made.id)
  expect(copiesOf(first.id)[0].pause).toBe(false)
  const bare = ok(await send('POST', `applications/${first.id}/duplicate`, { name: 'Bare' }), 201)
  expect(bare.dataCopy).toBeNull()
  expect(ok(await again(bare.id), 201).dataCopy).toBeNull()
  expect(copiesOf(bare.id)).toEqual([])
})

test('a copy that fails says why, and the application may be deployed without it', async () => {
  const { add, duplicate, copied, deploy } = await shop()
  host.script('volume.copy', failing('DISK_LOW'))
  const made = ok(await duplicate((await add()).id), 201)
  expect((await copied(made.id)).dataCopy).toMatchObject({ state: 'FAILED', code: 'DISK_LOW', bytes: null })
  host.usual('volume.copy')
  expect((await deploy(made.id)).status).toBe('SUCCEEDED')
})

test('an application that is deleted meanwhile cancels its copy; one that was copied takes its volumes along', async () => {
  const { add, duplicate, copied, send } = await shop()
  const first = await add()
  const hold = gate()
  let isCancelled = false
  host.script('volume.copy', (work) =>
    hold.wait(work).catch((error: unknown) => {
      isCancelled = true
      throw error
    }),
  )
  const made = ok(await duplicate(first.id), 201)
  await expect.poll(() => copiesOf(first.id)).toHaveLength(1)
  ok(await send('DELETE', `applications/${made.id}`), 204)
  await expect.poll(() => isCancelled).toBe(true)
  const removals = (id: string) =>
    host.done.filter(({ kind, payload }) => kind === 'release.remove' && payload.workload.id === id)
  host.usual('volume.copy')
  const other = ok(await duplicate(first.id, { name: 'Other' }), 201)
  await copied(other.id)
  ok(await send('DELETE', `applications/${other.id}?deleteVolumes=true`), 204)
  await expect.poll(() => removals(other.id)).toHaveLength(1)
  expect(removals(other.id)[0]!.payload.deleteVolumes).toBe(true)
  // What the cancelled one may have left is cleared, too.
  await expect
    .poll(async () => (await panel.settle(), removals(made.id)))
    .toMatchObject([{ payload: { deleteVolumes: true } }])
})

test('a copy that was done before its cancel was heard leaves no volume', async () => {
  const { add, duplicate, send } = await shop()
  const first = await add()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: ending, resolve: end } = Promise.withResolvers<void>()
  host.script('volume.copy', async () => {
    begin()
    await ending
    return { bytes: 1, sha256: 'f'.repeat(64), pausedMs: 0 }
  })
  const made = ok(await duplicate(first.id), 201)
  await begun
  ok(await send('DELETE', `applications/${made.id}`), 204)
  end()
  await expect
    .poll(async () => {
      await panel.settle()
      return host.done.some(
        ({ kind, payload }) =>
          kind === 'release.remove' && payload.workload.id === made.id && payload.deleteVolumes === true,
      )
    })
    .toBe(true)
  host.usual('volume.copy')
})

test('a disk with too little room, and a server that is silent, are told before anything is made', async () => {
  const { add, duplicate, projectId, owner, send } = await shop()
  const first = await add()
  const listed = async () => ok(await send('GET', `applications?projectId=${projectId}`)).length
  const before = await listed()
  host.volumes.push({ name: `${first.id}-huge-1`, of: first.id, size: 4_000_000 * GIB })
  expect(refusalIn(await duplicate(first.id))).toEqual([409, 'DISK_LOW'])
  host.volumes.pop()
  const silent = await servers.running(root)
  const far = ok(await send('POST', `applications`, await placed(first, silent)), 201)
  expect(refusalIn(await duplicate(far.id))).toEqual([503, 'SERVER_OFFLINE'])
  expect(await listed()).toBe(before + 1)
  expect(ok(await floor.post(owner, `/${projectId}/duplicate`, { name: 'No data' }), 201).name).toBe('No data')
  expect(refusalIn(await floor.post(owner, `/${projectId}/duplicate`, { name: 'x', copyData: true }))).toEqual([
    503,
    'SERVER_OFFLINE',
  ])
})
const placed = async ({ projectId, environmentId }: any, serverId: string) => ({
  projectId,
  environmentId,
  serverId,
  name: 'Far',
  source: { kind: 'IMAGE', image: 'shop:1' },
  memoryMiB: 16,
  cpuMillis: 50,
})

test('a project is copied with the data of all of its applications', async () => {
  const { add, copied, projectId, owner, send } = await shop()
  const [one, other] = [await add(), await add()]
  const made = ok(await floor.post(owner, `/${projectId}/duplicate`, { name: 'Again', copyData: true }), 201)
  const copies = ok(await send('GET', `applications?projectId=${made.id}`))
  expect(new Set(copies.map(({ dataCopy }: any) => dataCopy.fromId))).toEqual(new Set([one.id, other.id]))
  for (const { id } of copies) expect((await copied(id)).dataCopy).toMatchObject({ state: 'DONE', volumes: 2 })
  expect([...copiesOf(one.id), ...copiesOf(other.id)].map((payload) => payload.projectId)).toEqual([made.id, made.id])
})

test('what is added to a project while it is copied comes along with its data', async () => {
  const { add, copied, projectId, owner, send } = await shop()
  await add()
  let added: any
  host.meanwhile(async () => (added = await add()))
  const made = ok(await floor.post(owner, `/${projectId}/duplicate`, { name: 'Again', copyData: true }), 201)
  const copies = ok(await send('GET', `applications?projectId=${made.id}`))
  const late = copies.find(({ name }: any) => name === added.name)
  expect((await copied(late.id)).dataCopy).toMatchObject({ fromId: added.id, state: 'DONE', volumes: 2 })
  expect(copies).toHaveLength(2)
})
