/** Commands within containers, on a real container engine: what they answer, and that they end with their time. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { execPerformer } from '../../../src/agent/applications/exec.ts'
import { hostEngine } from '../../../src/agent/host/engine.ts'
import { containersExec } from '../../../src/tasks/applications.ts'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import { workloadContainers } from '../../support/workload-container.ts'
import type { StartContainer } from '../../support/workload-container.ts'

const OWN = 'this installation'
const workload = { kind: 'APPLICATION', id: uuidv7() }
const place = { installation: OWN, workload, deploymentId: uuidv7() }
const engine = noEngine === undefined ? await startEngine() : undefined
afterAll(() => engine?.stop())
const host = hostEngine(`unix://${engine?.socketPath ?? '/nowhere'}`)
const performer = execPerformer(host)

let start: StartContainer
let containerId: string
beforeAll(async () => {
  if (!engine) return
  start = await workloadContainers(engine)
  containerId = await start(place, 'exec /bin/busybox sleep 1000', { Env: ['TOKEN=hunter2hunter2', 'MODE=live'] })
})

interface Asked {
  readonly command: readonly string[]
  readonly stdin?: string
  readonly target?: object
  readonly timeoutMs?: number
  readonly installation?: string
  readonly names?: readonly string[]
  readonly values?: readonly string[]
  readonly signal?: AbortSignal
  readonly taskId?: string
  readonly notes?: Map<string, string>
}

const OF_WORKLOAD = { workload, service: null, replica: null }

async function exec({ command, stdin, target = OF_WORKLOAD, timeoutMs = 10_000, installation = OWN, ...more }: Asked) {
  const said = { OUT: '', ERR: '' }
  const notes = more.notes ?? new Map<string, string>()
  const work = {
    taskId: more.taskId ?? uuidv7(),
    payload: containersExec.payload.parse({ installation, target, timeoutMs }),
    secrets: { command, stdin: stdin ?? null, values: more.values ?? [], names: more.names ?? [] },
    signal: more.signal ?? AbortSignal.timeout(60_000),
    note: async (name: string, ref: string) => void notes.set(name, ref),
    say: async (text: string, of: 'OUT' | 'ERR') => {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8_192)
      said[of] += JSON.parse(text)
    },
  }
  const result = containersExec.result.parse(await performer.perform(work as never))
  return { ...result, out: said.OUT, err: said.ERR, notes }
}

const sh = (script: string, more: Partial<Asked> = {}) =>
  exec({ command: ['/bin/busybox', 'sh', '-c', script], ...more })
const codeOf = (done: Promise<unknown>): Promise<string> =>
  done.then(
    () => 'done',
    ({ code }) => code,
  )

/** Processes of this host whose argument list has the text. */
const processesWith = (text: string): string[] =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(text)
    } catch {
      return false
    }
  })

test.skipIf(noEngine)(
  'a command gets its arguments and its input as they are, and its outputs are told apart',
  async () => {
    const words = ['a b', '$(id)', '`id`', ';', '', 'ü\n', '--', '-x']
    const script = 'for each in "$@"; do printf "[%s]" "$each"; done; cat >&2; exit 7'
    const done = await exec({ command: ['/bin/busybox', 'sh', '-c', script, 'sh', ...words], stdin: 'in\0put ü' })
    expect(done).toMatchObject({ exitCode: 7, timedOut: false, truncated: false, err: 'in\uFFFDput ü' })
    expect(done.out).toBe(words.map((word) => `[${word}]`).join(''))
    expect(await exec({ command: ['/bin/busybox', 'cat'] })).toMatchObject({ exitCode: 0, out: '' })
    expect(await exec({ command: ['/none'] })).toMatchObject({ exitCode: expect.toSatisfy((code) => code >= 126) })
  },
)

test.skipIf(noEngine)('long outputs are cut at whole characters, and the command runs on to its end', async () => {
  const done = await sh('head -c 700000 /dev/zero | tr "\\0" "€"; echo end >&2; exit 3'.replace('"€"', '"x"'))
  expect(done).toMatchObject({ exitCode: 3, truncated: true, err: 'end\n' })
  expect(done.out).toBe('x'.repeat(262_144))
  const wide = await sh('i=0; while [ $i -lt 30000 ]; do printf "€€€€€€€€€€"; i=$((i+1)); done')
  expect(wide).toMatchObject({ truncated: true })
  expect(wide.out).toBe('€'.repeat(Math.floor(262_144 / 3)))
})

