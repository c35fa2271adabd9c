/** One attempt of a task on this host: its secrets, its log, its performer, and how it ends. */
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { BOX_IN_TRANSFER } from '../tasks/envelope.ts'
import type { ReadTask } from '../tasks/envelope.ts'
import type { Need } from '../tasks/kind.ts'
import { LONG_BYTES_MAX, RESULT_BYTES_MAX } from '../tasks/protocol.ts'
import type { BoxKeys } from '../tasks/sealed-box.ts'
import { failed } from './journal.ts'
import type { Journal, TaskEnd } from './journal.ts'
import { mayCommit } from './may-commit.ts'
import type { CommitDependencies } from './may-commit.ts'
import { TaskFailure } from './performer.ts'
import type { Performer, Work } from './performer.ts'
import { secretsIn } from './secret-filter.ts'
import { openSecrets, UNOPENED } from './secrets.ts'
import type { Spool } from './spool.ts'
import { taskLog } from './task-log.ts'
import { downloadAll, uploadAll } from './transfers.ts'
import type { TransferDependencies } from './transfers.ts'

/** How long a task waits for the engine to come back. */
const READY_MS = 60_000
const READY_EVERY_MS = 1_000

export interface AttemptDependencies {
  readonly journal: Pick<Journal, 'find' | 'note'>
  readonly performers: ReadonlyMap<string, Performer>
  readonly boxKeys: BoxKeys
  readonly transfers: TransferDependencies
  readonly commits: CommitDependencies
  isReady(need: Need): Promise<boolean>
  panelNow(): Date
  readonly readyMs?: number | undefined
}

interface Attempt {
  readonly task: ReadTask
  readonly spool: Spool
  /** Whether an earlier process has begun it. */
  readonly isResumed: boolean
  readonly stop: AbortController
  /** Whether the agent itself stops. */
  isStopping(): boolean
  /** There is more to tell. */
  onSaid(): void
}

/** @returns undefined if this process stops, and leaves the attempt to the next one */
export async function runAttempt(parts: AttemptDependencies, attempt: Attempt): Promise<TaskEnd | undefined> {
  const { task, spool, stop, isResumed, isStopping, onSaid } = attempt
  const { taskId, attempt: nth, kind } = task
  const late = AbortSignal.timeout(task.runMs)
  const signal = AbortSignal.any([stop.signal, late])
  const performer = parts.performers.get(kind.name)!
  let log = taskLog(spool, [], onSaid)
  const download = () => downloadAll(taskId, parts.transfers, signal)
  try {
    const box = task.secrets === BOX_IN_TRANSFER ? await textOf(download()) : task.secrets
    const secrets = openSecrets(box, parts.boxKeys, { taskId, attempt: nth })
    if (secrets === UNOPENED) return failed('REFUSED_SECRETS', 'The secrets of the task were sealed for another agent')
    log = taskLog(spool, (performer.redacts ?? secretsIn)(secrets), onSaid)
    const work: Work<unknown> = {
      taskId,
      attempt: nth,
      payload: task.payload,
      secrets,
      signal,
      isResumed,
      panelNow: parts.panelNow,
      get made() {
        return parts.journal.find(taskId)!.made
      },
      get linesSaid() {
        return spool.lastSeq
      },
      note: (name, ref) => parts.journal.note({ is: 'made', id: taskId, attempt: nth, name, ref }),
      say: log.say,
      write: log.write,
      mayCommit: () => mayCommit(task, parts.commits, stop, signal),
      download,
      upload: (bytes) => uploadAll(taskId, bytes, parts.transfers, signal),
    }
    await untilReady(parts, kind.needs, signal)
    // What an earlier process has begun is the performer's to take back.
    if (!isResumed) signal.throwIfAborted()
    const result = await performer.perform(work)
    return await resultOf(task, result, work.upload)
  } catch (error) {
    if (stop.signal.aborted) return isStopping() ? undefined : { outcome: 'CANCELLED' }
    if (late.aborted) return failed('TIMEOUT', 'The task did not end in its time')
    const message = log.plain(error instanceof Error ? error.message : 'No reason given')
    return failed(error instanceof TaskFailure ? error.code : 'INTERNAL', message)
  } finally {
    await log.end()
  }
}

/** @throws TaskFailure for a box that is longer than any */
async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    if (size > 2 * LONG_BYTES_MAX) throw new TaskFailure('REFUSED_SECRETS', 'The secrets of the task are too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** @param upload for a result that is too long for the journal and for an event, or that no event may have */
async function resultOf({ kind }: ReadTask, result: unknown, upload: Work<unknown>['upload']): Promise<TaskEnd> {
  const parsed = kind.result.safeParse(result)
  if (!parsed.success) return failed('BAD_RESULT', 'The result does not have the form of its kind')
  const text = Buffer.from(JSON.stringify(parsed.data))
  if (text.length > LONG_BYTES_MAX)
    return failed('RESULT_TOO_LARGE', `The result is longer than ${LONG_BYTES_MAX} bytes`)
  if (kind.isResultFiled || text.length > RESULT_BYTES_MAX)
    return { outcome: 'SUCCEEDED', result: null, file: await upload(Readable.from([text])) }
  return { outcome: 'SUCCEEDED', result: parsed.data as never }
}

async function untilReady(
  { isReady, readyMs = READY_MS }: Pick<AttemptDependencies, 'isReady' | 'readyMs'>,
  needs: readonly Need[],
  signal: AbortSignal,
): Promise<void> {
  const until = performance.now() + readyMs
  for (const need of needs)
    while (!(await isReady(need))) {
      if (performance.now() >= until) throw new TaskFailure(...DOWN[need])
      await sleep(Math.min(READY_EVERY_MS, readyMs), undefined, { signal })
    }
}

const DOWN: Readonly<Record<Need, [code: string, message: string]>> = {
  engine: ['ENGINE_DOWN', 'The container engine of the server did not answer'],
}
