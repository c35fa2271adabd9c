/** The routes of agents, over HTTP, on a real database: hand-out, progress, results, and who sees a task. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { newSecret } from '#kernel/credentials/secret-token'
import { Rejection } from '#kernel/lib/rejection'
import { uuidv7 } from '#kernel/lib/uuid'
import { tasks } from '#panel/agent/decider'
import { publicTaskKeyOf, taskJwkIn } from '#panel/agent/keys/task-keys'
import { queueTask, refuseFullQueue, taskIdFor } from '#panel/agent/queue-task'
import { addLines, readLog } from '#panel/agent/task-log'
import type { TaskKind } from '../../../src/tasks/kind.ts'
import { POOL_SIZES } from '../../../src/tasks/pools.ts'
import { openBox } from '../../../src/tasks/sealed-box.ts'
import { append, echo, lines, sleep } from '../../support/agent/kinds.ts'
import { agentDouble } from '../../support/panel/agent-double.ts'
import { projectFixture } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import { handServers, openTaskPanel, testServer } from '../../support/panel/task-panel.ts'
import type { TestServer } from '../../support/panel/task-panel.ts'

const servers = handServers()
const secrets = new Map<string, object | Error>()
const panel = await startPanel({ open: openTaskPanel(servers, secrets) })
const taskKey = () => panel.run(async (unit) => publicTaskKeyOf(await taskJwkIn(unit)))
const cause = { type: 'test', id: '1' }

function server(changes = {}): TestServer {
  const made = testServer(uuidv7(), changes)
  servers.known.set(made.serverId, made)
  return made
}

const agentOf = (own: TestServer, run?: string) => agentDouble(panel.call, own, taskKey, run as never)

async function queue<Payload>(
  own: TestServer,
  kind: TaskKind<Payload>,
  payload: Payload,
  projectId: string | null = null,
) {
  const taskId = await panel.run(async (unit) => {
    const id = unit.newId()
    await queueTask(unit, kind, { taskId: id, serverId: own.serverId, projectId, payload, cause })
    return id
  })
  await panel.panel.projector.catchUp()
  return taskId
}

const stateOf = async (id: string) => (await panel.run((unit) => unit.look(tasks, id)))?.state
const cancel = async (id: string) => {
  await panel.run((unit) => unit.decide(tasks, id, 'Cancel', {}))
  await panel.panel.projector.catchUp()
}
/** Until another request of the agent than before is let in, and has had time to find nothing. */
async function untilItWaits({ serverId }: TestServer, before: number): Promise<void> {
  await expect.poll(() => timesAsked(serverId), { interval: 5 }).toBeGreaterThan(before)
  await new Promise((resolve) => setTimeout(resolve, 100))
}
const timesAsked = (of: string) => servers.asked.filter((serverId) => serverId === of).length
const idsOf = (handed: { tasks: { taskId: string }[] }) => handed.tasks.map(({ taskId }) => taskId)
const held = (id: string, ended = false, attempt = 1) => ({ id, attempt, ended })

test('only the token of the server, with both headers, from an allowed address, is let in', async () => {
  const own = server()
  const headers = { 'daybook-server': own.serverId, 'daybook-run': randomUUID() }
  const body = { free: POOL_SIZES, holding: [] }
  const poll = (as: string | undefined, sent: Record<string, string>) =>
    panel.call('POST', '/api/agent/poll', { ...(as && { as }), headers: sent, body })
  expect((await poll(own.token, headers)).status).toBe(204)
  const elsewhere = server({ allowedIps: ['192.0.2.1'] })
  const refused = await Promise.all([
    poll(newSecret('a'), headers),
    poll(
      own.token.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')),
      headers,
    ),
    poll(own.token, { ...headers, 'daybook-server': uuidv7() }),
    poll(own.token, { ...headers, 'daybook-server': server().serverId }),
    poll(own.token, { 'daybook-server': own.serverId }),
    poll(own.token, { ...headers, 'daybook-run': '1' }),
    poll(elsewhere.token, { ...headers, 'daybook-server': elsewhere.serverId }),
  ])
  for (const { status, text } of refused)
    expect([status, JSON.parse(text).message]).toEqual([401, 'Invalid agent token'])
  expect((await poll(undefined, headers)).status).toBe(401)
  const person = await panel.somebody('SUPERADMIN')
  expect((await poll(person.as, headers)).status).toBe(403)
  expect((await panel.call('GET', '/api/auth/me', { as: own.token })).status).toBe(401)
})

