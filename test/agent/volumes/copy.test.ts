/** Volumes that are copied on a real engine: they are equal, their writers stand still meanwhile, and go on whatever dies. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { hostEngine } from '../../../src/agent/host/engine.ts'
import { volumeCopyPerformer } from '../../../src/agent/volumes/copy.ts'
import { standStill } from '../../../src/agent/volumes/writers.ts'
import { COPY_TASK } from '../../support/agent/copy-task.ts'
import { errorOf, INSTALLATION } from '../../support/agent/release-host.ts'
import { BUSYBOX, loadBusybox } from '../../support/busybox-image.ts'
import { noEngine, startEngine } from '../../support/docker-engine.ts'

const engine = noEngine === undefined ? await startEngine() : undefined
if (engine) await loadBusybox(engine)
afterAll(() => engine?.stop())
const host = hostEngine(`unix://${engine?.socketPath ?? '/nowhere'}`)
const { kind, perform, clear } = volumeCopyPerformer(host)
const api = (method: string, path: string, body?: object): Promise<any> => engine!.api(method, path, body)

interface Doing {
  readonly taskId?: string
  readonly signal?: AbortSignal
  readonly onSay?: (said: string) => void
}

async function copy(
  payload: object,
  { taskId = COPY_TASK, signal = AbortSignal.timeout(60_000), onSay }: Doing = {},
): Promise<any> {
  const made = new Map<string, string>()
  const work = {
    taskId,
    payload: kind.payload.parse(payload),
    signal,
    made,
    note: async (name: string, ref: string) => void made.set(name, ref),
    say: async (said: string) => onSay?.(said),
  }
  return kind.result.parse(await perform(work as never))
}

/** Runs a script in a container with the volumes, and stays if the script does. */
async function run(script: string, volumes: Readonly<Record<string, string>>, RestartPolicy?: object): Promise<string> {
  const Mounts = Object.entries(volumes).map(([Target, Source]) => ({ Type: 'volume', Source, Target }))
  const body = { Image: BUSYBOX, Cmd: ['sh', '-c', script], HostConfig: { Mounts, NetworkMode: 'none', RestartPolicy } }
  const { Id } = await api('POST', '/containers/create', body)
  await api('POST', `/containers/${Id}/start`)
  return Id
}

async function output(script: string, volumes: Readonly<Record<string, string>>): Promise<string> {
  const id = await run(script, volumes)
  const { StatusCode } = await api('POST', `/containers/${id}/wait`)
  const said = await api('GET', `/containers/${id}/logs?stdout=true&stderr=true`)
  await api('DELETE', `/containers/${id}?force=true`)
  expect(StatusCode, said).toBe(0)
  return said
}

const stateOf = async (id: string): Promise<string> => (await api('GET', `/containers/${id}/json`)).State.Status
const volumeNames = async (): Promise<string[]> =>
  ((await api('GET', '/volumes')).Volumes ?? []).map(({ Name }: any) => Name).toSorted()

/** Of an application, with a volume that it has. */
async function source(more: object = {}) {
  const [from, to] = [uuidv7(), uuidv7()].map((id) => ({ kind: 'APPLICATION' as const, id }))
  const [name, copied] = [`${from!.id}-data-1`, `${to!.id}-data-1`]
  const Labels = { 'daybook.installation': INSTALLATION, 'daybook.workload': `APPLICATION/${from!.id}` }
  await api('POST', '/volumes/create', { Name: name, Labels })
  const place = { projectId: uuidv7(), environmentId: uuidv7() }
  const payload = { installation: INSTALLATION, from, to, ...place, volumes: [{ from: name, to: copied }], pause: true }
  return { name, copied, payload: { ...payload, ...more } }
}

/** Nothing but the volumes that the test knows is left. */
async function expectClean(...volumes: readonly string[]) {
  const mine = encodeURIComponent(JSON.stringify({ label: [`daybook.task=${COPY_TASK}`] }))
  expect(await api('GET', `/containers/json?all=true&filters=${mine}`)).toEqual([])
  expect(await api('GET', `/images/json?filters=${mine}`)).toEqual([])
  expect(await volumeNames()).toEqual(expect.arrayContaining([...volumes]))
}

