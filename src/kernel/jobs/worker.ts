/**
 * Runs the reactions and timers of all sections. Any number of workers may run, in any number of
 * processes. The checkpoints of reactions move by compare-and-set, a job is queued once, and a job that
 * still runs twice takes effect once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startPollLoop } from '../lib/poll-loop.ts'
import type { PollLoop } from '../lib/poll-loop.ts'
import { SCAN_EVERY_MS, scanDueJobs, scanWhenDue } from './due-job-scanner.ts'
import type { JobScannerDependencies } from './due-job-scanner.ts'
import { reactionJob } from './due-job-scanner.ts'
import { runJob } from './job-runner.ts'
import type { JobRunnerDependencies } from './job-runner.ts'
import { LANES } from './queue.ts'
import type { JobQueue, QueuedJob, QueueConsumer } from './queue.ts'
import { notifyReactions } from './reaction-subscriber.ts'

/** The store calls after every append; this is only a safety net. */
const TELL_EVERY_MS = 10_000
const ENQUEUE_MS = 5_000
/** The pause between scans while there are more due jobs than one scan enqueues. */
const LOOK_AGAIN_MS = 1_000

export interface WorkerDependencies extends Omit<JobRunnerDependencies, 'enqueue'> {
  readonly queue: JobQueue
  /** For the log; failures are also recorded for operators. */
  readonly onError: (error: unknown, what: string) => void
  readonly scanEveryMs?: number
}

export interface Worker {
  start(): Promise<void>
  /** Takes no more jobs; running ones get `graceMs` to finish. */
  stop(graceMs: number): Promise<void>
}

/** @throws Error for two reactions or timers with the same name */
export function worker(parts: WorkerDependencies): Worker {
  const { queue, store, pool, clock, reactions, timers, onError, scanEveryMs = SCAN_EVERY_MS } = parts
  refuseDuplicateNames([...reactions, ...timers].map(({ name }) => name))
  const enqueue = async (wakeUps: readonly QueuedJob[]): Promise<void> => {
    if (wakeUps.length > 0) await withinTime(queue.add(wakeUps, clock.now().getTime()))
  }
  const performing: JobRunnerDependencies = { ...parts, enqueue }
  const looking: JobScannerDependencies = {
    ...parts,
    enqueue,
    onError: (error, name) => onError(error, `scan for ${name}`),
  }
  const running: PollLoop[] = []
  const working: QueueConsumer[] = []
  const subscriber = (onPending: (wakeUps: QueuedJob[]) => Promise<void>) => ({
    store,
    pool,
    reactions,
    onPending: (pending: readonly { reaction: (typeof reactions)[number]; position: number }[]) =>
      onPending(pending.map(({ reaction, position }) => reactionJob(reaction, position))),
  })

  async function lookWhileMore(isStopping: () => boolean): Promise<void> {
    let isMore = await scanWhenDue(looking, scanEveryMs)
    while (isMore && !isStopping()) {
      await sleep(LOOK_AGAIN_MS)
      isMore = await scanDueJobs(looking)
    }
  }

  const does = (wakeUp: QueuedJob, signal: AbortSignal) => runJob(performing, wakeUp, signal)

  return {
    async start() {
      for (const lane of LANES) working.push(await queue.consume(lane, does))
      const telling = startPollLoop(
        (isStopping) =>
          notifyReactions(
            subscriber((wakeUps) => enqueue(wakeUps).catch(nothing)),
            isStopping,
          ),
        TELL_EVERY_MS,
        (error) => onError(error, 'notify reactions'),
      )
      const forget = store.onAppended(() => telling.wake())
      running.push(telling, { wake: forget, stop: async () => forget() })
      running.push(startPollLoop(lookWhileMore, scanEveryMs, (error) => onError(error, 'scan for due jobs')))
    },
    async stop(graceMs) {
      await Promise.all(running.map((each) => each.stop()))
      await Promise.all(working.map((each) => each.stop(graceMs)))
    },
  }
}

/**
 * An unreachable queue buffers jobs until it is back. The worker does not wait for it: the scanner
 * finds lost jobs.
 */
async function withinTime(adding: Promise<void>): Promise<void> {
  const late = sleep(ENQUEUE_MS, undefined, { ref: false }).then(() => {
    throw new Error('The queue does not respond')
  })
  await Promise.race([adding, late])
}

const nothing = (): void => {}

function refuseDuplicateNames(names: readonly string[]): void {
  const twin = names.find((name, place) => names.indexOf(name) !== place)
  if (twin !== undefined) throw new Error(`Two reactions or timers have the name ${twin}`)
}
