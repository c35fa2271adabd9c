/** Logs and figures of running applications over HTTP: a real agent on a real engine. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { tasks } from '#panel/agent/decider'
import { queueTask } from '#panel/agent/queue-task'
import { addLines } from '#panel/agent/task-log'
import { deployments } from '#panel/deployments/decider'
import { gitFetch } from '../../../src/tasks/builds.ts'
import type { TaskKind } from '../../../src/tasks/kind.ts'
import { releaseRetire } from '../../../src/tasks/releases.ts'
import { noEngine } from '../../support/docker-engine.ts'
import { applicationsOn } from '../../support/panel/application-on-host.ts'
import { openLogClient } from '../../support/panel/log-client.ts'
import type { LogClient } from '../../support/panel/log-client.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { realHost } from '../../support/panel/real-host.ts'
import type { RealHost } from '../../support/panel/real-host.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const panel = await startPanel()
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const [ada, bob] = [await panel.somebody(), await panel.somebody()]
const floor = projectFixture(panel)
const silentId = await serverFixture(panel).running(root)
const directory = scratchOfFile()
let host: RealHost | undefined
let create: Awaited<ReturnType<typeof applicationsOn>>
beforeAll(async () => {
  if (noEngine !== undefined) return
  host = await realHost(panel, root, directory)
  create = await applicationsOn(panel, host)
})
afterAll(() => host?.stop())
type App = Awaited<ReturnType<typeof create>>

const get = ({ path }: Pick<App, 'path'>, query = '', as = ada.as) => panel.call('GET', `${path}/${query}`, { as })
const logs = (app: App, query = '') => get(app, `logs?${query}`)
const textsOf = (reply: any): string[] => ok(reply).lines.map(({ text }: { text: string }) => text)
const untilSaid = (app: App, text: string) =>
  vi.waitUntil(async () => textsOf(await logs(app, 'tail=5000')).includes(text), { timeout: 10_000, interval: 100 })

const open: LogClient[] = []
afterAll(() => open.forEach((each) => each.close()))
async function stream(app: App, more: { query?: string; from?: string | undefined; as?: string } = {}) {
  const client = await openLogClient(panel.url, { path: `${app.path}/logs/stream`, as: ada.as, ...more })
  open.push(client)
  return client
}

test.skipIf(noEngine)(
  'the newest lines of all containers are read, or those of a service, a deployment or a time',
  async () => {
    const app = await create(ada)
    const older = uuidv7()
    await app.start('echo old', { deploymentId: older })
    await untilSaid(app, 'old')
    await app.start('echo one; echo two >&2; sleep 0.1; echo three; exec sleep 1000', { service: 'web', replica: 2 })
    await untilSaid(app, 'three')
    const all = ok(await logs(app))
    expect(all.isCut).toBe(false)
    expect(all.lines.map(({ text }: any) => text).toSorted()).toEqual(['old', 'one', 'three', 'two'])
    expect(all.lines.at(-1)).toEqual({
      at: expect.stringMatching(/^\d{4}-.+\.\d{9}Z$/),
      of: 'OUT',
      service: 'web',
      replica: 2,
      deploymentId: app.deploymentId,
      text: 'three',
    })
    expect(all.lines.find(({ text }: any) => text === 'two').of).toBe('ERR')
    expect(ok(await logs(app, 'tail=1'))).toMatchObject({ isCut: true, lines: [{ text: 'three' }] })
    expect(textsOf(await logs(app, 'service=app'))).toEqual(['old'])
    expect(textsOf(await logs(app, `deploymentId=${older}`))).toEqual(['old'])
    expect(textsOf(await logs(app, `since=${all.lines.at(-1).at}`))).toEqual(['three'])
    expect(textsOf(await logs(app, `since=${all.lines[1].at.slice(0, 19)}Z`)).length).toBeGreaterThanOrEqual(3)
  },
)

test.skipIf(noEngine)('an answer holds 1 MiB of the newest lines, and long lines are cut', async () => {
  const app = await create(ada)
  await app.start(
    'i=0; while [ $i -lt 400 ]; do echo "$i $(head -c 6000 /dev/zero | tr "\\0" x)"; i=$((i+1)); done; head -c 40000 /dev/zero | tr "\\0" y; echo; echo end; exec sleep 1000',
  )
  await untilSaid(app, 'end')
  const { lines, isCut } = ok(await logs(app, 'tail=5000'))
  expect(isCut).toBe(true)
  const bytes = Buffer.byteLength(JSON.stringify(lines))
  expect(bytes).toBeGreaterThan(700_000)
  expect(bytes).toBeLessThanOrEqual(1_048_576)
  const long = lines.filter(({ text }: any) => text.startsWith('y')).map(({ text }: any) => text)
  expect(long.join('')).toBe('y'.repeat(40_000))
})

test.skipIf(noEngine)('a stream goes on where it was, in order, without a loss and without a line twice', async () => {
  const app = await create(ada)
  await app.start('i=0; while :; do i=$((i+1)); echo "o$i"; echo "e$i" >&2; usleep 3000; done', { service: 'web' })
  await app.start('i=0; while :; do i=$((i+1)); echo "b$i"; usleep 2000; done', { service: 'db' })
  const heard: string[] = []
  let from: string | undefined
  for (let nth = 0; nth < 4; nth += 1) {
    const client = await stream(app, { query: '?tail=5000', from })
    expect(client.status).toBe(200)
    // A reader that is cut in the middle of a frame.
    await client.until(() => client.lines.length > 300)
    client.close()
    heard.push(...client.lines.map(({ data }) => data.text))
    expect(client.gaps).toBe(0)
    from = client.lastId()
  }
  for (const of of ['o', 'e', 'b']) {
    const numbers = heard.filter((text) => text.startsWith(of)).map((text) => Number(text.slice(1)))
    expect(numbers.length, of).toBeGreaterThan(100)
    expect(numbers, of).toEqual(Array.from({ length: numbers.length }, (_none, nth) => nth + 1))
  }
})

test.skipIf(noEngine)(
  'containers that start later are followed, and a reader that leaves ends it on the host',
  async () => {
    const app = await create(ada)
    const client = await stream(app)
    const later = await app.start('echo from-the-new-one; exec sleep 1000')
    await client.until(() => client.lines.some(({ data }) => data.text === 'from-the-new-one'))
    await host!.engine.api('POST', `/containers/${later}/restart`)
    await client.until(() => client.lines.filter(({ data }) => data.text === 'from-the-new-one').length === 2)
    const openFollows = async () => (await panel.superuser.query('SELECT FROM telemetry.ask WHERE is_follow')).rowCount
    await expect.poll(openFollows, { timeout: 15_000 }).toBe(1)
    client.close()
    await expect.poll(openFollows, { timeout: 15_000 }).toBe(0)
  },
)

test.skipIf(noEngine)(
  'values of secret variables are taken out, across pieces and those of the container too',
  async () => {
    const app = await create(ada)
    const set = [
      { name: 'TOKEN', value: 'canary-of-now', secret: true },
      { name: 'MODE', value: 'production', secret: false },
    ]
    ok(await panel.call('PATCH', `${app.path}/env`, { as: ada.as, body: { set } }))
    const client = await stream(app)
    const pad = 'head -c 16380 /dev/zero | tr "\\0" z'
    await app.start(`echo $TOKEN $MODE; ${pad}; echo canary-of-now; echo canary-of-now; exec sleep 1000`, {
      Env: ['TOKEN=canary-of-then', 'MODE=production'],
    })
    await client.until(() => client.lines.length >= 5)
    const read = textsOf(await logs(app, 'tail=5000'))
    for (const texts of [read, client.lines.map(({ data }) => data.text)]) {
      expect(texts[0]).toBe('*** production')
      expect(texts.join('')).toContain('z***')
      expect(texts.at(-1)).toBe('***')
      expect(texts.join('')).not.toContain('canary')
    }
    expect(await panel.dump()).not.toContain('canary-of-')
  },
)

/** That no lane starts. */
async function deployment(app: App): Promise<string> {
  const { id: applicationId, projectId, environmentId, serverId } = app
  const about = { deploymentId: uuidv7(), applicationId, projectId, environmentId, serverId, kind: 'DEPLOY' as const }
  const nothing = {
    previewId: null,
    commit: null,
    branch: null,
    imageTag: null,
    alwaysBuilds: false,
    fromId: null,
    variables: null,
  }
  const asked = { ...about, ...nothing, cause: { type: 'USER' as const, id: null } }
  await panel.run((unit) => unit.decide(deployments, about.deploymentId, 'Request', asked))
  return about.deploymentId
}

