/** Commands in containers over HTTP: a real agent on a real engine. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { noEngine } from '../../support/docker-engine.ts'
import { applicationsOn } from '../../support/panel/application-on-host.ts'
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
const exec = ({ path }: Pick<App, 'path'>, body: object, as = ada.as) =>
  panel.call('POST', `${path}/exec`, { as, body })
const sh = (app: App, script: string, more: object = {}) =>
  exec(app, { command: ['/bin/busybox', 'sh', '-c', script], ...more })
const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
const events = async () =>
  (await panel.history(0)).filter(({ type }: { type: string }) => type === 'ApplicationCommandRun')

test.skipIf(noEngine)(
  'a command runs where it is meant to, and its input and words stand nowhere in clear',
  async () => {
    const app = await create(ada)
    await app.start('exec sleep 1000', { service: 'web', replica: 2 })
    await app.start('exec sleep 1000', { service: 'db' })
    const command = ['/bin/busybox', 'sh', '-c', 'tr a-z A-Z; echo "$1" >&2; exit 3', 'sh', 'canary-of-argv']
    const reply = await exec(app, { command, stdin: 'canary-of-stdin', service: 'web', replica: 2 })
    expect(ok(reply)).toEqual({
      exitCode: 3,
      stdout: 'CANARY-OF-STDIN',
      stderr: 'canary-of-argv\n',
      truncated: false,
      timedOut: false,
      ms: expect.any(Number),
    })
    expect(await panel.dump()).not.toMatch(/canary-of-|CANARY-OF-/)
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const onDisk = () => files.map(({ parentPath, name }) => textOf(join(parentPath, name))).join('\n')
    expect(onDisk().length).toBeGreaterThan(1_000)
    // The agent removes what it has told a moment later.
    await expect.poll(onDisk).not.toMatch(/canary-of-|CANARY-OF-/)
    const [recorded] = await events()
    expect(recorded!.data).toMatchObject({ applicationId: app.id, service: 'web', replica: 2 })
  },
)

test.skipIf(noEngine)('it is ended with its time, and its long output is cut', async () => {
  const app = await create(ada)
  await app.start('exec sleep 1000')
  const late = ok(await sh(app, 'echo begun; sleep 500', { timeoutSeconds: 1 }))
  expect(late).toMatchObject({ exitCode: null, timedOut: true, stdout: 'begun\n' })
  const long = ok(await sh(app, 'head -c 300000 /dev/zero | tr "\\0" x'))
  expect([long.truncated, long.exitCode, long.stdout.length]).toEqual([true, 0, 262_144])
})

test.skipIf(noEngine)('what does not run is refused, and a value of a secret variable is not shown', async () => {
  const app = await create(ada)
  expect(refusalIn(await sh(app, 'true'))).toEqual([409, 'NOT_RUNNING'])
  const set = [{ name: 'TOKEN', value: 'canary-of-a-variable', secret: true }]
  ok(await panel.call('PATCH', `${app.path}/env`, { as: ada.as, body: { set } }))
  await app.start('exec sleep 1000', { Env: ['TOKEN=an-older-value'] })
  const done = ok(await sh(app, 'echo $TOKEN; cat', { stdin: 'canary-of-a-variable' }))
  expect(done.stdout).toBe('***\n***')
  expect(refusalIn(await sh(app, 'true', { service: 'web' }))).toEqual([409, 'NOT_RUNNING'])
})

test.skipIf(noEngine)(
  'it needs the rights to deploy and to read variables, and others’ ids are as unknown ones',
  async () => {
    const app = await create(ada)
    await app.start('exec sleep 1000')
    const roleId = await floor.role(ada, app.projectId, ['apps:view', 'apps:deploy', 'apps:logs'])
    const member = await floor.member(ada, app.projectId, { roleId })
    const before = (await events()).length
    const command = ['/bin/busybox', 'true']
    expect((await exec(app, { command }, member.as)).status).toBe(403)
    const foreign = await exec(app, { command }, bob.as)
    const unknown = await exec({ path: `/api/applications/${uuidv7()}` }, { command }, bob.as)
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    expect((await events()).length).toBe(before)
  },
)

test.skipIf(noEngine)('ten commands run on a server at once', async () => {
  const app = await create(ada)
  await app.start('exec sleep 1000')
  const replies = await Promise.all(Array.from({ length: 12 }, () => sh(app, 'sleep 1')))
  const statuses = replies.map(({ status }) => status).toSorted((one, other) => one - other)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
  expect(refusalIn(replies.find(({ status }) => status === 429)!)).toEqual([429, 'TOO_MANY_COMMANDS'])
  expect((await sh(app, 'true')).status).toBe(200)
})

test.skipIf(noEngine)('bad input is refused before anything is recorded', async () => {
  const app = await create(ada)
  const before = (await events()).length
  const command = ['true']
  for (const body of [
    {},
    { command: [] },
    { command: 'true' },
    { command: ['a\0b'] },
    { command: Array.from({ length: 65 }, () => 'x') },
    { command: ['x'.repeat(4_097)] },
    { command, stdin: 'ü'.repeat(32_769) },
    { command, timeoutSeconds: 0 },
    { command, timeoutSeconds: 61 },
    { command, replica: 9 },
    { command, service: '../app' },
    { command, user: 'root' },
  ])
    expect((await exec(app, body)).status, JSON.stringify(body).slice(0, 80)).toBe(400)
  expect((await events()).length).toBe(before)
})

test('nothing is recorded for a server that is not heard of', async () => {
  const owner = await panel.somebody()
  const serverId = await serverFixture(panel).running(root)
  const projectId = await floor.project(owner)
  const environmentId = await floor.environment(owner, projectId, 'live')
  const source = { kind: 'IMAGE', image: 'shop' }
  const body = { projectId, environmentId, serverId, name: 'Silent', source, memoryMiB: 16, cpuMillis: 50 }
  const { id } = ok(await panel.call('POST', '/api/applications', { as: owner.as, body }), 201)
  const before = (await events()).length
  const app = { path: `/api/applications/${id}` }
  expect(refusalIn(await exec(app, { command: ['true'] }, owner.as))).toEqual([503, 'SERVER_OFFLINE'])
  expect((await events()).length).toBe(before)
})
