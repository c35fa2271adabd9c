/** Runs a command within a container of a workload, for a limited time. */
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { containersExec, EXEC_OUTPUT_BYTES_MAX, ExecSecrets } from '../../tasks/applications.ts'
import type { ExecTarget } from '../../tasks/applications.ts'
import { talk } from '../engine-bytes.ts'
import type { EngineCall } from '../engine-call.ts'
import { workloadOf } from '../engine/owners.ts'
import type { HostEngine } from '../host/engine.ts'
import { performer, TaskFailure } from '../performer.ts'
import type { Performer, Work } from '../performer.ts'
import { secretFilters } from '../secret-filter.ts'
import { endCommand, inspectExec, markOf } from './command-processes.ts'
import { containersOf, inspected } from './containers.ts'
import type { Inspected } from './containers.ts'
import { valuesIn } from './hidden-values.ts'
import { textPieces } from './text-pieces.ts'

type Engine = Pick<HostEngine, 'call' | 'upgrade'>
type ExecWork = Work<z.output<typeof containersExec.payload>>
type Ended = z.output<typeof containersExec.result>

/** What the journal knows it by. */
const MADE = 'exec'
const CREATED = 201
const [LOOK_FIRST_MS, LOOK_EVERY_MS] = [20, 200]

const Created = z.object({ Id: z.string().regex(/^[0-9a-f]{64}$/) })

export const execPerformer = (engine: Engine): Performer =>
  performer(containersExec, (work) => execute(engine, work), {
    // The output has lost its secrets before it becomes JSON.
    redacts: () => [],
    async clear({ taskId, made }) {
      const execId = made.get(MADE)
      if (execId !== undefined) await endCommand(engine.call, { taskId, execId })
    },
  })

async function execute(engine: Engine, work: ExecWork): Promise<Ended> {
  const { taskId, payload, signal, note } = work
  const { command, stdin, values, names } = ExecSecrets.parse(work.secrets)
  const { id, found } = await containerFor(engine.call, payload, signal)
  const startedMs = performance.now()
  const execId = await createExec(engine.call, id, { taskId, command, takesInput: stdin !== null }, signal)
  await note(MADE, execId)
  const output = limitedOutput(work, [...values, ...valuesIn(found, names)])
  const late = AbortSignal.timeout(payload.timeoutMs)
  const inTime = AbortSignal.any([signal, late])
  const isSilent = await runExec(engine, { execId, input: stdin }, output, inTime)
  const exit = isSilent ? await exitOf(engine.call, execId, inTime) : 'RUNS'
  // Also what it has left behind: nothing of it outlives its answer.
  const isGone = await endCommand(engine.call, { taskId, execId })
  if (!isGone && exit === 'RUNS')
    throw new TaskFailure('NOT_ENDED', 'The time of the command is over, and the host does not let the agent end it')
  signal.throwIfAborted()
  await output.end()
  const ms = Math.round(performance.now() - startedMs)
  const isEnded = exit !== 'RUNS'
  return { exitCode: isEnded ? exit : null, timedOut: !isEnded, truncated: output.isTruncated(), ms }
}

const NOT_RUNNING = ['NOT_RUNNING', 'No container of it runs on the server'] as const

/** @throws TaskFailure NOT_RUNNING, for a container that belongs to no workload of the installation too */
async function containerFor(
  call: EngineCall,
  { installation, target }: { readonly installation: string; readonly target: ExecTarget },
  signal: AbortSignal,
): Promise<{ readonly id: string; readonly found: Inspected }> {
  const id = 'containerId' in target ? target.containerId : await runningIn(call, installation, target, signal)
  const found = id === undefined ? undefined : await inspected(call, id, signal)
  if (id === undefined || !found?.State.Running || !workloadOf(found.Config.Labels, installation))
    throw new TaskFailure(...NOT_RUNNING)
  return { id, found }
}

async function runningIn(
  call: EngineCall,
  installation: string,
  { workload, service, replica }: Exclude<ExecTarget, { containerId: string }>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const all = await containersOf(call, { installation, workload, service, deploymentId: null }, signal)
  return all.find((each) => each.isRunning && (replica === null || each.replica === replica))?.id
}