test('a task is handed out once an attempt, sent again while it is not held, and in order', async () => {
  const own = server()
  const agent = agentOf(own)
  const ids = [await queue(own, echo, { text: 'a', lane: 'one' }), await queue(own, sleep, { ms: 5 })]
  const first = await agent.poll()
  expect(idsOf(first)).toEqual(ids)
  expect(first.tasks[0]).toMatchObject({ attempt: 1, payload: { text: 'a' }, runMs: 60_000, secrets: null })
  expect(first.tasks[1]).toMatchObject({ runMs: 1_005 })
  expect(idsOf(await agent.poll({ holding: ids.map((id) => held(id)) }))).toEqual([])
  // The answer was lost.
  expect(idsOf(await agent.poll({ holding: [held(ids[1]!)], waitMs: 3_000 }))).toEqual([ids[0]])
  const started = (await panel.history()).filter(
    ({ type, stream }) => type === 'TaskStarted' && ids.some((id) => stream.endsWith(id)),
  )
  expect(started).toHaveLength(2)
  expect(started[0]!.data).toMatchObject({ run: agent.run })
})

test('a poll that waits is woken by what is queued, and answers 204 at its end', async () => {
  const own = server()
  const agent = agentOf(own)
  const startedMs = performance.now()
  expect((await agent.pollReply({ waitMs: 300 })).status).toBe(204)
  expect(performance.now() - startedMs).toBeGreaterThan(290)
  const before = timesAsked(own.serverId)
  const waiting = agent.poll({ waitMs: 30_000 })
  await untilItWaits(own, before)
  const queuedMs = performance.now()
  const id = await queue(own, echo, { text: 'x' })
  expect(idsOf(await waiting)).toEqual([id])
  expect(performance.now() - queuedMs).toBeLessThan(2_000)
})

test('a poll that waits gets nothing once its agent is not that of the server', async () => {
  const changes: readonly ((own: TestServer) => Partial<TestServer> | undefined)[] = [
    () => undefined,
    () => ({ publicKey: testServer(uuidv7()).publicKey }),
    () => ({ isConflicted: true }),
    () => ({ allowedIps: ['192.0.2.1'] }),
  ]
  for (const change of changes) {
    const own = server()
    const waiting = agentOf(own).pollReply({ waitMs: 30_000 })
    await untilItWaits(own, 0)
    const changed = change(own)
    if (changed) servers.known.set(own.serverId, { ...own, ...changed })
    else servers.known.delete(own.serverId)
    const id = await queue(own, echo, { text: 'x' })
    expect((await waiting).status, String(change)).toBe(401)
    expect(await stateOf(id)).toBe('QUEUED')
    await cancel(id)
  }
})

test('a second poll of an agent ends the first, and a newer process the older one', async () => {
  const own = server()
  const agent = agentOf(own)
  const first = agent.pollReply({ waitMs: 30_000 })
  await untilItWaits(own, 0)
  const second = agent.pollReply({ waitMs: 200 })
  expect((await first).status).toBe(204)
  expect((await second).status).toBe(204)
  const newer = agentOf(own)
  expect((await newer.pollReply()).status).toBe(204)
  const replaced = await agent.pollReply()
  expect([replaced.status, replaced.headers.get('error-code')]).toEqual([409, 'RUN_SUPERSEDED'])
  expect((await newer.pollReply()).status).toBe(204)
})

