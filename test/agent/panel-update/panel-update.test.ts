/** Updates of a panel in a container, on a real engine: what is replaced, what comes back, and what is never touched. */
import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { engineCall, engineStream } from '../../../src/agent/engine-call.ts'
import type { EngineCall, EngineStream } from '../../../src/agent/engine-call.ts'
import { panelUpdatePerformer } from '../../../src/agent/panel-update/performer.ts'
import { replacementIn, resumeReplacement } from '../../../src/agent/panel-update/replacement.ts'
import { noPanelImage, panelImages } from '../../support/agent/panel-image.ts'
import type { PanelImage } from '../../support/agent/panel-image.ts'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import { freePort } from '../../support/free-port.ts'
import { scratchDirectory } from '../../support/scratch.ts'

const isSkipped = noEngine !== undefined || noPanelImage !== undefined
const engine = isSkipped ? undefined : await startEngine({ publishes: true })
const images = isSkipped ? undefined : panelImages()
const load = async (image: PanelImage) => engine!.api('POST', '/images/load?quiet=1', image.file)
const first = images?.make('1.0.0')
const next = images?.make('2.0.0')
if (first) await load(first)

const containers = async (): Promise<any[]> => engine!.api('GET', '/containers/json?all=true')
const removeAll = async () => {
  for (const { Id } of await containers()) await engine!.api('DELETE', `/containers/${Id}?force=true&v=true`)
}
afterEach(async () => {
  if (engine) await removeAll()
})
afterAll(async () => {
  images?.remove()
  await engine?.stop()
})

/** A panel of the first version, as its operator has made it. */
async function panel(more: Record<string, unknown> = {}, name = 'panel') {
  const port = await freePort()
  const { Id: id } = await engine!.api('POST', `/containers/create?name=${name}`, {
    Image: first!.name,
    Cmd: ['panel'],
    Env: ['OPERATOR=own'],
    Labels: { owner: 'ada' },
    HostConfig: {
      PortBindings: { '4000/tcp': [{ HostIp: '127.0.0.1', HostPort: String(port) }] },
      RestartPolicy: { Name: 'unless-stopped' },
    },
    ...more,
  })
  await engine!.api('POST', `/containers/${id}/start`)
  const served = () =>
    fetch(`http://127.0.0.1:${port}/version.txt`).then(
      (answer) => answer.text(),
      () => undefined,
    )
  await expect.poll(served, { timeout: 20_000 }).toBe('1.0.0')
  return { id: id as string, port, served }
}

interface Asked {
  readonly containerId: string
  readonly image: PanelImage
  readonly taskId?: string
  readonly sha256?: string
  readonly readyMs?: number
}

/** An agent, whose journal outlives it. */
function agent(
  { containerId, image, taskId = uuidv7(), sha256 = image.sha256, readyMs = 20_000 }: Asked,
  made = new Map<string, string>(),
) {
  const said: string[] = []
  const start = (
    directory: string,
    call: EngineCall = engineCall(engine!.socketPath),
    stream: EngineStream = engineStream(engine!.socketPath),
  ) => {
    const host = { call, directory, readyMs, stream }
    const { perform } = panelUpdatePerformer(host)
    return {
      host,
      perform: () =>
        perform({
          taskId,
          attempt: 1,
          payload: { version: '2.0.0', sha256, containerId },
          signal: AbortSignal.timeout(60_000),
          made,
          note: async (name: string, ref: string) => void made.set(name, ref),
          say: async (text: string) => void said.push(text),
          download: async function* () {
            yield image.file
          },
        } as never),
    }
  }
  return { start, said }
}

const update = (asked: Asked) => agent(asked).start(scratchDirectory()).perform()

