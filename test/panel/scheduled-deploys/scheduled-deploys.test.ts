/** Schedules over HTTP: who sees and changes them, and what becomes of their times. */
import pino from 'pino'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { Rejection } from '#kernel/lib/rejection'
import { runDueSchedule } from '#panel/workflows/scheduled-deploys'
import { SYSTEM } from '#test/support/serve'
import { openPanel } from '../../../src/composition/panel.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const { refuse } = vi.hoisted(() => ({ refuse: { with: undefined as Error | undefined } }))
vi.mock(import('../../../src/panel/workflows/request-deployment.ts'), async (original) => {
  const real = await original()
  return {
    ...real,
    requestDeployment: async (...given) => {
      if (refuse.with) throw refuse.with
      return real.requestDeployment(...given)
    },
  }
})
beforeEach(() => void (refuse.with = undefined))

const panel = await startPanel()
await panel.licensed()
const [floor, servers] = [projectFixture(panel), serverFixture(panel)]
const root = await panel.somebody('SUPERADMIN')
const serverId = await servers.running(root)
/** Another process on the same database. */
const other = await openPanel(panel.settings, pino({ enabled: false }))
afterAll(() => other.close())

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]
type Who = { readonly as: string; readonly email: string }
let owner: Who = await panel.somebody()
const projectId = await floor.project(owner)
const environmentId = await floor.environment(owner, projectId, 'live')
const NOBODY = '01890000-0000-7000-8000-00000000dead'

/** Time passes for sessions, too. */
async function pass(ms: number): Promise<void> {
  panel.passTime(ms)
  owner = { ...owner, as: await panel.signIn(owner.email) }
}
const now = () => panel.panel.clock.now()
const later = (ms: number) => new Date(now().getTime() + ms).toISOString()

let made = 0
async function application(more: object = {}): Promise<string> {
  const values = { memoryMiB: 16, cpuMillis: 50, source: { kind: 'IMAGE', image: 'shop:1' } }
  const body = { projectId, environmentId, serverId, name: `App ${(made += 1)}`, ...values, ...more }
  return ok(await panel.call('POST', '/api/applications', { as: owner.as, body }), 201).id
}

type As = { readonly as: string }
const send = (method: string, path: string, body?: object, who: As = owner) =>
  panel.call(method, `/api/scheduled-deploys${path}`, { as: who.as, ...(body && { body }) })
const add = async (applicationId: string, more: object) => ok(await send('POST', '', { applicationId, ...more }), 201)
const shown = async (id: string) => ok(await send('GET', '')).find((each: { readonly id: string }) => each.id === id)
const eventsOf = async (id: string, type: string) =>
  (await panel.history()).filter((event) => event.type === type && event.data['scheduledDeployId'] === id)
const requestsBy = async (id: string) =>
  (await panel.history()).filter(
    ({ type, data }) => type === 'DeploymentRequested' && (data['cause'] as { id?: string } | undefined)?.id === id,
  )

test('a schedule is added, listed, changed and deleted', async () => {
  const applicationId = await application()
  const created = await add(applicationId, { cron: ' 30  2 * * * ', timezone: 'europe/berlin' })
  expect(created).toEqual({
    id: expect.any(String),
    applicationId,
    cron: '30 2 * * *',
    timezone: 'Europe/Berlin',
    runAt: null,
    missed: 'ONE',
    enabled: true,
    nextAt: expect.any(String),
    lastRun: null,
    missedFor: null,
    createdAt: expect.any(String),
  })
  expect(Date.parse(created.nextAt)).toBeGreaterThan(now().getTime())
  expect(await shown(created.id)).toEqual(created)
  const off = ok(await send('PATCH', `/${created.id}`, { enabled: false, missed: 'SKIP' }))
  expect(off).toEqual({ ...created, enabled: false, missed: 'SKIP', nextAt: null })
  const runAt = later(DAY_MS)
  const once = ok(await send('PATCH', `/${created.id}`, { runAt, enabled: true }))
  expect(once).toMatchObject({ cron: null, timezone: null, runAt, nextAt: runAt })
  expect(ok(await send('PATCH', `/${created.id}`, { cron: '0 0 * * *' }))).toMatchObject({
    timezone: 'UTC',
    runAt: null,
  })
  ok(await send('DELETE', `/${created.id}`), 204)
  expect(await shown(created.id)).toBeUndefined()
  for (const [method, path, body] of [
    ['PATCH', '', { enabled: true }],
    ['DELETE', '', undefined],
    ['POST', '/run', undefined],
  ] as const)
    expect((await send(method, `/${created.id}${path}`, body)).status, method).toBe(404)
})

