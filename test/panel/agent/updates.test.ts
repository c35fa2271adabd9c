/** Updates of agents: real processes below their directories, started as the unit says, against a real panel. */
import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newEd25519 } from '#kernel/credentials/jws'
import { tasks } from '#panel/agent/decider'
import { queueTask } from '#panel/agent/queue-task'
import { RELEASE_FILE } from '../../../src/tasks/agent-release.ts'
import { agentUpdate } from '../../../src/tasks/agent-update.ts'
import { hostIn } from '../../support/agent/installed-host.ts'
import { writeTestRelease } from '../../support/agent/test-release.ts'
import { ok, refusalIn } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const FIRST = '1.0.0'
const SLOW = { timeout: 60_000 }
const agentDir = scratchOfFile()
const panel = await startPanel({ agentDir, unsetVariables: ['PANEL_URL'] })
await panel.licensed()
const { add, get, remove } = serverFixture(panel)
let root = await panel.somebody('SUPERADMIN')
ok(await panel.call('PATCH', '/api/admin/config', { as: root.as, body: { urls: { panel: panel.url } } }))

interface Host extends ReturnType<typeof hostIn> {
  readonly id: string
  readonly supervisor: ReturnType<ReturnType<typeof hostIn>['supervise']>
}

async function install(): Promise<Host> {
  const { id, installToken } = await add(root)
  const { text } = await panel.call('GET', '/api/agent/install.sh', { as: installToken })
  const host = hostIn(scratchOfFile())
  const env = { DAYBOOK_INSTALL_TOKEN: installToken, DOCKER_HOST: 'unix:///nowhere/docker.sock' }
  const { status, stderr } = await host.install(text, env)
  expect([status, stderr]).toEqual([0, ''])
  return { ...host, id, supervisor: host.supervise() }
}

const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn('SKIPPED: no agent is updated, because the tests do not run as root')

const hosts: Host[] = []
beforeAll(async () => {
  writeTestRelease(agentDir, { version: FIRST })
  if (isRoot) for (let nth = 1; nth <= 3; nth += 1) hosts.push(await install())
}, SLOW.timeout)
afterAll(() => Promise.all(hosts.map(({ supervisor }) => supervisor.stop())))

const update = (body: object = {}) => panel.call('POST', '/api/admin/agents/update', { as: root.as, body })
const newest = async () => ok(await panel.call('GET', '/api/system/updates', { as: root.as })).agents.update
const versionOf = async ({ id }: Host): Promise<string> => ok(await get(root, `/${id}`)).agent.version
const versions = () => Promise.all(hosts.map(versionOf))

async function untilOver() {
  const state = async () => {
    await panel.settle()
    return (await newest()).state
  }
  await expect.poll(state, { timeout: 30_000, interval: 200 }).not.toBe('RUNNING')
  return newest()
}

const online = async () => {
  for (const { id } of hosts)
    await expect.poll(async () => ok(await get(root, `/${id}`)).status, { timeout: 10_000 }).toBe('ONLINE')
}

const isUpdate = (type: string, data: Readonly<Record<string, unknown>>): boolean =>
  type === 'TaskQueued' && data['kind'] === 'agent.update'

/** The tasks of updates that a server was ever asked for. */
const askedOf = async ({ id }: Host): Promise<number> =>
  (await panel.history()).filter(({ type, data }) => isUpdate(type, data) && data['serverId'] === id).length

test.runIf(isRoot)('all agents are updated, one first, and each executable of before is kept', SLOW, async () => {
  await online()
  writeTestRelease(agentDir, { version: '1.1.0' })
  const { first, then, skipped } = ok(await update(), 202)
  expect([first.serverId, ...then]).toEqual(hosts.map(({ id }) => id))
  expect(skipped).toEqual([])
  expect(refusalIn(await update())).toEqual([409, 'RUNNING'])
  expect(await untilOver()).toMatchObject({
    version: '1.1.0',
    state: 'ENDED',
    total: 3,
    updated: 3,
    first,
    halted: null,
  })
  expect(await versions()).toEqual(['1.1.0', '1.1.0', '1.1.0'])
  const order = (await panel.history()).flatMap(({ type, data }) =>
    isUpdate(type, data) || type === 'AgentUpdateAdvanced' ? [[type, data['serverId']]] : [],
  )
  // Nothing is sent to the others before the first one has told the new version.
  expect(order.slice(0, 2)).toEqual([
    ['TaskQueued', hosts[0]!.id],
    ['AgentUpdateAdvanced', hosts[0]!.id],
  ])
  for (const { path, supervisor } of hosts) {
    const files = readdirSync(path('var/lib/daybook-agent/bin'))
    const executables = files.filter((name) => name !== 'daybook-agent').map((name) => name.slice(0, 19))
    expect(executables.toSorted()).toEqual(['daybook-agent-1.0.0', 'daybook-agent-1.1.0'])
    expect(supervisor.codes).toEqual([0])
  }
  expect(refusalIn(await update())).toEqual([409, 'NOTHING_TO_UPDATE'])
  expect((await update()).text).toContain('3 CURRENT')
})

