/**
 * Fills the read models. Every process may run this loop: one transaction moves the checkpoint by compare-and-set and writes
 * the read models, so a rival's work is rolled back and every event has its effect exactly once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type { EventCodec } from './codec.ts'
import type { Metadata } from './event.ts'
import type { ProjectedEvent, ReadModel } from './read-model.ts'
import { rebuild } from './rebuild.ts'
import { isConnectionLost } from './store/outage.ts'
import type { EventStore, Position, RecordedEvent } from './store/port.ts'
import { Writes } from './writes.ts'

const BATCH_EVENTS = 500
const POLL_MS = 1_000
const RIVAL_PAUSE_MS = 5
const WAIT_POLL_MS = 20

export interface ProjectionStatus {
  readonly name: string
  readonly position: Position
  /** Events between this read model and the newest event. */
  readonly lag: number
  /** The message of the error that it stands at, if it does. */
  readonly failing?: string
}

export interface Projector {
  /** Makes missing tables, rebuilds those whose version was raised. Run before anything reads. */
  prepare(): Promise<void>
  start(): void
  stop(): Promise<void>
  /** Applies everything there is and returns. */
  catchUp(): Promise<void>
  /** True once every read model that these event types feed has passed the position; false after `timeoutMs`. */
  caughtUp(types: readonly string[], position: Position, timeoutMs: number): Promise<boolean>
  /** Fills one read model (all when absent) from every event again; readers see the old rows, kept up to date, until it ends. */
  rebuild(name?: string, progress?: (name: string, position: Position) => void): Promise<void>
  status(): Promise<ProjectionStatus[]>
}

export interface ProjectorParts {
  readonly store: EventStore
  readonly codec: EventCodec
  /** With the projector's role. */
  readonly database: Kysely<any>
  readonly models: readonly ReadModel[]
  readonly onError?: (error: unknown, models: readonly string[]) => void
}

interface Checkpoint {
  readonly name: string
  readonly version: number
  readonly position: Position
}