async function ended<Payload, Result>(
  kind: TaskKind<Payload, Result>,
  app: App,
  payload: Payload,
  said: string[],
  result?: Result,
) {
  const taskId = uuidv7()
  const cause = { type: 'deployment', id: (payload as { deploymentId: string }).deploymentId }
  const [serverId, retry] = [silentId, { attempts: 1, retryOn: [] }]
  await panel.run((unit) => queueTask(unit, kind, { taskId, serverId, projectId: app.projectId, payload, cause }))
  await panel.run((unit) => unit.decide(tasks, taskId, 'HandOut', { run: uuidv7(), isKnown: true }))
  const lines = said.map((text, nth) => ({ seq: nth + 1, at: new Date().toISOString(), of: 'OUT' as const, text }))
  await addLines(panel.panel.pool, taskId, lines, null)
  if (result)
    await panel.run((unit) =>
      unit.decide(tasks, taskId, 'End', { attempt: 1, retry, outcome: 'SUCCEEDED', result: JSON.stringify(result) }),
    )
  await panel.panel.projector.catchUp()
  return taskId
}

test.skipIf(noEngine)(
  'of a dead release the kept lines are read, of a running deployment its build log, and of no other',
  async () => {
    const [app, other] = [await create(ada), await create(ada)]
    const [dead, building, installation] = [await deployment(app), await deployment(app), 'i']
    const workload = { kind: 'APPLICATION' as const, id: app.id }
    const retired = { installation, workload, deploymentId: dead, drainSeconds: 0, stopSeconds: 0, imageIds: [] }
    await ended(releaseRetire, app, retired, ['last', 'words'], { drainedMs: 0, cut: 0, freedBytes: 0 })
    const watch = { from: null, paths: [] }
    const fetch = {
      installation,
      workload,
      deploymentId: building,
      url: 'https://forge.example/a',
      ref: 'main',
      directory: '',
      watch,
    }
    const taskId = await ended(gitFetch, app, fetch, ['fetching'])
    expect(textsOf(await logs(app, `deploymentId=${dead}`))).toEqual(['last', 'words'])
    expect(ok(await logs(app, `deploymentId=${dead}`)).isCut).toBe(false)
    expect(ok(await logs(app, `deploymentId=${dead}&tail=1`))).toMatchObject({
      isCut: true,
      lines: [{ text: 'words' }],
    })
    expect(textsOf(await logs(app, `deploymentId=${building}`))).toEqual(['fetching'])
    for (const id of [dead, building]) expect(textsOf(await logs(other, `deploymentId=${id}`))).toEqual([])
    const client = await stream(app, { query: `?deploymentId=${building}` })
    await client.until(() => client.lines.length === 1)
    await addLines(panel.panel.pool, taskId, [{ seq: 2, at: new Date().toISOString(), of: 'OUT', text: 'done' }], null)
    await client.until(() => client.lines.length === 2)
    client.close()
    const again = await stream(app, { query: `?deploymentId=${building}`, from: client.lines[0]!.id })
    await again.until(() => again.lines.length === 1)
    expect(again.lines[0]!.data.text).toBe('done')
  },
)