test.runIf(isRoot).each([
  ['run', 'TAKEN_BACK'],
  ['deaf', 'TAKEN_BACK'],
  ['self-test', 'CANNOT_RUN'],
] as const)(
  'a release that fails at %s takes itself back, and the others are never touched',
  SLOW,
  async (fault, code) => {
    await online()
    const before = await Promise.all(hosts.map(askedOf))
    writeTestRelease(agentDir, { version: '1.2.0', fault })
    ok(await update(), 202)
    const over = await untilOver()
    expect(over).toMatchObject({ state: 'HALTED', updated: 0, halted: { serverId: hosts[0]!.id, code } })
    expect(await Promise.all(hosts.map(askedOf))).toEqual([before[0]! + 1, ...before.slice(1)])
    await online()
    expect(await versions()).toEqual(['1.1.0', '1.1.0', '1.1.0'])
    const files = readdirSync(hosts[0]!.path('var/lib/daybook-agent/bin'))
    expect(files.filter((name) => ['pending', 'starts'].includes(name))).toEqual([])
  },
)

test.runIf(isRoot)('what the release key has not signed is refused, and so is an older release', SLOW, async () => {
  await online()
  writeTestRelease(agentDir, { version: '1.3.0', signer: newEd25519() })
  ok(await update({ serverId: hosts[1]!.id }), 202)
  expect(await untilOver()).toMatchObject({ halted: { serverId: hosts[1]!.id, code: 'REFUSED_RELEASE' } })
  const { sha256, signature } = writeTestRelease(agentDir, { version: '1.0.5' }).executables.amd64!
  const taskId = await panel.run(async (unit) => {
    const id = unit.newId()
    const payload = { version: '1.0.5', sha256, signature }
    const cause = { type: 'test', id: '1' }
    await queueTask(unit, agentUpdate, { taskId: id, serverId: hosts[2]!.id, projectId: null, payload, cause })
    return id
  })
  await panel.panel.projector.catchUp()
  const task = () => panel.run((unit) => unit.look(tasks, taskId))
  await expect.poll(async () => (await task())!.errorCode, { timeout: 15_000 }).toBe('REFUSED_RELEASE')
  expect(await versions()).toEqual(['1.1.0', '1.1.0', '1.1.0'])
})

test.runIf(isRoot)('another file than the one that was asked for is refused', SLOW, async () => {
  const { executables } = writeTestRelease(agentDir, { version: '1.4.0' })
  const { sha256, signature } = executables.amd64!
  writeTestRelease(agentDir, { version: '1.4.1' })
  const taskId = await panel.run(async (unit) => {
    const id = unit.newId()
    const payload = { version: '1.4.0', sha256, signature }
    const cause = { type: 'test', id: '2' }
    await queueTask(unit, agentUpdate, { taskId: id, serverId: hosts[2]!.id, projectId: null, payload, cause })
    return id
  })
  await panel.panel.projector.catchUp()
  const task = () => panel.run((unit) => unit.look(tasks, taskId))
  await expect.poll(async () => (await task())!.errorCode, { timeout: 15_000 }).toBe('OTHER_RELEASE')
})

test('without a release, and for an unknown server, nothing is asked', async () => {
  expect((await update({ serverId: 'x' })).status).toBe(400)
  expect(refusalIn(await update({ serverId: '01890000-0000-7000-8000-00000000dead' }))).toEqual([404, 'NOT_FOUND'])
  rmSync(join(agentDir, RELEASE_FILE))
  expect(refusalIn(await update())).toEqual([409, 'NOT_BUILT'])
})

test.runIf(isRoot)('an update whose agent does not come back is halted', SLOW, async () => {
  await online()
  writeTestRelease(agentDir, { version: '1.5.0' })
  const silent = hosts.pop()!
  await silent.supervisor.stop()
  const { first } = ok(await update({ serverId: silent.id }), 202)
  await panel.run((unit) => unit.decide(tasks, first.taskId, 'HandOut', { run: randomUUID(), isKnown: true }))
  panel.passTime(90 * 60_000)
  root = { ...root, as: await panel.signIn(root.email) }
  await panel.settle()
  expect(await newest()).toMatchObject({ state: 'HALTED', halted: { serverId: silent.id, code: 'NOT_REPORTED' } })
  expect((await panel.run((unit) => unit.look(tasks, first.taskId)))!.state).toBe('CANCELLING')
  ok(await remove(root, `/${silent.id}`), 204)
})