test('lanes run one by one, also over a retry, and no pool gets more than it has free', async () => {
  const own = server()
  const agent = agentOf(own)
  const [a, b] = [await queue(own, echo, { text: 'a', lane: 'l' }), await queue(own, echo, { text: 'b', lane: 'l' })]
  expect(idsOf(await agent.poll())).toEqual([a])
  expect(idsOf(await agent.poll({ holding: [held(a)] }))).toEqual([])
  expect((await agent.fail(a, 'TRY_AGAIN')).body).toEqual({ state: 'QUEUED', late: false })
  expect(idsOf(await agent.poll())).toEqual([])
  const again = await agent.poll({ waitMs: 5_000 })
  expect(again.tasks).toMatchObject([{ taskId: a, attempt: 2 }])
  expect((await agent.fail(a, 'TRY_AGAIN')).body, 'told again').toEqual({ state: 'RUNNING', late: false })
  const polling = agent.poll({ holding: [held(a, false, 2)], waitMs: 10_000 })
  await cancel(a)
  expect((await polling).cancel, 'of an attempt after one that has ended').toEqual([a])
  expect((await agent.succeed(a, { text: 'a' }, 2)).body).toEqual({ state: 'SUCCEEDED', late: false })
  expect(idsOf(await agent.poll())).toEqual([b])
  await agent.succeed(b, { text: 'b' })
  const many = []
  for (let nth = 0; nth < 10; nth += 1) many.push(await queue(own, lines, { count: 1, everyMs: 0 }))
  expect(idsOf(await agent.poll({ free: { ...POOL_SIZES, io: 3 } }))).toEqual(many.slice(0, 3))
  expect(
    idsOf(await agent.poll({ free: { ...POOL_SIZES, io: 0 }, holding: many.slice(0, 3).map((id) => held(id)) })),
  ).toEqual([])
  expect(idsOf(await agent.poll({ holding: many.slice(0, 3).map((id) => held(id)) }))).toEqual(many.slice(3, 7))
})

test('cancel: what waits ends, what runs is named once, what is not held is sent with its cancellation', async () => {
  const own = server()
  const agent = agentOf(own)
  const [waits, runs, lost] = [
    await queue(own, sleep, { ms: 1 }),
    await queue(own, sleep, { ms: 1 }),
    await queue(own, sleep, { ms: 1 }),
  ]
  await cancel(waits)
  expect(await stateOf(waits)).toBe('CANCELLED')
  expect(idsOf(await agent.poll())).toEqual([runs, lost])
  const polling = agent.poll({ holding: [held(runs), held(lost)], waitMs: 10_000 })
  await cancel(runs)
  expect(await polling).toEqual({ tasks: [], cancel: [runs], drop: [] })
  expect(await agent.poll({ holding: [held(runs), held(lost)] })).toEqual({ tasks: [], cancel: [], drop: [] })
  expect((await agent.progress(runs, ['still here'])).body).toMatchObject({ cancel: true })
  expect((await agent.cancelled(runs)).body).toEqual({ state: 'CANCELLED', late: false })
  await cancel(lost)
  const restarted = agentOf(own)
  const handed = await restarted.poll()
  expect([idsOf(handed), handed.cancel]).toEqual([[lost], [lost]])
})

test('the end is answered the same when it is told again, and late after another end', async () => {
  const own = server()
  const agent = agentOf(own)
  const id = await queue(own, echo, { text: 'x' })
  await agent.poll()
  for (let times = 0; times < 3; times += 1)
    expect((await agent.succeed(id, { text: 'x' })).body).toEqual({ state: 'SUCCEEDED', late: false })
  for (let times = 0; times < 2; times += 1)
    expect((await agent.fail(id, 'OTHER')).body).toEqual({ state: 'SUCCEEDED', late: true })
  const types = (await panel.history()).filter(({ stream }) => stream.endsWith(id)).map(({ type }) => type)
  expect(types).toEqual(['TaskQueued', 'TaskStarted', 'TaskSucceeded', 'TaskEndedLate'])
  const told = await queue(own, echo, { text: 'y' })
  await agent.poll()
  const before = timesAsked(own.serverId)
  const waiting = agent.pollReply({ holding: [held(told)], waitMs: 500 })
  await untilItWaits(own, before)
  await agent.succeed(told, { text: 'y' })
  expect((await waiting).status, 'its answer says that it is over').toBe(204)
  const gone = await queue(own, sleep, { ms: 60_000 })
  await agent.poll()
  await panel.run((unit) => unit.decide(tasks, gone, 'Abandon', { code: 'SERVER_RESET', message: 'Reset' }))
  await panel.panel.projector.catchUp()
  expect((await agent.poll({ holding: [held(gone), held(uuidv7())] })).drop).toEqual([gone])
})

