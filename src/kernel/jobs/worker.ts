/**
 * Runs what sections declare to follow. Any number of these may run, in any number of processes: the checkpoints of reactions move by
 * compare-and-set, a job stands in the queue once, and what is done twice all the same has its effect once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { LOOK_EVERY_MS, look, takeTurn } from './due-job-scanner.ts'
import type { LookingParts } from './due-job-scanner.ts'
import { perform } from './job-runner.ts'
import type { PerformingParts } from './job-runner.ts'
import { LANES } from './queue.ts'
import type { Queue, WakeUp, Working } from './queue.ts'
import { repeated } from '../lib/poll-loop.ts'
import type { Repeated } from '../lib/poll-loop.ts'
import { reactionWakeUp } from './due-job-scanner.ts'
import { tell } from './reaction-subscriber.ts'

const TELL_EVERY_MS = 1_000
const ENQUEUE_MS = 5_000
/** While there is more to do than fits into one look. */
const LOOK_AGAIN_MS = 1_000

export interface WorkerParts extends Omit<PerformingParts, 'wake'> {
  readonly queue: Queue
  /** What could not be done is noted for operators anyway; this is for the log. */
  readonly onError: (error: unknown, what: string) => void
  readonly lookEveryMs?: number
}

export interface Worker {
  start(): Promise<void>
  /** Takes nothing more, and gives what is being done `graceMs` to end. */
  stop(graceMs: number): Promise<void>
}

/** @throws Error for two reactions or timers of one name */
export function worker(parts: WorkerParts): Worker {
  const { queue, store, pool, clock, reactions, timers, onError, lookEveryMs = LOOK_EVERY_MS } = parts
  refuseTwins([...reactions, ...timers].map(({ name }) => name))
  const enqueue = async (wakeUps: readonly WakeUp[]): Promise<void> => {
    if (wakeUps.length > 0) await withinTime(queue.add(wakeUps, clock.now().getTime()))
  }
  const performing: PerformingParts = { ...parts, wake: enqueue }
  const looking: LookingParts = { ...parts, enqueue, onError: (error, name) => onError(error, `look for ${name}`) }
  const running: Repeated[] = []
  const working: Working[] = []
  const subscriber = (onPending: (wakeUps: WakeUp[]) => Promise<void>) => ({
    store,
    pool,
    reactions,
    onPending: (pending: readonly { reaction: (typeof reactions)[number]; position: number }[]) =>
      onPending(pending.map(({ reaction, position }) => reactionWakeUp(reaction, position))),
  })

  async function lookWhileMore(isStopping: () => boolean): Promise<void> {
    let isMore = await takeTurn(looking, lookEveryMs)
    while (isMore && !isStopping()) {
      await sleep(LOOK_AGAIN_MS)
      isMore = await look(looking)
    }
  }

  const does = (wakeUp: WakeUp, signal: AbortSignal) => perform(performing, wakeUp, signal)

  return {
    async start() {
      for (const lane of LANES) working.push(await queue.work(lane, does))
      const telling = repeated(
        (isStopping) =>
          tell(
            subscriber((wakeUps) => enqueue(wakeUps).catch(nothing)),
            isStopping,
          ),
        TELL_EVERY_MS,
        (error) => onError(error, 'tell reactions'),
      )
      const forget = store.onAppended(() => telling.wake())
      running.push(telling, { wake: forget, stop: async () => forget() })
      running.push(repeated(lookWhileMore, lookEveryMs, (error) => onError(error, 'look for what is due')))
    },
    async stop(graceMs) {
      await Promise.all(running.map((each) => each.stop()))
      await Promise.all(working.map((each) => each.stop(graceMs)))
    },
  }
}

/** A queue that is away takes what it is given when it is back; nobody waits for that, since what it lost is found again. */
async function withinTime(adding: Promise<void>): Promise<void> {
  const late = sleep(ENQUEUE_MS, undefined, { ref: false }).then(() => {
    throw new Error('The queue does not answer')
  })
  await Promise.race([adding, late])
}

const nothing = (): void => {}

function refuseTwins(names: readonly string[]): void {
  const twin = names.find((name, place) => names.indexOf(name) !== place)
  if (twin !== undefined) throw new Error(`Two reactions or timers are called ${twin}`)
}
