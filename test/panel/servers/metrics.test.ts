/** What the panel tells a monitor of its servers and of the work on them. */
import { expect, test } from 'vitest'
import { queueTask } from '#panel/agent/queue-task'
import { reaperReap } from '../../../src/tasks/reaper.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const { add, running, contact } = serverFixture(panel)
const root = await panel.somebody('SUPERADMIN')

async function figure(name: string): Promise<number | undefined> {
  await panel.panel.projector.catchUp()
  const { text } = await panel.call('GET', '/metrics')
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.split(' ')[1])
}

test('counts servers by what is known of them', async () => {
  const now = panel.panel.clock.now().getTime()
  await add(root)
  const [live, quiet] = [await running(root), await running(root)]
  await contact(live, new Date(now))
  await contact(quiet, new Date(now - 40_000))
  expect(await figure('servers{status="PENDING_INSTALL"}')).toBe(1)
  expect(await figure('servers{status="ONLINE"}')).toBe(1)
  expect(await figure('servers{status="STALE"}')).toBe(1)
  expect(await figure('servers{status="OFFLINE"}')).toBe(0)
})

test('counts open tasks by state, and tells how old the oldest is', async () => {
  expect(await figure('tasks_open{state="QUEUED"}')).toBe(0)
  expect(await figure('tasks_oldest_seconds{state="QUEUED"}')).toBe(0)
  const serverId = await running(root)
  await panel.run(async (unit) => {
    const payload = { installation: 'one', items: [], pruneBuildCache: true, truncateLogs: false }
    const about = { taskId: unit.newId(), serverId, projectId: null, cause: { type: 'reap', id: unit.newId() } }
    await queueTask(unit, reaperReap, { ...about, payload })
  })
  expect(await figure('tasks_open{state="QUEUED"}')).toBe(1)
  expect(await figure('tasks_open{state="RUNNING"}')).toBe(0)
  const age = await figure('tasks_oldest_seconds{state="QUEUED"}')
  expect(age).toBeGreaterThan(0)
  expect(age).toBeLessThan(60)
})