test('a result of another form is kept out, and a kind that the agent does not know fails at once', async () => {
  const own = server({ kinds: { 'test.echo': 1, 'test.sleep': 0 } })
  const agent = agentOf(own)
  const [bad, unknown] = [await queue(own, echo, { text: 'x' }), await queue(own, sleep, { ms: 1 })]
  expect(idsOf(await agent.poll())).toEqual([bad])
  expect(await stateOf(unknown)).toBe('FAILED')
  expect((await agent.read(unknown)).body.error.code).toBe('AGENT_TOO_OLD')
  expect((await agent.succeed(bad, { text: 'x', more: '<script>' })).body).toEqual({ state: 'FAILED', late: false })
  expect((await agent.read(bad)).body).toMatchObject({ result: null, error: { code: 'BAD_RESULT' } })
  expect(await panel.dump()).not.toContain('<script>')
})

test('an agent that is older than a pool gets its other tasks, and fails those of the pool at once', async () => {
  const own = server({ kinds: { 'test.echo': 1 } })
  const agent = agentOf(own)
  const [known, unknown] = [await queue(own, echo, { text: 'x' }), await queue(own, lines, { count: 1, everyMs: 0 })]
  const { io: _newer, ...free } = POOL_SIZES
  expect(idsOf(await agent.poll({ free }))).toEqual([known])
  expect((await agent.read(unknown)).body.error.code).toBe('AGENT_TOO_OLD')
})

test('lines are kept once and in order, and a reader waits for them and for the end', async () => {
  const own = server()
  const agent = agentOf(own)
  const id = await queue(own, lines, { count: 3, everyMs: 0 })
  await agent.poll()
  expect((await agent.progress(id, [])).body).toEqual({ next: 1, cancel: false, pause: false })
  expect((await agent.progress(id, ['one', 'two'])).body.next).toBe(3)
  expect((await agent.progress(id, ['one', 'two', 'three'])).body.next).toBe(4)
  await Promise.all(Array.from({ length: 10 }, () => agent.progress(id, ['two', 'three', 'four'], 2)))
  const all = (await agent.read(id)).body.log
  expect(all.lines.map(({ seq, text }: { seq: number; text: string }) => [seq, text])).toEqual([
    [1, 'one'],
    [2, 'two'],
    [3, 'three'],
    [4, 'four'],
  ])
  expect([all.next, all.cut]).toEqual([4, 0])
  const waiting = agent.read(id, '?after=4&waitMs=20000')
  await new Promise((resolve) => setTimeout(resolve, 50))
  await agent.progress(id, ['five'], 5)
  expect((await waiting).body.log.lines).toMatchObject([{ seq: 5, text: 'five' }])
  const ending = agent.read(id, '?after=5&waitMs=20000')
  await agent.succeed(id, { count: 5 })
  expect((await ending).body).toMatchObject({ state: 'SUCCEEDED', result: { count: 5 } })
})

test('of a long log the head and the tail are kept', async () => {
  const own = server()
  const agent = agentOf(own)
  const id = await queue(own, lines, { count: 3, everyMs: 0 })
  const text = 'x'.repeat(7_000)
  const PER_CALL = 9
  for (let from = 1; from < 1_900; from += PER_CALL)
    expect(
      (
        await agent.progress(
          id,
          Array.from({ length: PER_CALL }, () => text),
          from,
        )
      ).status,
    ).toBe(200)
  const { rows } = await panel.superuser.query('SELECT seq FROM telemetry.task_line WHERE task_id = $1 ORDER BY seq', [
    id,
  ])
  const seqs: number[] = rows.map(({ seq }) => seq)
  const gap = seqs.findIndex((seq, nth) => seq !== nth + 1)
  expect(gap * 7_000).toBeGreaterThan(2_000_000)
  expect(gap * 7_000).toBeLessThanOrEqual(2 * 1_024 * 1_024)
  const last = seqs.at(-1)!
  expect(seqs.length - gap).toBe(last - seqs[gap]! + 1)
  expect((await agent.read(id)).body.log.cut).toBe(last - seqs.length)
  expect(seqs.length * 7_000).toBeLessThan(11.5 * 1_024 * 1_024)
})