const MADE = `
cd /data
chown 999:998 . && chmod 2750 .
mkdir -p deep/er/$(head -c 120 /dev/zero | tr '\\0' d) && chmod 1777 deep
echo kept > deep/file && chmod 640 deep/file && chown 1000:50 deep/file
ln deep/file deep/same && ln -s ../nowhere deep/link && ln -s /etc/passwd outside && chown -h 7:8 outside
: > empty && mkfifo pipe && chmod 4755 empty
head -c 3000000 /dev/urandom > large
head -c 100 /dev/zero | tr '\\0' n | xargs -I{} touch {}{}
echo 'ü space' > 'ü and space'
touch -d '2001-02-03 04:05:06' deep/file large deep
`
/** All that \`stat\` knows but the numbers of inodes, and what is in the files. Hard links are told by what they share. */
const LISTED = `
cd /data
find . | sort | while read -r each; do stat -c '%n %F %a %u:%g %s %h %Y %N' "$each"; done
find . -type f | sort | xargs -I{} md5sum {}
[ deep/file -ef deep/same ] && echo 'one file'
`

test.skipIf(noEngine)('a copy has the bytes, owners, modes, times and links of its source', async () => {
  const { name, copied, payload } = await source()
  await output(MADE, { '/data': name })
  const result = await copy(payload)
  const again = { ...payload, volumes: [{ from: name, to: `${copied}-again` }] }
  expect((await copy(again, { taskId: uuidv7() })).sha256).toBe(result.sha256)
  expect(result.bytes).toBeGreaterThan(3_000_000)
  const [before, after] = [await output(LISTED, { '/data': name }), await output(LISTED, { '/data': copied })]
  expect(before).toContain('one file')
  expect(before).toContain('999:998')
  expect(after).toBe(before)
  const { Labels } = await api('GET', `/volumes/${copied}`)
  expect(Labels).toMatchObject({
    'daybook.installation': INSTALLATION,
    'daybook.workload': `APPLICATION/${payload.to!.id}`,
    'daybook.project': payload.projectId,
  })
  await expectClean(name, copied)
})

/** Two files that a writer changes one after the other, without a pause. */
const WRITES = `n=0; while :; do n=$((n+1)); echo $n >> /data/first; echo $n >> /data/second; done`

test.skipIf(noEngine)('its writers stand still meanwhile, so that a copy is of one moment, and go on', async () => {
  const { name, copied, payload } = await source()
  await output('head -c 20000000 /dev/urandom > /data/between', { '/data': name })
  const writer = await run(WRITES, { '/data': name })
  const states: string[] = []
  const onSay = (said: string) => void (said.includes('stand still') && states.push(said))
  const { pausedMs } = await copy(payload, { onSay })
  expect(states).toEqual(['1 containers stand still'])
  expect(pausedMs).toBeGreaterThan(0)
  expect(await stateOf(writer)).toBe('running')
  const read = 'tail -qn 1 /data/first /data/second'
  const numbers = (await output(read, { '/data': copied })).match(/\d+/g)!.map(Number)
  expect([0, 1]).toContain(numbers[0]! - numbers[1]!)
  await expect
    .poll(async () => Number((await output(read, { '/data': name })).match(/\d+/)![0]))
    .toBeGreaterThan(numbers[0]!)
  await api('DELETE', `/containers/${writer}?force=true`)
})

/** It ends again and again, and the engine starts it after a pause that doubles. */
const ENDS = `timeout 0.3 sh -c '${WRITES}'; exit 1`

test.skipIf(noEngine)(
  'a writer that the engine is about to start again is waited for, and stands still too',
  async () => {
    const { name, copied, payload } = await source()
    await output('head -c 20000000 /dev/urandom > /data/between', { '/data': name })
    const writer = await run(ENDS, { '/data': name }, { Name: 'always' })
    const waitsLong = async () => {
      const { RestartCount, State } = await api('GET', `/containers/${writer}/json`)
      return RestartCount >= 4 && State.Restarting
    }
    await expect.poll(waitsLong, { interval: 20, timeout: 40_000 }).toBe(true)
    const said: string[] = []
    await copy(payload, { onSay: (each) => void said.push(each) })
    expect(said).toContain('1 containers stand still')
    const read = 'tail -qn 1 /data/first /data/second'
    const numbers = (await output(read, { '/data': copied })).match(/\d+/g)!.map(Number)
    expect([0, 1]).toContain(numbers[0]! - numbers[1]!)
    expect(await stateOf(writer)).not.toBe('paused')
    await api('DELETE', `/containers/${writer}?force=true`)
  },
)