export function projector({ store, codec, database, models, onError }: ProjectorParts): Projector {
  const passed = new Map<string, Position>()
  const failing = new Map<string, { readonly at: Position; readonly message: string }>()
  const applied = new Set<() => void>()
  let stopping = false
  let wake = () => {}
  let loop: Promise<void> | undefined
  const parts = { store, database, project }

  const checkpoints = async (from: Kysely<any> = database): Promise<Checkpoint[]> =>
    from.selectFrom('read.projection').select(['name', 'version', 'position']).execute()

  /** A table that a newer version has made is that version's to fill. */
  const ours = (all: readonly Checkpoint[]) =>
    models.flatMap((model) => {
      const at = all.find(({ name }) => name === model.name)
      return at && at.version === model.version ? [{ model, position: at.position }] : []
    })

  function note(all: readonly Checkpoint[]): void {
    for (const { name, position } of all) pass(name, position)
    for (const listener of applied) listener()
  }

  /** What stood may have been helped on by another process. */
  function pass(name: string, position: Position): void {
    passed.set(name, Math.max(position, passed.get(name) ?? 0))
    if (position > (failing.get(name)?.at ?? position)) failing.delete(name)
  }

  function project(recorded: RecordedEvent): ProjectedEvent {
    const { data } = codec.decodeSealed(recorded)
    const metadata = recorded.metadata as unknown as Metadata
    const { type, id, position, stream, revision } = recorded
    return { type, declared: codec.typeOf(type), data, id, position, stream, revision, at: metadata.at, metadata }
  }

  async function applyAll(
    transaction: Transaction<any>,
    group: readonly ReadModel[],
    events: readonly RecordedEvent[],
  ) {
    const writes = new Writes(transaction)
    for (const recorded of events) {
      const fed = group.filter((model) => model.isFedBy(recorded.type))
      if (fed.length === 0) continue
      const event = project(recorded)
      for (const model of fed) await model.apply(writes, event)
    }
    await writes.end()
  }

  /** @returns false when a rival was faster. */
  async function step(group: readonly ReadModel[], from: Position, events: readonly RecordedEvent[]): Promise<boolean> {
    const to = events.at(-1)!.position
    const won = await database.transaction().execute(async (transaction) => {
      const moved = await transaction
        .updateTable('read.projection')
        .set({ position: to })
        .where((is) =>
          is(
            is.refTuple('name', 'version'),
            'in',
            group.map(({ name, version }) => is.tuple(name, version)),
          ),
        )
        .where('position', '=', from)
        .executeTakeFirst()
      if (Number(moved.numUpdatedRows) !== group.length) return false
      await applyAll(transaction, group, events)
      return true
    })
    if (won) note(group.map(({ name, version }) => ({ name, version, position: to })))
    return won
  }

  /**
   * A group that fails together is tried one by one, so that only the read models that cannot go on stand still; and of these
   * the events are tried in halves, so that each stands at the very event that it cannot apply.
   */
  async function stepOrSplit(
    group: readonly ReadModel[],
    from: Position,
    events: readonly RecordedEvent[],
    stuck: Set<string>,
  ): Promise<boolean> {
    try {
      return await step(group, from, events)
    } catch (error) {
      if (isConnectionLost(error)) throw error
      if (group.length > 1) for (const model of group) await stepOrSplit([model], from, events, stuck)
      else if (events.length > 1) return stepOrSplit(group, from, events.slice(0, events.length >> 1), stuck)
      else {
        stand(group[0]!, from, error)
        stuck.add(group[0]!.name)
      }
      return true
    }
  }

  /** Told once, not at every try. */
  function stand({ name }: ReadModel, at: Position, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    const before = failing.get(name)
    failing.set(name, { at, message })
    if (before?.message !== message) onError?.(error, [name])
  }

  /** One batch for the read models that are furthest behind; `rivalled` when another process was faster. */
  async function advance(stuck: Set<string>): Promise<'more' | 'done' | 'rivalled'> {
    const all = await checkpoints()
    note(all)
    const open = ours(all).filter(({ model }) => !stuck.has(model.name))
    if (open.length === 0) return 'done'
    const from = Math.min(...open.map(({ position }) => position))
    const group = open.filter(({ position }) => position === from).map(({ model }) => model)
    const events = await store.readAll(from, BATCH_EVENTS)
    if (events.length === 0) return 'done'
    return (await stepOrSplit(group, from, events, stuck)) ? 'more' : 'rivalled'
  }

  async function catchUp(): Promise<void> {
    const stuck = new Set<string>()
    for (;;) {
      const outcome = await advance(stuck)
      if (outcome === 'done' || stopping) return
      if (outcome === 'rivalled') await sleep(Math.random() * RIVAL_PAUSE_MS)
    }
  }

  async function forever(): Promise<void> {
    while (!stopping) {
      const woken = new Promise<void>((resolve) => (wake = resolve))
      try {
        await catchUp()
      } catch (error) {
        onError?.(error, [])
      }
      if (!stopping) await Promise.race([woken, sleep(POLL_MS, undefined, { ref: false })])
    }
  }

  async function caughtUp(types: readonly string[], position: Position, timeoutMs: number): Promise<boolean> {
    const awaited = models.filter((model) => types.some((type) => model.isFedBy(type)))
    const there = () => awaited.every(({ name }) => (passed.get(name) ?? 0) >= position)
    const until = performance.now() + timeoutMs
    wake()
    while (!there()) {
      const left = until - performance.now()
      if (left <= 0) return false
      await nextApplied(Math.min(left, WAIT_POLL_MS))
      if (!there() && !loop) note(await checkpoints())
    }
    return true
  }

  function nextApplied(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        applied.delete(done)
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(done, timeoutMs)
      applied.add(done)
    })
  }

  const isUpToDate = async (model: ReadModel): Promise<boolean> =>
    (await checkpoints()).some(({ name, version }) => name === model.name && version >= model.version)

  return {
    caughtUp,
    catchUp,
    async prepare() {
      for (const model of models) await rebuild(parts, model, { isDone: () => isUpToDate(model) })
    },
    start() {
      const forget = store.onAppended(() => wake())
      loop = forever().finally(forget)
    },
    async stop() {
      stopping = true
      wake()
      await loop
    },
    async rebuild(name, progress) {
      const chosen = name === undefined ? models : models.filter((model) => model.name === name)
      if (chosen.length === 0) throw new Error(`There is no read model called ${name}`)
      for (const model of chosen) await rebuild(parts, model, { progress: (at) => progress?.(model.name, at) })
    },
    async status() {
      const head = await store.head()
      return ours(await checkpoints()).map(({ model: { name }, position }) => ({
        name,
        position,
        lag: Math.max(0, head - position),
        ...(failing.has(name) ? { failing: failing.get(name)!.message } : {}),
      }))
    },
  }
}
