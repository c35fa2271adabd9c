/**
 * Runs the tasks that the panel hands out: each step is in the journal before the next one begins, lanes run one by one
 * in order, and pools bound the rest.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EnvelopeRefusal, ReadTask } from '../tasks/envelope.ts'
import { POOLS, POOL_SIZES } from '../tasks/pools.ts'
import type { Pool } from '../tasks/pools.ts'
import type { PollBody } from '../tasks/protocol.ts'
import { HOLDING_MAX, TASKS_PER_ANSWER } from '../tasks/protocol.ts'
import { backOff } from './back-off.ts'
import type { BackOffLimits } from './back-off.ts'
import { failed } from './journal.ts'
import type { Journal, JournalEntry, JournaledTask, TaskEnd } from './journal.ts'
import { runAttempt } from './run-attempt.ts'
import type { AttemptDependencies } from './run-attempt.ts'
import type { Spool, Spools } from './spool.ts'

/** A poll names so many. An agent whose ends the panel does not take starts nothing more. */
const HELD_MAX = HOLDING_MAX - TASKS_PER_ANSWER
/** For performers that do not heed their signal. */
const STOP_MS = 10_000

export interface TaskRunnerDependencies extends AttemptDependencies {
  readonly journal: Journal
  readonly spools: Spools
  /** A task is held from now on: its lines and its end are to be told. */
  onHeld(held: HeldTask): void
  /** A place of a pool that was full is free. */
  onFree(): void
  /** How long it waits before it notes again what the disk has not taken. */
  readonly backOff?: BackOffLimits | undefined
  /** A disk that takes no more, for example. */
  onError(error: unknown): void
}

/** A task that the agent has taken, until the panel has its end. */
export interface HeldTask {
  readonly id: string
  readonly attempt: number
  readonly spool: Spool
  readonly end: TaskEnd | undefined
  /** Aborted when there is nothing to tell any more. */
  readonly released: AbortSignal
  /** Called when there is more to tell. */
  onChange: () => void
}

interface Held extends HeldTask {
  /** Absent for one that had ended before. */
  readonly task: ReadTask | undefined
  readonly isResumed: boolean
  readonly stop: AbortController
  readonly release: AbortController
  work: Promise<void> | undefined
  end: TaskEnd | undefined
}

export interface TaskRunner {
  holding(): PollBody['holding']
  free(): Record<Pool, number>
  /** What an earlier process has left: ends that were not told, and attempts that nothing can resume. */
  recover(): Promise<void>
  /** @param isCancelled whether the panel asks to stop it in the same answer */
  receive(task: ReadTask, isCancelled: boolean): Promise<void>
  refuse(about: { readonly taskId: string; readonly attempt: number }, code: EnvelopeRefusal): Promise<void>
  cancel(id: string): void
  /** The panel has the end, or knows that the task is over. */
  forget(id: string): Promise<void>
  /** Resolves when no task runs, or none ends any more. The next process resumes what runs. */
  stop(): Promise<void>
  /** Closes the files of the tasks that are held. */
  close(): Promise<void>
}