test.skipIf(isSkipped)(
  'a version that gets ready serves with all that the operator has set, and the old one is gone',
  async () => {
    const project = scratchDirectory()
    await mkdir(join(project, 'other'))
    await writeFile(join(project, '.env'), 'A=1\nDAYBOOK_IMAGE=panel:1.0.0\nB=$&\n', { mode: 0o640 })
    const { Id: network } = await engine!.api('POST', '/networks/create', { Name: 'more' })
    const own = await panel({ Labels: { owner: 'ada', 'com.docker.compose.project.working_dir': project } })
    await engine!.api('POST', `/networks/${network}/connect`, { Container: own.id, EndpointConfig: {} })
    const [before] = await containers()
    expect(await update({ containerId: own.id, image: next! })).toEqual({ step: 'READY', rolledBack: false })
    expect(await own.served()).toBe('2.0.0')
    const all = await containers()
    expect(all.map(({ Names }) => Names)).toEqual([['/panel']])
    const seen = await engine!.api('GET', '/containers/panel/json')
    expect(seen.Config).toMatchObject({ Cmd: ['panel'], Labels: { owner: 'ada' } })
    expect(seen.Config.Env.toSorted()).toEqual([
      'MIGRATE=0',
      'OPERATOR=own',
      'PATH=/bin',
      'READY=yes',
      `RELEASE_SHA256=${next!.sha256}`,
      'VERSION=2.0.0',
    ])
    expect(seen.HostConfig.RestartPolicy.Name).toBe('unless-stopped')
    expect(Object.keys(seen.NetworkSettings.Networks).toSorted()).toEqual(['bridge', 'more'])
    expect(seen.Mounts.map(({ Name }: any) => Name)).toEqual(before.Mounts.map(({ Name }: any) => Name))
    expect(await readFile(join(project, '.env'), 'utf8')).toBe('A=1\nDAYBOOK_IMAGE=panel:2.0.0\nB=$&\n')
    expect((await stat(join(project, '.env'))).mode & 0o777).toBe(0o640)
    const exec = await engine!.api('POST', '/containers/panel/exec', {
      Cmd: ['/bin/busybox', 'test', '-f', '/data/migrations'],
    })
    await engine!.api('POST', `/exec/${exec.Id}/start`, { Detach: false, Tty: true })
    const exitCode = async () => (await engine!.api('GET', `/exec/${exec.Id}/json`)).ExitCode
    await expect.poll(exitCode, { message: 'migrated with its volume' }).toBe(0)
  },
)

test.skipIf(isSkipped)('the service of its project that migrates gives the migration its environment', async () => {
  const label = { 'com.docker.compose.project': 'own' }
  const own = await panel({ Labels: label, Env: ['MIGRATE=7'] })
  const create = (name: string, more: object) =>
    engine!.api('POST', `/containers/create?name=${name}`, { Image: first!.name, Env: ['MIGRATE=0'], ...more })
  await create('foreign', { Cmd: ['panel', 'migrate'] })
  await expect(update({ containerId: own.id, image: next! })).rejects.toMatchObject({ code: 'MIGRATION_FAILED' })
  await create('own-migrate', { Cmd: ['panel', 'migrate'], Labels: label })
  expect(await update({ containerId: own.id, image: next! })).toEqual({ step: 'READY', rolledBack: false })
  const seen = await engine!.api('GET', '/containers/panel/json')
  expect(seen.Config.Env).toContain('MIGRATE=7')
  expect(new Set((await containers()).map(({ Names }) => Names[0]))).toEqual(
    new Set(['/panel', '/foreign', '/own-migrate']),
  )
})

test.skipIf(isSkipped)('a version that never gets ready is taken back, and the old one serves as before', async () => {
  const own = await panel()
  const before = await engine!.api('GET', `/containers/${own.id}/json`)
  const image = images!.make('2.0.1', { ready: 'no' })
  expect(await update({ containerId: own.id, image, readyMs: 1_500 })).toEqual({ step: 'READINESS', rolledBack: true })
  await expect.poll(own.served).toBe('1.0.0')
  const after = await engine!.api('GET', '/containers/panel/json')
  expect([after.Id, after.HostConfig]).toEqual([own.id, before.HostConfig])
  expect(await containers()).toHaveLength(1)
})