test.skipIf(noEngine)('figures are those of each container that runs', async () => {
  const app = await create(ada)
  await app.start('while :; do :; done', { service: 'busy' })
  await app.start('exec sleep 1000', { service: 'idle', replica: 3 })
  const over = await app.start('exit 0', { service: 'over' })
  await expect.poll(async () => (await host!.engine.api('GET', `/containers/${over}/json`)).State.Running).toBe(false)
  const all = ok(await get(app, 'stats/live'))
  expect(all).toMatchObject([
    { service: 'busy', replica: 1, deploymentId: app.deploymentId },
    { service: 'idle', replica: 3, cpuPercent: expect.any(Number) },
  ])
  expect(all[0].cpuPercent).toBeGreaterThan(10)
  expect(all[0].cpuPercent).toBeGreaterThan(all[1].cpuPercent)
  for (const { memoryBytes, limitBytes, pids, at } of all) {
    expect(memoryBytes).toBeGreaterThan(0)
    expect(limitBytes).toBeGreaterThan(memoryBytes)
    expect(pids).toBe(1)
    expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(10_000)
  }
})

test.skipIf(noEngine)(
  'a stream is opened by a token for its path, and ends when its reader may read it no more',
  async () => {
    const app = await create(ada)
    await app.start('echo hello; exec sleep 1000')
    const path = `${app.path}/logs/stream`
    const roleId = await floor.role(ada, app.projectId, ['apps:view', 'apps:logs'])
    const member = await floor.member(ada, app.projectId, { roleId })
    const tokenFor = async (of: string) =>
      ok(await panel.call('POST', '/api/auth/sse-token', { as: member.as, body: { path: of } }), 201).sseToken
    const byToken = async (token: string) => openLogClient(panel.url, { path, query: `?sseToken=${token}` })
    expect((await byToken(await tokenFor('/api/events/stream'))).status).toBe(401)
    const token = await tokenFor(path)
    const client = await byToken(token)
    open.push(client)
    await client.until(() => client.lines.length === 1)
    expect((await byToken(token)).status).toBe(401)
    ok(await floor.remove(ada, `/${app.projectId}/members/${member.memberId}`), 204)
    expect(await client.over).toBe('ended')
  },
)