test('a body with a bad field, and a time that never comes, are refused', async () => {
  const applicationId = await application()
  const { id } = await add(applicationId, { runAt: later(DAY_MS) })
  for (const body of [
    {},
    { cron: '0 0 * * *', runAt: later(DAY_MS) },
    { timezone: 'UTC' },
    { runAt: later(DAY_MS), timezone: 'UTC' },
    { cron: '* * * * * *' },
    { cron: '@daily' },
    { cron: '0 0 * * *', timezone: 'Mars/Base' },
    { cron: '0 0 * * *', missed: 'ALL' },
    { cron: '0 0 * * *; reboot' },
    { runAt: 'tomorrow' },
    { cron: '0 0 * * *', enabled: 'yes' },
    { cron: '0 0 * * *', more: 1 },
  ]) {
    expect((await send('POST', '', { applicationId, ...body })).status, JSON.stringify(body)).toBe(400)
    expect((await send('PATCH', `/${id}`, { ...body, missed: 'NONE' })).status, JSON.stringify(body)).toBe(400)
  }
  for (const body of [{ runAt: later(-1_000) }, { cron: '0 0 30 2 *' }]) {
    expect(refusalIn(await send('POST', '', { applicationId, ...body }))).toEqual([400, 'NEVER_DUE'])
    expect(refusalIn(await send('PATCH', `/${id}`, body))).toEqual([400, 'NEVER_DUE'])
  }
  expect(refusalIn(await send('PATCH', `/${id}`, { timezone: 'UTC' }))).toEqual([400, 'CRON_MISSING'])
  expect((await add(applicationId, { cron: '0 0 30 2 *', enabled: false })).nextAt).toBeNull()
})

test('a schedule deploys once at each of its times, as the application does', async () => {
  const { id, nextAt } = await add(await application(), { cron: '*/10 * * * *' })
  await panel.settle()
  expect(await requestsBy(id)).toEqual([])
  await pass(Date.parse(nextAt) - now().getTime() + 1_000)
  await panel.settle()
  await panel.settle()
  const [request, ...more] = await requestsBy(id)
  expect(more).toEqual([])
  expect(request!.data).toMatchObject({ cause: { type: 'SCHEDULE' } })
  expect(request!.metadata).toMatchObject({ actor: { type: 'SYSTEM' } })
  const { lastRun, nextAt: after } = await shown(id)
  expect(lastRun).toMatchObject({ scheduledFor: nextAt, deploymentId: request!.data['deploymentId'], refusal: null })
  expect(Date.parse(after) - Date.parse(nextAt)).toBe(10 * MINUTE_MS)
  await pass(10 * MINUTE_MS)
  await panel.settle()
  expect(await requestsBy(id)).toHaveLength(2)
  ok(await send('DELETE', `/${id}`), 204)
})

test('of two processes that run the same time at once, one deploys', async () => {
  const { id, nextAt } = await add(await application(), { runAt: later(MINUTE_MS) })
  await pass(MINUTE_MS + 1_000)
  const here = { run: panel.run }
  const there = { run: <Result>(work: Parameters<typeof panel.run<Result>>[0]) => other.commands.run(SYSTEM, work) }
  // The clock of the other process is not ahead: there, the time has not come.
  await runDueSchedule(there.run, id, nextAt)
  expect(await requestsBy(id)).toEqual([])
  await Promise.all(Array.from({ length: 5 }, () => runDueSchedule(here.run, id, nextAt)))
  expect(await requestsBy(id)).toHaveLength(1)
  expect(await eventsOf(id, 'ScheduledDeployRan')).toHaveLength(1)
})