test.skipIf(isSkipped)('a version that cannot start is taken back', async () => {
  const own = await panel()
  const call = engineCall(engine!.socketPath)
  const refusing: EngineCall = async (method, path, ...more) => {
    const isNew = path.endsWith('/start') && !path.includes(own.id) && (await containers()).length === 2
    return isNew ? { status: 500, body: undefined } : call(method, path, ...more)
  }
  const { start } = agent(
    { containerId: own.id, image: next! },
    new Map([
      ['image', next!.name],
      ['migrated', next!.name],
    ]),
  )
  await load(next!)
  expect(await start(scratchDirectory(), refusing).perform()).toEqual({ step: 'START', rolledBack: true })
  await expect.poll(own.served).toBe('1.0.0')
  expect(await containers()).toHaveLength(1)
})

test.skipIf(isSkipped)('a disk that takes no more when the old one is stopped leaves no panel stopped', async () => {
  const own = await panel()
  const directory = scratchDirectory()
  const call = engineCall(engine!.socketPath)
  const full: EngineCall = async (method, path, ...more) => {
    // What is there in place of the file cannot be written.
    if (path.includes('/stop')) await mkdir(join(directory, 'panel-update.json.new'), { recursive: true })
    return call(method, path, ...more)
  }
  const image = images!.make('2.0.4', { ready: 'no' })
  const failing = agent({ containerId: own.id, image, readyMs: 500 })
  expect(await failing.start(directory, full).perform()).toEqual({ step: 'READINESS', rolledBack: true })
  await expect.poll(own.served).toBe('1.0.0')
  await rm(join(directory, 'panel-update.json.new'), { recursive: true })
  await rm(join(directory, 'panel-update.json'))
  await mkdir(join(directory, 'panel-update.json.new'))
  const before = await containers()
  await expect(agent({ containerId: own.id, image: next! }).start(directory).perform()).rejects.toMatchObject({
    code: 'NOT_WRITTEN',
  })
  expect((await containers()).map(({ Id, State }) => [Id, State])).toEqual(before.map(({ Id, State }) => [Id, State]))
})

test.skipIf(isSkipped)(
  'where the migration fails, nothing is replaced, and its container is kept for its log',
  async () => {
    const own = await panel()
    const image = images!.make('2.0.2', { migrate: 7 })
    const failed = update({ containerId: own.id, image })
    await expect(failed).rejects.toMatchObject({ code: 'MIGRATION_FAILED', message: expect.stringContaining('code 7') })
    const seen = await engine!.api('GET', `/containers/${own.id}/json`)
    expect([seen.Name, seen.State.Running, await own.served()]).toEqual(['/panel', true, '1.0.0'])
    expect(new Set((await containers()).map(({ Names }) => Names[0]))).toEqual(new Set(['/panel', '/panel-migrate']))
    expect(await update({ containerId: own.id, image: next! }), 'the next one').toMatchObject({ step: 'READY' })
    expect(await containers()).toHaveLength(1)
  },
)

test.skipIf(isSkipped)(
  'what is not the container of a panel is never touched, and no other file is loaded',
  async () => {
    const foreign = images!.make('9.0.0', { labels: {} })
    await load(foreign)
    const own = await panel()
    const other = await engine!.api('POST', '/containers/create?name=other', {
      Image: foreign.name,
      Labels: { 'daybook.platform': 'daybook' },
    })
    await engine!.api('POST', `/containers/${other.Id}/start`)
    const refused = (asked: Asked, code: string) => expect(update(asked)).rejects.toMatchObject({ code })
    await refused({ containerId: other.Id, image: next! }, 'NOT_THE_PANEL')
    await refused({ containerId: 'a'.repeat(64), image: next! }, 'NOT_THE_PANEL')
    const passing = { Image: first!.name, Cmd: ['panel'], HostConfig: { AutoRemove: true } }
    const { Id: passingId } = await engine!.api('POST', '/containers/create?name=passing', passing)
    await engine!.api('POST', `/containers/${passingId}/start`)
    await refused({ containerId: passingId, image: next! }, 'AUTO_REMOVE')
    await engine!.api('DELETE', `/containers/${passingId}?force=true`)
    await refused({ containerId: own.id, image: foreign }, 'REFUSED_IMAGE')
    await refused({ containerId: own.id, image: next!, sha256: 'b'.repeat(64) }, 'REFUSED_IMAGE')
    const states = new Map((await containers()).map(({ Id, State }) => [Id, State]))
    expect(states).toEqual(new Map([own.id, other.Id].map((id) => [id, 'running'])))
  },
)

