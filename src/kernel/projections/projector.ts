/**
 * Fills the read models. Every process may run it: one transaction moves the checkpoint by compare-and-set and
 * writes the read models. The work of a competing process is rolled back, so every event takes effect exactly once.
 */
import type { EventCodec } from '../events/codec.ts'
import type { EventType, Metadata } from '../events/event.ts'
import type { EventStore, JsonObject, Position, RecordedEvent, Revision } from '../events/store-port.ts'
import { CatchUp } from './catch-up.ts'
import type { CatchUpDependencies } from './catch-up.ts'
import { readCheckpoints } from './checkpoints.ts'
import type { ProjectionCheckpoint } from './checkpoints.ts'
import { LeaderLock } from './leader-lock.ts'
import { hasParked, listParkedStreams } from './parked-events.ts'
import type { ParkedStream } from './parked-events.ts'
import { ProjectionProgress } from './progress.ts'
import type { ReadDatabase } from './read-database.ts'
import type { ProjectedEvent, ReadModel } from './read-model.ts'
import { rebuild } from './rebuild.ts'
import { retryParked } from './retry-parked-events.ts'
import type { RetryResult } from './retry-parked-events.ts'
import { SubscriptionLoop } from './subscription-loop.ts'

const WAIT_POLL_MS = 20

export interface ProjectionStatus {
  readonly name: string
  readonly position: Position
  /** The distance from this read model to the newest event, in positions. */
  readonly lag: number
  /** The age of the first event that is not applied yet; 0 when there is none. */
  readonly lagSeconds: number
  /** Events that this process has applied since its start. */
  readonly applied: number
  /** Events that failed, and those behind them in their streams. */
  readonly parked: number
  /** The message of the error that stops the read model. */
  readonly failing?: string
}

/** The appended events that a request waits for. */
export interface AwaitedChange {
  readonly types: readonly string[]
  readonly position: Position
  /** Absent: any stream. */
  readonly streams?: readonly string[]
}

/** The read models that authentication and authorization use, or all. */
export type AwaitedModels = 'gate' | 'all'

export interface Projector {
  /** Makes missing tables and rebuilds those with a raised version. To be called before anything reads them. */
  prepare(): Promise<void>
  /** Applies new events until `stop`. Of several processes one works and the others watch. */
  start(): void
  stop(): Promise<void>
  /** Applies all events and returns. */
  catchUp(): Promise<void>
  /** True when every read model that the change feeds shows it; false after `timeoutMs`, or when one has parked it. */
  waitUntilCaughtUp(change: AwaitedChange, timeoutMs: number, whom?: AwaitedModels): Promise<boolean>
  /**
   * Rebuilds one read model (default: all) from all events. Readers see the old rows, kept up to date, until the end.
   */
  rebuild(name?: string, progress?: (name: string, position: Position) => void): Promise<void>
  /** Applies the parked events of one read model (default: all) again. */
  retryParked(name?: string): Promise<RetryResult>
  parkedStreams(): Promise<ParkedStream[]>
  status(): Promise<ProjectionStatus[]>
}

export interface ProjectorDependencies {
  readonly store: EventStore
  readonly codec: EventCodec
  /** With the projector's role. */
  readonly database: ReadDatabase
  readonly models: readonly ReadModel[]
  /**
   * How long the process with the leader lock may make no progress before this one works without the lock.
   * Default: 300.
   */
  readonly leaderStallMsMax?: number
  readonly onError?: (error: unknown, models: readonly string[]) => void
  readonly onApplied?: CatchUpDependencies['onApplied']
}