interface CommandToRun {
  readonly taskId: string
  readonly command: readonly string[]
  readonly takesInput: boolean
}

async function createExec(
  call: EngineCall,
  containerId: string,
  { taskId, command: Cmd, takesInput: AttachStdin }: CommandToRun,
  signal: AbortSignal,
): Promise<string> {
  const exec = { AttachStdin, AttachStdout: true, AttachStderr: true, Tty: false, Cmd, Env: [markOf(taskId)] }
  const { status, body } = await call('POST', `/containers/${containerId}/exec`, signal, exec)
  const created = Created.safeParse(body)
  // It has been removed, stopped or paused meanwhile.
  if (status === 404 || status === 409) throw new TaskFailure(...NOT_RUNNING)
  if (status !== CREATED || !created.success)
    throw new TaskFailure('ENGINE_REFUSED', 'The container engine did not take the command')
  return created.data.Id
}

/** @returns false if its time was over, or the task was cancelled, before its outputs have ended */
async function runExec(
  { upgrade }: Engine,
  { execId, input }: { readonly execId: string; readonly input: string | null },
  output: LimitedOutput,
  signal: AbortSignal,
): Promise<boolean> {
  const to = { protocol: 'tcp', body: { Detach: false, Tty: false } } as const
  try {
    const socket = await upgrade(`/exec/${execId}/start`, signal, to)
    if (socket === 404 || socket === 409) throw new TaskFailure(...NOT_RUNNING)
    if (typeof socket === 'number')
      throw new TaskFailure('ENGINE_REFUSED', 'The container engine did not run the command')
    await talk(
      socket,
      input,
      async (frames) => {
        for (const { of, bytes } of frames) await output.take(of, bytes)
      },
      signal,
    )
    return true
  } catch (error) {
    if (signal.aborted) return false
    throw error
  }
}

/**
 * The engine knows the exit code a moment after the outputs have ended. A command may close them, and go on.
 * @returns RUNS if its time was over, or the task was cancelled, before it has ended; null for a code that is not known
 */
async function exitOf(call: EngineCall, execId: string, signal: AbortSignal): Promise<number | null | 'RUNS'> {
  try {
    for (let waitMs = LOOK_FIRST_MS; ; waitMs = Math.min(2 * waitMs, LOOK_EVERY_MS)) {
      const exec = await inspectExec(call, execId, signal)
      if (!exec?.Running) return exec?.ExitCode ?? null
      await sleep(waitMs, undefined, { signal })
    }
  } catch (error) {
    if (signal.aborted) return 'RUNS'
    throw error
  }
}

interface LimitedOutput {
  take(of: 'OUT' | 'ERR', bytes: Buffer): Promise<void>
  end(): Promise<void>
  isTruncated(): boolean
}

/** Says the first bytes of each output, without secrets, and reads on, so that the command can go on. */
function limitedOutput({ say }: Pick<ExecWork, 'say'>, hidden: readonly string[]): LimitedOutput {
  let isTruncated = false
  const filters = secretFilters(hidden)
  const outputOf = (of: 'OUT' | 'ERR') => {
    const [decoder, filter] = [new StringDecoder('utf8'), filters()]
    let left = EXEC_OUTPUT_BYTES_MAX
    async function tell(text: string): Promise<void> {
      const shown = firstBytes(text, left)
      left -= Buffer.byteLength(shown)
      if (shown.length < text.length) [isTruncated, left] = [true, 0]
      if (shown !== '') for (const piece of textPieces(shown)) await say(JSON.stringify(piece), of)
    }
    return {
      take: (bytes: Buffer) => tell(filter.push(decoder.write(bytes))),
      end: () => tell(filter.push(decoder.end()) + filter.end()),
    }
  }
  const outputs = { OUT: outputOf('OUT'), ERR: outputOf('ERR') }
  return {
    take: (of, bytes) => outputs[of].take(bytes),
    async end() {
      await outputs.OUT.end()
      await outputs.ERR.end()
    },
    isTruncated: () => isTruncated,
  }
}

/** Whole characters. */
function firstBytes(text: string, most: number): string {
  const bytes = Buffer.from(text)
  return bytes.length <= most ? text : new StringDecoder('utf8').write(bytes.subarray(0, most))
}