test('a panel that was down deploys once for all missed times with ONE, and notes them with SKIP', async () => {
  const applicationId = await application()
  const one = await add(applicationId, { cron: '*/10 * * * *' })
  const skip = await add(applicationId, { cron: '*/10 * * * *', missed: 'SKIP' })
  const shot = await add(applicationId, { runAt: later(MINUTE_MS), missed: 'SKIP' })
  const due = Date.parse(one.nextAt)
  // Five minutes after one of its times.
  await pass(due - now().getTime() + 2 * DAY_MS + 5 * MINUTE_MS)
  await panel.settle()
  expect(await requestsBy(one.id)).toHaveLength(1)
  expect(await requestsBy(skip.id)).toEqual([])
  expect(await requestsBy(shot.id)).toEqual([])
  const next = new Date(due + 2 * DAY_MS + 10 * MINUTE_MS).toISOString()
  expect(await shown(one.id)).toMatchObject({ nextAt: next, missedFor: null, lastRun: { scheduledFor: one.nextAt } })
  expect(await shown(skip.id)).toMatchObject({ nextAt: next, missedFor: skip.nextAt, lastRun: null })
  expect(await shown(shot.id)).toMatchObject({ nextAt: null, missedFor: shot.nextAt, lastRun: null })
  for (const { id } of [one, skip, shot]) ok(await send('DELETE', `/${id}`), 204)
})

test('what is due a moment ago is not missed, even if earlier times are', async () => {
  const { id, nextAt } = await add(await application(), { cron: '*/10 * * * *', missed: 'SKIP' })
  await pass(Date.parse(nextAt) - now().getTime() + 20 * MINUTE_MS + 5_000)
  await panel.settle()
  const [missed, ran] = [await eventsOf(id, 'ScheduledDeployMissed'), await eventsOf(id, 'ScheduledDeployRan')]
  expect(missed.map(({ data }) => data['scheduledFor'])).toEqual([nextAt])
  const last = new Date(Date.parse(nextAt) + 20 * MINUTE_MS).toISOString()
  expect(ran.map(({ data }) => data['scheduledFor'])).toEqual([last])
  ok(await send('DELETE', `/${id}`), 204)
})

test('a schedule runs at once when it is asked to, which leaves its time unused', async () => {
  const runAt = later(MINUTE_MS)
  const { id } = await add(await application(), { runAt })
  const { id: deploymentId } = ok(await send('POST', `/${id}/run`), 202)
  expect((await requestsBy(id)).map(({ data }) => data['deploymentId'])).toEqual([deploymentId])
  expect(await shown(id)).toMatchObject({ nextAt: runAt, lastRun: null })
  await pass(MINUTE_MS + 1_000)
  await panel.settle()
  expect(await requestsBy(id)).toHaveLength(2)
  expect(await shown(id)).toMatchObject({ nextAt: null })
  refuse.with = new Rejection('conflict', 'nothing', 'NOTHING_TO_DEPLOY')
  expect(refusalIn(await send('POST', `/${id}/run`))).toEqual([409, 'NOTHING_TO_DEPLOY'])
})

test('a deployment that is refused is noted with the reason, and the next time is tried', async () => {
  const { id, nextAt } = await add(await application(), { cron: '*/10 * * * *' })
  refuse.with = new Rejection('conflict', 'nothing', 'NOTHING_TO_DEPLOY')
  await pass(Date.parse(nextAt) - now().getTime() + 1_000)
  await panel.settle()
  expect((await shown(id)).lastRun).toMatchObject({
    scheduledFor: nextAt,
    deploymentId: null,
    refusal: 'NOTHING_TO_DEPLOY',
  })
  refuse.with = undefined
  await pass(10 * MINUTE_MS)
  await panel.settle()
  expect((await shown(id)).lastRun).toMatchObject({ refusal: null })
  expect(await requestsBy(id)).toHaveLength(1)
  ok(await send('DELETE', `/${id}`), 204)
})

