/**
 * Brings read models up to the newest event in batches.
 * The read models that are furthest behind are moved first, together.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventStore, Position, RecordedEvent } from '../events/store-port.ts'
import { isConnectionLost } from '../store/outage.ts'
import { applyBatch, applyOrPark, applyToBuffer, isTransient } from './apply-batch.ts'
import type { ToProjectedEvent } from './apply-batch.ts'
import { CheckpointConflict, readCheckpoints, moveCheckpoints } from './checkpoints.ts'
import type { ProjectionCheckpoint } from './checkpoints.ts'
import { park, parkedStreamNames } from './parked-events.ts'
import type { ParkedEvent } from './parked-events.ts'
import { Prefetcher } from './prefetcher.ts'
import type { ProjectionProgress } from './progress.ts'
import { inCopyTransaction } from './read-database.ts'
import type { CopyTransaction, ReadDatabase } from './read-database.ts'
import type { ReadModel } from './read-model.ts'
import { recallRows } from './recall-rows.ts'
import { RowBuffer } from './row-buffer.ts'
import { writeAtOnce } from './write-at-once.ts'

/** Fewer events write too few rows for COPY to be faster. */
const COPIED_EVENTS_MIN = 200
/** More events take longer to apply than the round trips that one statement saves. */
const AT_ONCE_EVENTS_MAX = 50
const RIVAL_PAUSE_MS = 5
const KNOWN_MS = 1_000
/** While another process is the leader: the interval of checks, and how long it may make no progress. */
const WATCH_MS = 3
const PATIENCE_MS = 300

export interface CatchUpDependencies {
  readonly store: EventStore
  /** With the projector's role. */
  readonly database: ReadDatabase
  readonly models: readonly ReadModel[]
  readonly project: ToProjectedEvent
  readonly progress: ProjectionProgress
  readonly leaderStallMsMax?: number | undefined
  readonly onError?: ((error: unknown, models: readonly string[]) => void) | undefined
  /** Called with events that some read models have passed, and again when other read models pass them later. */
  readonly onApplied?: ((events: readonly RecordedEvent[]) => void) | undefined
}

interface ModelCheckpoint {
  readonly model: ReadModel
  readonly checkpoint: ProjectionCheckpoint
}

interface KnownCheckpoints {
  readonly at: number
  readonly all: readonly ModelCheckpoint[]
}

/** A batch for the read models that are at the same position. */
interface ProjectionBatch {
  readonly group: readonly ReadModel[]
  readonly from: Position
  readonly events: readonly RecordedEvent[]
}

export class CatchUp {
  readonly #parts: CatchUpDependencies
  #stopping = false
  /** The sum of the checkpoints when this process last worked without the leader lock; -1 when it did not move any. */
  #leftAt = -1
  readonly #stretches: Prefetcher
  /**
   * The checkpoints as this process left them.
   * The compare-and-set of the next move detects changes by other processes.
   */
  #known: KnownCheckpoints | undefined

  constructor(parts: CatchUpDependencies) {
    this.#parts = parts
    this.#stretches = new Prefetcher(parts.store)
  }

  get isStopping(): boolean {
    return this.#stopping
  }

  stop(): void {
    this.#stopping = true
  }

  /**
   * Applies all events. A read model that fails stays at its position.
   * @returns whether no read model failed. @throws when the database connection is lost
   */
  catchUp(): Promise<boolean> {
    this.#known = undefined
    return this.follow()
  }