test.skipIf(noEngine)('when its time is over, all that it has started is gone, and the container stays', async () => {
  const mark = `31${Date.now() % 100_000}`
  const script = `trap "" TERM HUP INT; (setsid sleep ${mark} >/dev/null 2>&1 &) ; sleep ${mark} & echo begun; sleep ${mark}`
  const running = sh(script, { timeoutMs: 1_000 })
  await expect.poll(() => processesWith(mark).length).toBeGreaterThanOrEqual(3)
  const done = await running
  expect(done).toMatchObject({ exitCode: null, timedOut: true, out: 'begun\n' })
  expect(done.ms).toBeLessThan(30_000)
  expect(processesWith(mark)).toEqual([])
  expect((await engine!.api('GET', `/containers/${containerId}/json`)).State.Running).toBe(true)
})

test.skipIf(noEngine)('a cancelled one is ended, and one that an earlier process of the agent has left', async () => {
  const [first, second] = [`32${Date.now() % 100_000}`, `33${Date.now() % 100_000}`]
  const cancel = new AbortController()
  const cancelled = sh(`sleep ${first}`, { signal: cancel.signal })
  await expect.poll(() => processesWith(first).length).toBeGreaterThan(0)
  cancel.abort()
  await expect(cancelled).rejects.toThrow()
  expect(processesWith(first)).toEqual([])

  const taskId = uuidv7()
  const notes = new Map<string, string>()
  const left = sh(`setsid sleep ${second}`, { taskId, notes })
  await expect.poll(() => processesWith(second)).not.toEqual([])
  await performer.clear!({ taskId: uuidv7(), made: notes })
  expect(processesWith(second), 'not that of another task').not.toEqual([])
  await performer.clear!({ taskId, made: notes })
  expect(processesWith(second)).toEqual([])
  expect(await left).toMatchObject({ timedOut: false })
})

test.skipIf(noEngine)('one that closes its outputs ends with its time, and nothing outlives its end', async () => {
  const [silent, left] = [`34${Date.now() % 100_000}`, `35${Date.now() % 100_000}`]
  const running = sh(`echo begun; exec >/dev/null 2>&1; sleep ${silent}`, { timeoutMs: 3_000 })
  await expect.poll(() => processesWith(silent)).not.toEqual([])
  const done = await running
  expect(done).toMatchObject({ exitCode: null, timedOut: true, out: 'begun\n' })
  expect(done.ms).toBeGreaterThanOrEqual(2_900)
  expect(processesWith(silent)).toEqual([])
  const late = await sh('exec >/dev/null 2>&1; sleep 1; exit 5')
  expect(late, 'its exit code is waited for').toMatchObject({ exitCode: 5, timedOut: false })
  const ended = await sh(`(setsid sleep ${left} >/dev/null 2>&1 &); sleep 0.2; echo over`)
  expect(ended).toMatchObject({ exitCode: 0, timedOut: false, out: 'over\n' })
  expect(processesWith(left)).toEqual([])
})

test.skipIf(noEngine)('it runs in no container but a running one of a workload of this installation', async () => {
  const otherWorkload = { kind: 'APPLICATION', id: uuidv7() }
  const foreign = await start({ ...place, installation: 'another', workload: otherWorkload }, 'sleep 1000')
  const web = await start({ ...place, service: 'web', replica: 2 }, 'echo; exec sleep 1000')
  const command = ['/bin/busybox', 'hostname']
  const of = (target: object, more: object = {}) => codeOf(exec({ command, target, ...more }))
  expect(await of({ containerId: foreign })).toBe('NOT_RUNNING')
  expect(await of({ containerId }, { installation: 'another' })).toBe('NOT_RUNNING')
  expect(await of({ containerId: 'f'.repeat(64) })).toBe('NOT_RUNNING')
  expect(await of({ workload: otherWorkload, service: null, replica: null })).toBe('NOT_RUNNING')
  expect(await of({ workload, service: 'web', replica: 1 })).toBe('NOT_RUNNING')
  const done = await exec({ command, target: { workload, service: 'web', replica: 2 } })
  expect(done.out.trim()).toBe(web.slice(0, 12))
  await engine!.api('POST', `/containers/${web}/pause`)
  expect(await of({ containerId: web })).toBe('NOT_RUNNING')
  await engine!.api('POST', `/containers/${web}/unpause`)
  await engine!.api('POST', `/containers/${web}/stop`)
  expect(await of({ containerId: web })).toBe('NOT_RUNNING')
})

test.skipIf(noEngine)('its output has no secret of the container, and no value that the panel names', async () => {
  const done = await sh('echo $TOKEN; printf cana; sleep 0.2; printf "ry-value"; echo; echo $MODE', {
    names: ['TOKEN'],
    values: ['canary-value'],
  })
  expect(done.out).toBe('***\n***\nlive\n')
})