test('lines with numbers that repeat or are beyond all that are counted, or with no moment, are refused', async () => {
  const own = server()
  const agent = agentOf(own)
  const id = await queue(own, lines, { count: 3, everyMs: 0 })
  const say = async (seqs: readonly number[], at = '2026-01-01T00:00:00.000Z') => {
    const said = seqs.map((seq) => ({ seq, at, of: 'OUT', text: 'x' }))
    return (await agent.post(`tasks/${id}/progress`, { attempt: 1, lines: said })).status
  }
  for (const seqs of [[1, 1], [2, 1], [2_147_483_647], [9e15]]) expect(await say(seqs), seqs.join()).toBe(400)
  expect((await agent.succeed(id, { count: 3 }, 9e15)).status).toBe(400)
  expect(await say([1], '0000-01-01T00:00:00Z')).toBe(400)
  expect(await say([1, 2, 4])).toBe(200)
  expect(await say([2_000_000_000])).toBe(200)
  const { body } = await agent.post(`tasks/${id}/progress`, { attempt: 1, lines: [], commits: true })
  expect(body, 'it does not run').toMatchObject({ cancel: true, mayCommit: false })
})

test('a log of empty lines is cut, too', async () => {
  const id = uuidv7()
  const [PER_CALL, CALLS] = [20_000, 10]
  const at = new Date()
  for (let call = 0; call < CALLS; call += 1) {
    const from = call * PER_CALL + 1
    const empty = Array.from({ length: PER_CALL }, (_none, nth) => ({
      seq: from + nth,
      at: at.toISOString(),
      of: 'OUT' as const,
      text: '',
    }))
    expect(await addLines(panel.panel.pool, id, empty, null)).toBe(from + PER_CALL)
  }
  const { rows } = await panel.superuser.query(
    'SELECT count(*)::int AS kept, max(seq) AS last FROM telemetry.task_line WHERE task_id = $1',
    [id],
  )
  const { cut } = await readLog(panel.panel.pool, id, 0)
  expect(rows).toEqual([{ kept: PER_CALL * CALLS - cut, last: PER_CALL * CALLS }])
  expect(rows[0].kept * 64).toBeLessThanOrEqual(10 * 1_024 * 1_024 + 64)
  await panel.superuser.query('DELETE FROM telemetry.task_line WHERE task_id = $1', [id])
})

test('a foreign task is answered as an unknown one, byte for byte', async () => {
  const [own, other] = [server(), server()]
  const id = await queue(other, echo, { text: 'x' })
  const agent = agentOf(own)
  const unknown = uuidv7()
  const calls = (each: string) => [
    agent.read(each),
    agent.progress(each, ['x']),
    agent.succeed(each, { text: 'x' }),
    agent.post(`tasks/${each.toUpperCase()}/result`, { attempt: 1, lastSeq: 0, outcome: 'CANCELLED' }),
  ]
  const [foreign, none] = [await Promise.all(calls(id)), await Promise.all(calls(unknown))]
  expect(foreign.map(({ status, text }) => [status, text])).toEqual(none.map(({ status, text }) => [status, text]))
  expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  expect(await stateOf(id)).toBe('QUEUED')
})

test('secrets are sealed to the agent, for the attempt, and stand nowhere else', async () => {
  const own = server()
  const agent = agentOf(own)
  const id = await queue(own, echo, { text: 'x' })
  secrets.set(id, { password: 'canary-of-a-task' })
  const [task] = (await agent.poll()).tasks
  expect(openBox(task!.secrets!, own.boxKeys, { taskId: id, attempt: 1 })?.toString()).toBe(
    '{"password":"canary-of-a-task"}',
  )
  expect(openBox(task!.secrets!, own.boxKeys, { taskId: id, attempt: 2 })).toBeUndefined()
  expect(await panel.dump()).not.toContain('canary-of-a-task')
  expect(panel.logs()).not.toContain('canary-of-a-task')
  const lost = await queue(own, echo, { text: 'y' })
  secrets.set(lost, new Rejection('conflict', 'The registry is gone', 'REGISTRY_GONE'))
  const stuck = await queue(own, echo, { text: 'z' })
  secrets.set(stuck, new Error('no database'))
  expect(idsOf(await agent.poll({ holding: [held(id)] }))).toEqual([])
  expect(await stateOf(lost)).toBe('FAILED')
  expect(await stateOf(stuck)).toBe('RUNNING')
  secrets.delete(stuck)
  expect(idsOf(await agent.poll({ holding: [held(id)], waitMs: 3_000 }))).toEqual([stuck])
})