  /**
   * As `catchUp`, for repeated calls: it reads the checkpoints only once a second.
   * @returns whether no read model failed
   */
  async follow(): Promise<boolean> {
    const stuck = new Set<string>()
    for (;;) {
      const outcome = await this.#advance(stuck)
      if (outcome === 'done' || this.#stopping) return stuck.size === 0
      if (outcome === 'rivalled') await sleep(Math.random() * RIVAL_PAUSE_MS)
    }
  }

  /**
   * Watches the leader. Catches up itself if it gets the lock or the leader stalls.
   * @returns whether no read model failed here. @throws when the database connection is lost
   */
  async watchLeader(isOurTurn: () => Promise<boolean>): Promise<boolean> {
    const { store, leaderStallMsMax = PATIENCE_MS } = this.#parts
    const head = await store.head()
    let last = { sum: -1, at: 0 }
    while (!this.#stopping) {
      const positions = await this.#positions()
      if (positions.every((position) => position >= head)) return true
      const sum = sumOf(positions)
      if (sum > last.sum) last = { sum, at: performance.now() }
      if (sum === this.#leftAt || performance.now() - last.at > leaderStallMsMax) return this.#goOnAlone(sum)
      if (await isOurTurn()) return this.catchUp()
      await sleep(WATCH_MS)
    }
    return true
  }

  /** After a leader stalled, this process does not wait for it again until another process has moved a checkpoint. */
  async #goOnAlone(from: number): Promise<boolean> {
    const isDone = await this.catchUp()
    const left = sumOf(await this.#positions())
    this.#leftAt = left > from ? left : -1
    return isDone
  }

  async #positions(): Promise<Position[]> {
    return (await this.checkpoints()).map(({ checkpoint }) => checkpoint.position)
  }

  /** The checkpoints of the read models that this process may fill: those with the same version. */
  async checkpoints(): Promise<ModelCheckpoint[]> {
    const { database, models, progress } = this.#parts
    const all = await readCheckpoints(database)
    progress.update(all)
    return models.flatMap((model) => {
      const checkpoint = all.find(({ name }) => name === model.name)
      return checkpoint?.version === model.version ? [{ model, checkpoint }] : []
    })
  }

  async #followed(): Promise<readonly ModelCheckpoint[]> {
    if (!this.#known || performance.now() - this.#known.at > KNOWN_MS)
      this.#known = { at: performance.now(), all: await this.checkpoints() }
    return this.#known.all
  }

  /**
   * Applies one batch to the read models that are furthest behind; `rivalled` when another process moved them first.
   */
  async #advance(stuck: Set<string>): Promise<'more' | 'done' | 'rivalled'> {
    const open = (await this.#followed()).filter(({ model }) => !stuck.has(model.name))
    if (open.length === 0) return 'done'
    const from = Math.min(...open.map(({ checkpoint }) => checkpoint.position))
    const group = open.filter(({ checkpoint }) => checkpoint.position === from).map(({ model }) => model)
    const { events, isAll } = await this.#stretches.eventsAfter(from)
    if (events.length === 0) return 'done'
    if (!(await this.#stepOrStand({ group, from, events }, stuck))) return 'rivalled'
    const newest = events.at(-1)!.position
    const areAllThere = open.every(({ checkpoint: { position } }) => position === from || position >= newest)
    return isAll && areAllThere ? 'done' : 'more'
  }

  /** If a group fails, its read models are tried one by one, so that only the failing ones stop. */
  async #stepOrStand(batch: ProjectionBatch, stuck: Set<string>): Promise<boolean> {
    const [first, ...others] = batch.group as [ReadModel, ...ReadModel[]]
    try {
      return await this.#step(batch)
    } catch (error) {
      if (isConnectionLost(error)) throw error
      if (others.length > 0) {
        for (const model of batch.group) await this.#stepOrStand({ ...batch, group: [model] }, stuck)
        return true
      }
      if (!isTransient(error)) return this.#stepOrPark(batch, first, stuck)
      this.#stand(batch, first, error, stuck)
      return true
    }
  }

  async #stepOrPark(batch: ProjectionBatch, model: ReadModel, stuck: Set<string>): Promise<boolean> {
    try {
      return await this.#stepParking(batch, model)
    } catch (error) {
      if (isConnectionLost(error)) throw error
      this.#stand(batch, model, error, stuck)
      return true
    }
  }

  /** Reports an error once, not at every attempt. */
  #stand({ from }: ProjectionBatch, { name }: ReadModel, error: unknown, stuck: Set<string>): void {
    stuck.add(name)
    if (this.#parts.progress.markStuck(name, from, error)) this.#parts.onError?.(error, [name])
  }

  /** @returns false when another process moved the checkpoints first */
  async #step(batch: ProjectionBatch): Promise<boolean> {
    const apply = (place: CopyTransaction, parked: ReadonlyMap<string, Set<string>>) => {
      const targets = batch.group.map((model) => ({ model, parked: parked.get(model.name)! }))
      return applyBatch(place, targets, batch.events, this.#parts.project)
    }
    return (await this.#stepAtOnce(batch)) ?? this.#moving(batch, apply)
  }

  /** @returns undefined when the batch needs more than one statement */
  async #stepAtOnce({ group, from, events }: ProjectionBatch): Promise<boolean | undefined> {
    const { database, project } = this.#parts
    const known = this.#known
    const hasParked = known?.all.some(({ model, checkpoint }) => group.includes(model) && checkpoint.parked > 0)
    if (!known || hasParked || events.length > AT_ONCE_EVENTS_MAX) return undefined
    const writes = new RowBuffer()
    const targets = group.map((model) => ({ model, parked: new Set<string>() }))
    // Another process that changes the rows now moves the checkpoint too, and then nothing is written here.
    await recallRows(database, writes, { targets, events, project })
    applyToBuffer(writes, targets, events, project)
    this.#known = undefined
    const rows = await writeAtOnce(database, { group, from, to: events.at(-1)!.position }, writes)
    if (!rows) this.#known = known
    if (!rows || rows.length === 0) return rows && false
    this.#moved({ group, from, events }, known, rows, [])
    return true
  }

  async #stepParking(batch: ProjectionBatch, model: ReadModel): Promise<boolean> {
    const fed = eventsFor(model, batch.events)
    const poisoned: ParkedEvent[] = []
    const won = await this.#moving(batch, async (place, parked) => {
      const target = { model, parked: parked.get(model.name)! }
      const left = await applyOrPark(place, target, fed, this.#parts.project)
      poisoned.push(...left.filter(({ error }) => error !== null))
      return left
    })
    if (won) for (const event of poisoned) this.#parts.onError?.(parkedErrorOf(event), [model.name])
    return won
  }

  /** Changes the checkpoints, the read models and their parked events in one transaction. */
  async #moving(
    { group, from, events }: ProjectionBatch,
    apply: (place: CopyTransaction, parked: ReadonlyMap<string, Set<string>>) => Promise<ParkedEvent[]>,
  ): Promise<boolean> {
    const known = this.#known
    this.#known = undefined
    const done = await undefinedOnConflict(this.#parts.database, events.length >= COPIED_EVENTS_MIN, async (place) => {
      const { transaction } = place
      const rows = await moveCheckpoints(transaction, group, from, events.at(-1)!.position)
      const left = await apply(place, await parkedStreamNames(transaction, rows))
      await park(transaction, left)
      return { rows, left }
    })
    if (!done) return false
    this.#moved({ group, from, events }, known, done.rows, done.left)
    return true
  }

  #moved(
    { group, events }: ProjectionBatch,
    known: KnownCheckpoints | undefined,
    rows: readonly ProjectionCheckpoint[],
    left: readonly ParkedEvent[],
  ): void {
    const { progress } = this.#parts
    for (const model of group)
      progress.addApplied(model.name, eventsFor(model, events).length - countOf(left, model.name))
    const now = rows.map((row) => ({ ...row, parked: row.parked + countOf(left, row.name) }))
    progress.update(now)
    this.#known = known && { at: known.at, all: known.all.map((each) => movedIn(now, each)) }
    this.#parts.onApplied?.(events)
  }
}

async function undefinedOnConflict<Done>(
  database: ReadDatabase,
  copies: boolean,
  work: (place: CopyTransaction) => Promise<Done>,
): Promise<Done | undefined> {
  try {
    if (copies) return await inCopyTransaction(database, work)
    return await database.transaction().execute((transaction) => work({ transaction }))
  } catch (error) {
    if (error instanceof CheckpointConflict) return undefined
    throw error
  }
}

const sumOf = (positions: readonly Position[]): number => positions.reduce((one, other) => one + other, 0)

const movedIn = (rows: readonly ProjectionCheckpoint[], { model, checkpoint }: ModelCheckpoint): ModelCheckpoint => ({
  model,
  checkpoint: rows.find(({ name }) => name === model.name) ?? checkpoint,
})

const eventsFor = (model: ReadModel, events: readonly RecordedEvent[]): RecordedEvent[] =>
  events.filter(({ type }) => model.isFedBy(type))

const countOf = (events: readonly ParkedEvent[], name: string): number =>
  events.filter(({ projection }) => projection === name).length

const parkedErrorOf = ({ position, stream, error }: ParkedEvent): Error =>
  new Error(`Event ${position} cannot be applied, and its stream ${stream} is parked: ${error}`)
