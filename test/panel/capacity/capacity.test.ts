/** The capacity of servers: what is reserved of their quotas, and what their hosts use. */
import { expect, test } from 'vitest'
import { liftWorkload, resizeWorkload } from '#panel/workflows/place-workload'
import { ok } from '../../support/panel/project-fixture.ts'
import { serverFixture, SMALL } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const { add, running, contact, place, remove } = serverFixture(panel)
const root = await panel.somebody('SUPERADMIN')
const capacity = async () => {
  await panel.panel.projector.catchUp()
  return ok(await panel.call('GET', '/api/admin/capacity', { as: root.as }))
}
const of = async (serverId: string) =>
  (await capacity()).find((each: { serverId: string }) => each.serverId === serverId)
const NOTHING = { workloads: 0, cpuMillis: 0, memoryMiB: 0, diskMiB: 0 }

test('a server without an agent has no capacity, and nothing fits on it', async () => {
  const { id } = await add(root)
  expect(await of(id)).toEqual({
    serverId: id,
    status: 'PENDING_INSTALL',
    capacity: null,
    quota: { workloads: null, cpuMillis: 0, memoryMiB: 0, diskMiB: 0 },
    reserved: NOTHING,
    used: null,
  })
})

test('what is placed, resized and lifted is what is reserved', async () => {
  const id = await running(root)
  const usual = { workloads: null, cpuMillis: 16_000, memoryMiB: 7_372, diskMiB: 90_000 }
  expect(await of(id)).toMatchObject({ quota: usual, reserved: NOTHING })
  const [one, other] = [await place(root.id, id), await place(root.id, id, { diskMiB: 5_000 })]
  const both = { workloads: 2, cpuMillis: 200, memoryMiB: 512, diskMiB: 5_000 }
  expect((await of(id)).reserved).toEqual(both)
  const larger = { ...SMALL, memoryMiB: 1_024 }
  await panel.run((unit) => resizeWorkload(unit, { serverId: id, workload: one, ...larger }))
  expect((await of(id)).reserved).toEqual({ ...both, memoryMiB: 1_280 })
  for (const workload of [other, other]) await panel.run((unit) => liftWorkload(unit, { serverId: id, workload }))
  expect((await of(id)).reserved).toEqual({ workloads: 1, ...larger })
  await panel.run((unit) => liftWorkload(unit, { serverId: id, workload: one }))
  ok(await remove(root, `/${id}`), 204)
  expect(await of(id)).toBeUndefined()
})

test('what a host uses is that of its newest beat', async () => {
  const id = await running(root)
  const now = panel.panel.clock.now()
  await contact(id, new Date(now.getTime() - 2_000))
  expect(await of(id)).toMatchObject({ status: 'ONLINE', used: null })
  const used = { cpuPercent: 12.5, memoryUsedBytes: 3_000_000_000, diskUsedBytes: 40_000_000_000 }
  await contact(id, new Date(now.getTime() - 1_000), { ...used, memoryBytes: 8_000_000_000, containers: 4 })
  expect((await of(id)).used).toEqual(used)
  await contact(id, now)
  expect((await of(id)).used, 'a contact without a beat keeps the last one').toEqual(used)
})