test('a time that is changed, switched off or deleted meanwhile is not used', async () => {
  const applicationId = await application()
  const runAt = later(MINUTE_MS)
  const [moved, off, gone] = [
    await add(applicationId, { runAt }),
    await add(applicationId, { runAt }),
    await add(applicationId, { runAt }),
  ]
  ok(await send('PATCH', `/${moved.id}`, { runAt: later(DAY_MS) }))
  ok(await send('PATCH', `/${off.id}`, { enabled: false }))
  ok(await send('DELETE', `/${gone.id}`), 204)
  await pass(MINUTE_MS + 1_000)
  for (const { id } of [moved, off, gone]) await runDueSchedule(panel.run, id, runAt)
  await panel.settle()
  for (const { id } of [moved, off, gone]) expect(await requestsBy(id)).toEqual([])
  expect((await send('PATCH', `/${off.id}`, { enabled: true })).headers.get('error-code')).toBe('NEVER_DUE')
})

test('an application has at most 50 schedules, exactly, and they go with it', async () => {
  const applicationId = await application()
  const body = { applicationId, cron: '0 0 * * *' }
  const replies = await Promise.all(Array.from({ length: 53 }, () => send('POST', '', body)))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(50)
  for (const refused of replies.filter(({ status }) => status !== 201))
    expect(refusalIn(refused)).toEqual([409, 'TOO_MANY'])
  ok(await send('DELETE', `/${replies.find(({ status }) => status === 201)!.body.id}`), 204)
  ok(await send('POST', '', body), 201)
  expect(ok(await send('GET', `?applicationId=${applicationId}`))).toHaveLength(50)
  ok(await panel.call('DELETE', `/api/applications/${applicationId}`, { as: owner.as }), 204)
  await panel.panel.projector.catchUp()
  expect(ok(await send('GET', `?applicationId=${applicationId}`))).toEqual([])
  const removed = (await panel.history()).filter(
    ({ type, data }) => type === 'ScheduledDeployRemoved' && data['applicationId'] === applicationId,
  )
  expect(removed).toHaveLength(51)
  expect((await send('POST', '', body)).status).toBe(404)
})

test('members see and change schedules as their roles in the environment allow', async () => {
  const elsewhere = await floor.environment(owner, projectId, 'trial')
  const [one, two] = [await application(), await application({ environmentId: elsewhere })]
  const ids = [(await add(one, { runAt: later(DAY_MS) })).id, (await add(two, { runAt: later(DAY_MS) })).id]
  const viewer = await floor.member(owner, projectId, { role: 'VIEWER' })
  const partly = await floor.member(owner, projectId, { role: 'DEVELOPER', environmentIds: [elsewhere] })
  const stranger = await panel.somebody()
  const again = await panel.signIn(root.email)
  const seen = async (who: As, query = '') =>
    ok(await send('GET', query, undefined, who))
      .map(({ id }: { readonly id: string }) => id)
      .filter((id: string) => ids.includes(id))
  expect(await seen(viewer)).toEqual(ids.toReversed())
  expect(await seen(partly)).toEqual([ids[1]])
  expect(await seen(stranger)).toEqual([])
  expect(await seen({ as: again }, '?scope=all')).toEqual(ids.toReversed())
  expect((await send('GET', '?scope=all', undefined, stranger)).status).toBe(403)
  for (const [who, id, applicationId, status] of [
    [viewer, ids[0], one, 403],
    [partly, ids[0], one, 404],
    [partly, ids[1], two, 200],
    [stranger, ids[1], two, 404],
    [owner, NOBODY, NOBODY, 404],
  ] as const) {
    expect((await send('PATCH', `/${id}`, { missed: 'SKIP' }, who)).status).toBe(status)
    expect((await send('POST', `/${id}/run`, undefined, who)).status).toBe(status === 200 ? 202 : status)
    const body = { applicationId, runAt: later(DAY_MS) }
    expect((await send('POST', '', body, who)).status).toBe(status === 200 ? 201 : status)
    expect((await send('DELETE', `/${id}`, undefined, who)).status).toBe(status === 200 ? 204 : status)
  }
})