test('viewers see a task, those who manage its server all of it, and others nothing', async () => {
  const { project, member } = projectFixture(panel)
  await panel.licensed()
  const owner = await panel.somebody()
  const projectId = await project(owner)
  const own = server()
  const agent = agentOf(own)
  const id = await queue(own, echo, { text: 'shown', lane: 'hidden' }, projectId)
  await agent.poll()
  await agent.progress(id, ['a line'])
  await agent.succeed(id, { text: 'shown' })
  const read = (as: string) => panel.call('GET', `/api/agent/tasks/${id}`, { as })
  const viewer = await panel.somebody('ADMIN', ['servers:view'])
  const manager = await panel.somebody('ADMIN', ['servers:view', 'servers:manage'])
  const byRule = await panel.somebody()
  servers.managers.add(`${byRule.id}/${own.serverId}`)
  const all = {
    payload: { text: 'shown', lane: 'hidden' },
    result: { text: 'shown' },
    log: { lines: [{ text: 'a line' }] },
  }
  for (const { as } of [manager, byRule]) expect((await read(as)).body).toMatchObject(all)
  const part = { id, state: 'SUCCEEDED', payload: { text: 'shown' }, result: { text: 'shown' }, log: null }
  const seen = (await read(viewer.as)).body
  expect(seen).toMatchObject(part)
  expect(seen.payload).toEqual({ text: 'shown' })
  expect((await read(owner.as)).body).toMatchObject({ ...part, log: { lines: [{ text: 'a line' }] } })
  const reader = await member(owner, projectId, { role: 'VIEWER' })
  expect((await read(reader.as)).body).toMatchObject(part)
  const stranger = await panel.somebody()
  const unknown = await panel.call('GET', `/api/agent/tasks/${uuidv7()}`, { as: stranger.as })
  const refused = await read(stranger.as)
  expect([refused.status, refused.text]).toEqual([404, unknown.text])
})

test('a beat is passed on, alone and with a poll', async () => {
  const own = server()
  const agent = agentOf(own)
  const beat = {
    cpuPercent: 1.5,
    memoryBytes: 1,
    memoryUsedBytes: 1,
    diskBytes: 1,
    diskUsedBytes: 1,
    load: 0.1,
    containers: null,
    engine: 'NONE' as const,
    plans: {},
  }
  expect((await agent.post('heartbeat', beat)).body).toEqual({ now: expect.any(String), nextMs: 10_000 })
  await agent.pollReply({ beat })
  expect(servers.contacts.filter(({ serverId }) => serverId === own.serverId)).toMatchObject([{ beat }, { beat }])
  expect((await agent.post('heartbeat', { ...beat, cpuPercent: 101 })).status).toBe(400)
})

test('what no agent takes expires, and a full queue is refused', async () => {
  const own = server()
  const id = await queue(own, append, { text: 'x' })
  await panel.run((unit) => refuseFullQueue(panel.panel.read, own.serverId).then(() => unit.look(tasks, id)))
  panel.passTime(3_600_000)
  await panel.settle()
  expect(await stateOf(id)).toBe('EXPIRED')
  const full = server()
  await panel.run(async (unit) => {
    for (let nth = 0; nth < 1_000; nth += 1) {
      const taskId = taskIdFor({ type: 'test', id: full.serverId }, sleep, nth)
      await queueTask(unit, sleep, { taskId, serverId: full.serverId, projectId: null, payload: { ms: 1 }, cause })
    }
  })
  await panel.panel.projector.catchUp()
  await expect(refuseFullQueue(panel.panel.read, full.serverId)).rejects.toMatchObject({
    statusCode: 503,
    code: 'QUEUE_FULL',
  })
  expect(taskIdFor(cause, echo)).toBe(taskIdFor(cause, echo))
  expect(new Set([taskIdFor(cause, echo), taskIdFor(cause, echo, 1), taskIdFor(cause, sleep)]).size).toBe(3)
})