export function projector({
  store,
  codec,
  database,
  models,
  leaderStallMsMax,
  onError,
  onApplied,
}: ProjectorDependencies): Projector {
  const project = (recorded: RecordedEvent) => new LazyProjectedEvent(codec, recorded)
  const progress = new ProjectionProgress()
  const follower = new CatchUp({
    store,
    database,
    models,
    project,
    progress,
    leaderStallMsMax,
    onError,
    onApplied,
  })
  const loop = new SubscriptionLoop({ store, catchUp: follower, leaderLock: new LeaderLock(database), onError })
  const parts = { store, database, project }

  function named(name: string | undefined): readonly ReadModel[] {
    const chosen = name === undefined ? models : models.filter((model) => model.name === name)
    if (chosen.length === 0) throw new Error(`There is no read model called ${name}`)
    return chosen
  }

  /** A read model beyond the newest event was built from another log, such as the one before a restore. */
  async function outdated(of: readonly ReadModel[]): Promise<readonly ReadModel[]> {
    const known = new Map((await readCheckpoints(database)).map((each) => [each.name, each]))
    const head = await store.head()
    return of.filter(({ name, version }) => {
      const { version: present = 0, position = 0 } = known.get(name) ?? {}
      return present === version ? position > head : present < version
    })
  }

  async function passed(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean> {
    const until = performance.now() + timeoutMs
    while (!progress.hasPassed(names, position)) {
      const left = until - performance.now()
      if (left <= 0) return false
      if (await progress.waitForUpdate(Math.min(left, WAIT_POLL_MS))) continue
      // The store wakes the loop after an append, but not when another process moves the checkpoints.
      loop.wakeUnlessFailing()
      if (!loop.isRunning) progress.update(await readCheckpoints(database))
    }
    return true
  }

  return {
    catchUp: async () => void (await follower.catchUp()),
    start: () => loop.start(),
    stop: () => loop.stop(),
    parkedStreams: () => listParkedStreams(database),
    async prepare() {
      // Asked again before each: other processes that start rebuild them too.
      for (const model of await outdated(models))
        await rebuild(parts, model, { isDone: async () => (await outdated([model])).length === 0 })
    },
    async waitUntilCaughtUp({ types, position, streams }, timeoutMs, whom = 'all') {
      const names = models.filter((model) => isAwaited(model, types, whom)).map(({ name }) => name)
      if (!(await passed(names, position, timeoutMs))) return false
      const suspects = progress.withParked(names)
      return suspects.length === 0 || !(await hasParked(database, suspects, position, streams))
    },
    async rebuild(name, told) {
      for (const model of named(name)) await rebuild(parts, model, { progress: (at) => told?.(model.name, at) })
    },
    async retryParked(name) {
      const all: RetryResult[] = []
      for (const model of named(name)) all.push(await retryParked(parts, model))
      return all.reduce((sum, { applied, parked }) => ({
        applied: sum.applied + applied,
        parked: sum.parked + parked,
      }))
    },
    async status() {
      const head = await store.head()
      const own = await follower.checkpoints()
      return Promise.all(own.map(({ checkpoint }) => statusOf(store, progress, checkpoint, head)))
    },
  }
}

async function statusOf(
  store: EventStore,
  progress: ProjectionProgress,
  { name, position, parked }: ProjectionCheckpoint,
  head: Position,
): Promise<ProjectionStatus> {
  const [next] = position < head ? await store.readAll(position, 1) : []
  const failing = progress.stuckMessage(name)
  return {
    name,
    position,
    lag: Math.max(0, head - position),
    lagSeconds: next ? Math.max(0, Date.now() - next.recordedAt.getTime()) / 1_000 : 0,
    applied: progress.appliedCount(name),
    parked,
    ...(failing === undefined ? {} : { failing }),
  }
}

const isAwaited = (model: ReadModel, types: readonly string[], whom: AwaitedModels): boolean =>
  (whom === 'all' || model.isForGate) && types.some((type) => model.isFedBy(type))

/** Parses the payload when a handler first reads it. */
class LazyProjectedEvent implements ProjectedEvent {
  readonly eventType: EventType
  readonly #recorded: RecordedEvent
  readonly #codec: EventCodec
  #data: JsonObject | undefined

  constructor(codec: EventCodec, recorded: RecordedEvent) {
    this.eventType = codec.typeOf(recorded.type)
    this.#codec = codec
    this.#recorded = recorded
  }

  get type(): string {
    return this.#recorded.type
  }

  get data(): JsonObject {
    return (this.#data ??= this.#codec.decodeSealed(this.#recorded).data)
  }

  get id(): string {
    return this.#recorded.id
  }

  get position(): Position {
    return this.#recorded.position
  }

  get stream(): string {
    return this.#recorded.stream
  }

  get revision(): Revision {
    return this.#recorded.revision
  }

  get metadata(): Metadata {
    return this.#recorded.metadata as unknown as Metadata
  }

  get at(): string {
    return this.metadata.at
  }
}
