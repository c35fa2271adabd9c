/** Plans of servers: an event that changes one sends it, a newer one takes the place of what waits. */
import { expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { tasks } from '#panel/agent/decider'
import { publicTaskKeyOf, taskJwkIn } from '#panel/agent/keys/task-keys'
import { sendPlan } from '#panel/agent/plans'
import { openBox } from '../../../src/tasks/sealed-box.ts'
import { sign } from '../../support/agent/kinds.ts'
import { agentDouble } from '../../support/panel/agent-double.ts'
import { startPanel } from '../../support/panel/service.ts'
import { handServers, openTaskPanel, signs, testServer } from '../../support/panel/task-panel.ts'

const servers = handServers()
const panel = await startPanel({ open: openTaskPanel(servers) })
const admin = await panel.somebody('SUPERADMIN')
const taskKey = () => panel.run(async (unit) => publicTaskKeyOf(await taskJwkIn(unit)))

function server() {
  const made = testServer(uuidv7())
  servers.known.set(made.serverId, made)
  return { ...made, agent: agentDouble(panel.call, made, taskKey) }
}

const stateOf = async (id: string) => (await panel.run((unit) => unit.look(tasks, id)))?.state

test('an event sends the plan once, its contents are sealed, and in no event', async () => {
  const own = server()
  signs.set(own.serverId, { revision: 12, body: { text: 'canary-of-a-plan' } })
  const body = { value: 'A panel with plans' }
  expect((await panel.call('PATCH', '/api/admin/settings/platformName', { as: admin.as, body })).status).toBe(200)
  await panel.settle()
  await panel.settle()
  const { tasks: handed } = await own.agent.poll()
  const changedAt = (await panel.history()).findLast(({ type }) => type === 'SettingChanged')!.position
  expect(handed).toMatchObject([{ payload: { plan: sign.name, version: 1, revision: changedAt } }])
  const [{ taskId, secrets } = { taskId: '', secrets: '' }] = handed
  const opened = openBox(secrets!, own.boxKeys, { taskId, attempt: 1 })!.toString()
  expect(JSON.parse(opened)).toEqual({ revision: 12, body: { text: 'canary-of-a-plan' } })
  expect(await panel.dump()).not.toContain('canary-of-a-plan')
  signs.delete(own.serverId)
})

const queued = async () =>
  (await panel.history()).filter(({ type }) => type === 'TaskQueued').map(({ stream }) => stream.slice('task-'.length))

async function send(serverId: string, revision: number, id = String(revision)): Promise<string> {
  const about = { serverId, revision, cause: { type: 'test', id } }
  await panel.run((unit) => sendPlan(unit, panel.panel.read, sign, about))
  await panel.panel.projector.catchUp()
  return (await queued()).at(-1)!
}

test('a worker that dies after it has sent a plan, and works on the same event again, sends no second one', async () => {
  const own = server()
  signs.set(own.serverId, { revision: 12, body: { text: 'x' } })
  await panel.call('PATCH', '/api/admin/settings/platformName', { as: admin.as, body: { value: 'Another panel' } })
  await panel.settle()
  const [{ taskId } = { taskId: '' }] = (await own.agent.poll()).tasks
  await own.agent.succeed(taskId, { revision: 12, applied: { length: 1 } })
  const before = (await queued()).length
  const { position } = (await panel.history()).findLast(({ type }) => type === 'SettingChanged')!
  const again = 'INSERT INTO telemetry.work_pending (reaction, position) VALUES ($1, $2)'
  await panel.superuser.query(again, [`plan-${sign.name.replaceAll('.', '-')}`, position])
  await panel.settle()
  expect((await panel.superuser.query('SELECT FROM telemetry.work_pending')).rowCount, 'it was worked on').toBe(0)
  expect((await queued()).length).toBe(before)
  signs.delete(own.serverId)
})

test('a newer plan takes the place of one that waits, not of one that runs, and an older one of none', async () => {
  const own = server()
  signs.set(own.serverId, { revision: 1, body: { text: 'x' } })
  const [first, second] = [await send(own.serverId, 1), await send(own.serverId, 2)]
  expect([await stateOf(first), await stateOf(second)]).toEqual(['CANCELLED', 'QUEUED'])
  expect((await own.agent.poll()).tasks.map(({ taskId }) => taskId)).toEqual([second])
  const third = await send(own.serverId, 3)
  expect(await send(own.serverId, 2, 'late')).toBe(third)
  expect([await stateOf(second), await stateOf(third)]).toEqual(['RUNNING', 'QUEUED'])
  signs.delete(own.serverId)
})

test('what a plan has brought has the form that the plan declares', async () => {
  const own = server()
  signs.set(own.serverId, { revision: 1, body: { text: 'x' } })
  const id = await send(own.serverId, 1)
  await own.agent.poll()
  await own.agent.succeed(id, { revision: 1, applied: { length: 'long' } })
  expect(await panel.run((unit) => unit.look(tasks, id))).toMatchObject({ state: 'FAILED', errorCode: 'BAD_RESULT' })
})

test('a plan that a server cannot have fails with its code', async () => {
  const own = server()
  const id = await send(own.serverId, 1, 'none')
  expect((await own.agent.poll()).tasks).toEqual([])
  expect(await stateOf(id)).toBe('FAILED')
})

test('what is behind is sent again: at once after a success, later after a failure, and not while one is on its way', async () => {
  const MINUTE_MS = 60_000
  const own = server()
  signs.set(own.serverId, { revision: 4, body: { text: 'x' } })
  const lookLater = async (ms: number, revision: number | undefined) => {
    panel.passTime(ms)
    const at = new Date(Date.now() + (passedMs += ms))
    servers.plans.splice(0, Infinity, { serverId: own.serverId, at, plans: revision ? { [sign.name]: revision } : {} })
    await panel.settle()
    return (await queued()).length - before
  }
  let passedMs = 0
  const first = await send(own.serverId, 3, 'behind')
  const before = (await queued()).length
  expect(await lookLater(2 * MINUTE_MS, undefined)).toBe(0)
  await own.agent.poll()
  await own.agent.succeed(first, { revision: 4, applied: { length: 1 } })
  expect(await lookLater(2 * MINUTE_MS, 4)).toBe(0)
  expect(await lookLater(2 * MINUTE_MS, 3)).toBe(1)
  const [{ taskId: again } = { taskId: '' }] = (await own.agent.poll()).tasks
  await own.agent.fail(again, 'AGENT_TOO_OLD')
  expect(await lookLater(10 * MINUTE_MS, 3)).toBe(1)
  expect(await lookLater(60 * MINUTE_MS, 3)).toBe(2)
  signs.delete(own.serverId)
})

test('a panel that was restored from a backup replaces the newer plans of its agents', async () => {
  const MINUTE_MS = 60_000
  const own = server()
  signs.set(own.serverId, { revision: 6, body: { text: 'x' } })
  let passedMs = 63 * 60 * MINUTE_MS
  const lookLater = async (revision: number) => {
    panel.passTime(2 * MINUTE_MS)
    const at = new Date(Date.now() + (passedMs += 2 * MINUTE_MS))
    servers.plans.splice(0, Infinity, { serverId: own.serverId, at, plans: { [sign.name]: revision } })
    await panel.settle()
    return (await own.agent.poll()).tasks
  }
  const [unknown] = await lookLater(90)
  expect(unknown!.payload).toEqual({ plan: sign.name, version: 1, revision: 0, replaces: 90 })
  await own.agent.fail(unknown!.taskId, 'REFUSED_OLDER')
  const [again] = await lookLater(91)
  expect(again!.payload).toEqual({ plan: sign.name, version: 1, revision: 0, replaces: 91 })
  await own.agent.succeed(again!.taskId, { revision: 6, applied: { length: 1 } })
  const [newer] = await lookLater(92)
  expect(newer!.payload).toEqual({ plan: sign.name, version: 1, revision: 6, replaces: 92 })
  await own.agent.succeed(newer!.taskId, { revision: 6, applied: { length: 1 } })
  expect(await lookLater(6)).toEqual([])
  signs.delete(own.serverId)
})