test('a writer that never stays up ends the copy, and its neighbours run meanwhile', async () => {
  const all = [
    { Id: 'one', State: 'restarting' },
    { Id: 'other', State: 'running' },
  ]
  const asked: string[] = []
  const call = async (method: string) => {
    asked.push(method)
    return { status: 200, body: all, headers: {} }
  }
  const standing = { signal: AbortSignal.timeout(10_000), onPause: async () => {}, restartingMs: 50 }
  expect(await errorOf(standStill(call as never, ['a'], standing))).toMatchObject({ code: 'RESTARTING' })
  expect(new Set(asked)).toEqual(new Set(['GET']))
})

test.skipIf(noEngine)('without a pause its writers go on all the time', async () => {
  const { name, copied, payload } = await source({ pause: false })
  const writer = await run('while :; do sleep 1; done', { '/data': name })
  const said: string[] = []
  const { pausedMs } = await copy(payload, { onSay: (each) => void said.push(each) })
  expect([pausedMs, said.filter((each) => each.includes('stand still'))]).toEqual([0, []])
  await api('DELETE', `/containers/${writer}?force=true`)
  await expectClean(name, copied)
})

const KILLED_COPY = fileURLToPath(new URL('../../support/agent/killed-copy.ts', import.meta.url))
/** @returns what it has noted */
async function killedAfter(call: string, payload: object): Promise<Map<string, string>> {
  const child = spawn(process.execPath, [KILLED_COPY, engine!.socketPath, JSON.stringify(payload), call], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said, [, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(signal, call).toBe('SIGKILL')
  return new Map(said.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t') as [string, string]])))
}

test.skipIf(noEngine).each([
  ['the copy is made', 'POST /volumes/create', 'running'],
  ['a container stands still', 'POST /containers/[^/]+/pause', 'paused'],
  ['the first container is made', 'POST /containers/create', 'running'],
])('an agent that is killed when %s leaves nothing behind once it is back', async (_what, call, state) => {
  const { name, copied, payload } = await source()
  await output('echo kept > /data/file', { '/data': name })
  const writer = await run('while :; do sleep 1; done', { '/data': name })
  const made = await killedAfter(call, payload)
  expect(await stateOf(writer)).toBe(state)
  await clear!({ taskId: COPY_TASK, made })
  expect(await stateOf(writer)).toBe('running')
  expect(await volumeNames()).not.toContain(copied)
  await expectClean(name)
  await copy(payload)
  expect(await output('cat /data/file', { '/data': copied })).toContain('kept')
  await api('DELETE', `/containers/${writer}?force=true`)
})

test.skipIf(noEngine)('a cancel removes the copy, and its writers go on', async () => {
  const { name, copied, payload } = await source()
  const writer = await run('while :; do sleep 1; done', { '/data': name })
  const stop = new AbortController()
  const done = copy(payload, {
    signal: stop.signal,
    onSay: (said) => void (said.includes('stand still') && stop.abort()),
  })
  await expect(done).rejects.toThrow()
  expect(await stateOf(writer)).toBe('running')
  expect(await volumeNames()).not.toContain(copied)
  await expectClean(name)
  await api('DELETE', `/containers/${writer}?force=true`)
})

test.skipIf(noEngine)('what is not its own is neither read nor written', async () => {
  const { name, copied, payload } = await source()
  await api('POST', '/volumes/create', { Name: copied })
  expect(await errorOf(copy(payload))).toMatchObject({ code: 'VOLUME_TAKEN' })
  expect(await volumeNames()).toContain(copied)
  const other = await source()
  const volumes = [{ from: name, to: other.copied }]
  expect(await errorOf(copy({ ...other.payload, volumes }))).toMatchObject({ code: 'NO_VOLUME' })
  const missing = [{ from: `${other.payload.from!.id}-gone-1`, to: other.copied }]
  expect(await errorOf(copy({ ...other.payload, volumes: missing }))).toMatchObject({ code: 'NO_VOLUME' })
  await expectClean(name)
})

test.skipIf(noEngine)('an engine that dies meanwhile fails the copy, and the next attempt makes it', async () => {
  const { name, copied, payload } = await source()
  await output('head -c 50000000 /dev/urandom > /data/large', { '/data': name })
  const { promise: still, resolve } = Promise.withResolvers<void>()
  const done = errorOf(copy(payload, { onSay: (said) => void (said.includes('stand still') && resolve()) }))
  await still
  await engine!.kill()
  await engine!.start()
  expect(await done).toMatchObject({ code: 'ENGINE_DOWN' })
  await clear!({ taskId: COPY_TASK, made: new Map() })
  expect(await volumeNames()).not.toContain(copied)
  expect((await copy(payload)).bytes).toBeGreaterThan(50_000_000)
  await expectClean(name, copied)
})