class Killed extends Error {}

/** Dies after its nth change of the engine: it does and hears nothing more. */
function dying(nth: number) {
  let changes = 0
  const death = Promise.withResolvers<never>()
  death.promise.catch(() => {})
  const call = engineCall(engine!.socketPath)
  const stream = engineStream(engine!.socketPath)
  async function change<Result>(work: () => Promise<Result>): Promise<Result> {
    if ((changes += 1) < nth) return work()
    if (changes === nth) await work()
    death.reject(new Killed())
    return new Promise(() => {})
  }
  return {
    call: (async (method, ...asked) =>
      method === 'GET' ? call(method, ...asked) : change(() => call(method, ...asked))) satisfies EngineCall,
    stream: ((...asked) => change(() => stream(...asked))) satisfies EngineStream,
    death: death.promise,
  }
}

const unchanging: EngineCall = async (method, path, ...more) => {
  if (method !== 'GET') throw new Error(`${method} ${path} changes the engine`)
  return engineCall(engine!.socketPath)(method, path, ...more)
}

interface Killing {
  readonly asked: Pick<Asked, 'image' | 'readyMs'>
  readonly result: object
  /** That serves in the end. */
  readonly version: string
}

/** @returns whether the update was over before so many changes */
async function killAfter(nth: number, { asked, result, version }: Killing): Promise<boolean> {
  const name = `panel-${nth}-th`
  const own = await panel({}, name)
  const { start } = agent({ containerId: own.id, ...asked })
  const [directory, copy] = [scratchDirectory(), scratchDirectory()]
  const { call, stream, death } = dying(nth)
  const ended = await Promise.race([start(directory, call, stream).perform(), death]).catch((error: unknown) => error)
  if (!(ended instanceof Killed)) return true
  await cp(directory, copy, { recursive: true })
  await resumeReplacement(start(copy).host)
  // What was resumed without the panel is told, and not done again.
  const again = (await replacementIn(copy)) ? start(copy, unchanging) : start(copy)
  expect(await again.perform(), `killed after change ${nth}`).toEqual(result)
  await expect.poll(own.served, { timeout: 20_000 }).toBe(version)
  const left = (await containers()).flatMap(({ Names }) => Names as string[])
  expect(left.filter((each) => each.startsWith(`/${name}`))).toEqual([`/${name}`])
  return false
}

const AT_ONCE = 4

/** @returns after how many changes the update was over */
async function killAfterEach(from: number, killing: Killing): Promise<number> {
  for (let first = from; ; first += AT_ONCE) {
    const numbers = Array.from({ length: AT_ONCE }, (_, more) => first + more)
    const over = await Promise.all(numbers.map((nth) => killAfter(nth, killing)))
    await removeAll()
    if (over.includes(true)) return first + over.indexOf(true) - 1
  }
}

test.skipIf(isSkipped)(
  'an agent that is killed after any change of the engine goes on at its next start',
  async () => {
    const changes = await killAfterEach(1, {
      asked: { image: next! },
      result: { step: 'READY', rolledBack: false },
      version: '2.0.0',
    })
    expect(changes).toBeGreaterThan(10)
  },
  60_000,
)

const NEW_STARTED = 10

test.skipIf(isSkipped)(
  'an agent that is killed on the way back goes on back',
  async () => {
    const image = images!.make('2.0.3', { ready: 'no' })
    const changes = await killAfterEach(NEW_STARTED, {
      asked: { image, readyMs: 500 },
      result: { step: 'READINESS', rolledBack: true },
      version: '1.0.0',
    })
    expect(changes).toBe(NEW_STARTED + 4)
  },
  60_000,
)