export function taskRunner(parts: TaskRunnerDependencies): TaskRunner {
  const { journal, spools, performers } = parts
  const held = new Map<string, Held>()
  const stopping = new AbortController()

  const all = (): Held[] => [...held.values()]
  const openIn = (pool: Pool): Held[] => all().filter(({ task, end: how }) => task?.kind.pool === pool && !how)
  const runningIn = (pool: Pool): number => openIn(pool).filter(({ work }) => work).length

  async function hold(known: JournaledTask, task?: ReadTask, isResumed = false): Promise<Held> {
    const { id, attempt, end: how, lastSeq } = known
    const release = new AbortController()
    const taken: Held = {
      id,
      attempt,
      end: how,
      task,
      isResumed,
      release,
      work: undefined,
      spool: await spools.open(id, lastSeq),
      released: release.signal,
      stop: new AbortController(),
      onChange: () => {},
    }
    held.set(id, taken)
    parts.onHeld(taken)
    return taken
  }

  function letGo(taken: Held): void {
    if (held.get(taken.id) === taken) held.delete(taken.id)
    taken.release.abort()
  }

  /** A disk that takes nothing now may do so later. @throws Error once the runner stops */
  async function noteUntilTaken(entry: JournalEntry): Promise<void> {
    const pause = backOff(parts.backOff)
    for (;;)
      try {
        return await journal.note(entry)
      } catch (error) {
        if (stopping.signal.aborted) throw error
        parts.onError(error)
        await pause.wait(stopping.signal)
      }
  }

  /** What has happened is told once it is noted. */
  async function end(taken: Held, how: TaskEnd): Promise<void> {
    const { id, attempt, spool } = taken
    await noteUntilTaken({ is: 'ended', id, attempt, end: how, lastSeq: spool.lastSeq })
    taken.end = how
    taken.onChange()
  }

  /** Without work. The panel is heard meanwhile. */
  function settle(taken: Held, how: TaskEnd): void {
    taken.work = end(taken, how).catch(parts.onError).finally(schedule)
  }

  /** What an earlier process has left is ended beside all else. */
  function clear({ id: taskId, kind, made }: JournaledTask): void {
    performers.get(kind)?.clear?.({ taskId, made }).catch(parts.onError)
  }

  /** Starts what waits, in the order of its receipt. */
  function schedule(): void {
    const busyLanes = new Set<string>()
    for (const taken of all()) {
      const { task } = taken
      if (!task || taken.end) continue
      const lane = task.kind.lane(task.payload)
      const isBehind = lane !== null && busyLanes.has(lane)
      if (lane !== null) busyLanes.add(lane)
      if (taken.work || isBehind || stopping.signal.aborted || runningIn(task.kind.pool) >= POOL_SIZES[task.kind.pool])
        continue
      const wasFull = openIn(task.kind.pool).length >= POOL_SIZES[task.kind.pool]
      taken.work = run(taken, task).finally(() => {
        if (wasFull) parts.onFree()
        schedule()
      })
    }
  }

  async function run(taken: Held, task: ReadTask): Promise<void> {
    const { taskId: id, attempt } = task
    try {
      await noteUntilTaken({ is: 'started', id, attempt })
      const how = await runAttempt(parts, {
        ...taken,
        task,
        isStopping: () => stopping.signal.aborted,
        onSaid: () => taken.onChange(),
      })
      if (how) await end(taken, how)
    } catch (error) {
      parts.onError(error)
    }
  }

  return {
    holding: () => all().map(({ id, attempt, end: how }) => ({ id, attempt, ended: how !== undefined })),
    free() {
      const leftIn = (pool: Pool) => (held.size > HELD_MAX ? 0 : Math.max(0, POOL_SIZES[pool] - openIn(pool).length))
      return Object.fromEntries(POOLS.map((pool) => [pool, leftIn(pool)])) as Record<Pool, number>
    },

    async recover() {
      for (const known of journal.unfinished()) {
        // The panel is told of one whose receipt the disk has damaged, because its kind is not known.
        const isLost = known.isStarted && (known.kind === '' || performers.get(known.kind)?.kind.onRestart === 'report')
        // All else is not held, so the panel hands it out again, with its secrets.
        if (known.end) await hold(known)
        else if (isLost) {
          clear(known)
          settle(await hold(known), failed('INTERRUPTED', 'The agent ended while the task ran'))
        }
      }
      await spools.removeAllBut((id) => journal.find(id)?.isTold === false)
    },

    async receive(task, isCancelled) {
      const { taskId: id, attempt, kind, issuedAt } = task
      const before = held.get(id)
      if (before && (!before.end || before.attempt >= attempt)) return
      if (before) {
        letGo(before)
        await before.spool.close()
      }
      const known = await journal.recall(id)
      const isOver = known?.end && (known.end.outcome !== 'FAILED' || known.attempt >= attempt)
      if (isOver) {
        await hold(known)
        return
      }
      const isResumed = known?.attempt === attempt && known.isStarted
      const received = { is: 'received' as const, id, attempt, kind: kind.name, issuedAt: issuedAt.toISOString() }
      if (known?.attempt !== attempt) await journal.note(received)
      const taken = await hold(journal.find(id)!, task, isResumed)
      if (isCancelled) taken.stop.abort()
      schedule()
    },

    async refuse({ taskId: id, attempt }, code) {
      if (held.has(id)) return
      if (!(await journal.recall(id))?.end) await journal.note({ is: 'received', id, attempt, kind: '' })
      const taken = await hold(journal.find(id)!)
      if (!taken.end) settle(taken, failed(code, REFUSALS[code]))
    },

    cancel(id) {
      const taken = held.get(id)
      if (!taken || taken.end) return
      taken.stop.abort()
      if (!taken.work) settle(taken, { outcome: 'CANCELLED' })
    },

    async forget(id) {
      const taken = held.get(id)
      if (!taken) return
      taken.stop.abort()
      await taken.work
      if (!taken.end) await end(taken, { outcome: 'CANCELLED' })
      await noteUntilTaken({ is: 'told', id, attempt: taken.attempt })
      if (held.get(id) !== taken) return
      letGo(taken)
      await taken.spool.remove()
      schedule()
    },

    async stop() {
      stopping.abort()
      for (const { stop } of all()) stop.abort()
      const grace = new AbortController()
      const late = sleep(STOP_MS, undefined, { signal: grace.signal }).catch(() => {})
      await Promise.race([Promise.all(all().flatMap(({ work }) => work ?? [])), late])
      grace.abort()
    },

    close: async () => void (await Promise.all(all().map(({ spool }) => spool.close()))),
  }
}

export const REFUSALS: Readonly<Record<EnvelopeRefusal, string>> = {
  REFUSED_SIGNATURE: 'The panel of this agent has not signed the task',
  REFUSED_SERVER: 'The task is for another server',
  REFUSED_EXPIRED: 'The time to start the task was over',
  REFUSED_FIELD: 'The task has a field that its kind does not allow',
  AGENT_TOO_OLD: 'The agent does not know this kind of task in this version: update the agent',
}