test.skipIf(noEngine)('others’ ids are as unknown ones, rights are asked for, and bad input is refused', async () => {
  const app = await create(ada)
  const viewer = await floor.member(ada, app.projectId, { role: 'VIEWER' })
  const unknown = { path: `/api/applications/${uuidv7()}` }
  for (const line of ['logs', 'logs/stream', 'stats/live']) {
    const [foreign, none] = [await get(app, line, bob.as), await get(unknown, line, bob.as)]
    expect([foreign.status, foreign.text], line).toEqual([404, none.text])
  }
  expect((await get(app, 'logs', viewer.as)).status).toBe(403)
  expect((await get(app, 'logs/stream', viewer.as)).status).toBe(403)
  expect((await get(app, 'stats/live', viewer.as)).status).toBe(200)
  for (const query of ['tail=0', 'tail=5001', 'since=yesterday', 'service=../a', 'deploymentId=1', 'follow=true'])
    expect((await logs(app, query)).status, query).toBe(400)
  for (const id of ['x', '1', '1.-.o1', `1.-.t${'0'.repeat(32)}`, `1.${'z'.repeat(14)}`, '1.-.\n', 'z'.repeat(7_999)]) {
    const reply = await get(app, `logs/stream?lastEventId=${encodeURIComponent(id)}`)
    expect(reply.status, id.slice(0, 20)).toBe(400)
  }
})

test('a server that is not heard of is said to be', async () => {
  const owner = await panel.somebody()
  const projectId = await floor.project(owner)
  const environmentId = await floor.environment(owner, projectId, 'live')
  const source = { kind: 'IMAGE', image: 'shop' }
  const body = { projectId, environmentId, serverId: silentId, name: 'Silent', source, memoryMiB: 16, cpuMillis: 50 }
  const { id } = ok(await panel.call('POST', '/api/applications', { as: owner.as, body }), 201)
  for (const line of ['logs', 'logs/stream', 'stats/live'])
    expect(refusalIn(await get({ path: `/api/applications/${id}` }, line, owner.as)), line).toEqual([
      503,
      'SERVER_OFFLINE',
    ])
})
