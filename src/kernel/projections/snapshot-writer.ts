/** Writes snapshots after the read models have applied the events, so that no append waits for a snapshot. */
import type { SnapshotStore } from '../commands/snapshots.ts'
import type { StateCache } from '../commands/state-cache.ts'
import type { Decider } from '../events/decider.ts'
import type { EventStore, RecordedEvent } from '../events/store-port.ts'

export interface SnapshotWriterDependencies {
  readonly store: EventStore
  readonly states: StateCache
  readonly snapshots: SnapshotStore
  /** Deciders without a snapshot rule are ignored. */
  readonly deciders: readonly Decider[]
  readonly onError: (error: unknown) => void
}

export interface SnapshotWriter {
  /** Takes events that the read models have passed. Repeated and missing calls are harmless. */
  onApplied(events: readonly Pick<RecordedEvent, 'stream' | 'revision'>[]): void
  /** Resolves when all due snapshots are written. */
  end(): Promise<void>
}

export function snapshotWriter({
  store,
  states,
  snapshots,
  deciders,
  onError,
}: SnapshotWriterDependencies): SnapshotWriter {
  const byStream = new Map(deciders.filter(({ snapshot }) => snapshot).map((each) => [each.stream.name, each]))
  const due = new Map<string, Decider>()
  let writing = Promise.resolve()
  let isWriting = false

  async function write(decider: Decider, stream: string): Promise<void> {
    const { state, revision, position } = await states.current(decider, stream)
    const [last] = await store.readStream(stream, revision - 1)
    if (last) await snapshots.write(decider, stream, { state, revision, position, eventId: last.id })
  }

  async function writeAll(): Promise<void> {
    for (const [stream, decider] of due) {
      due.delete(stream)
      await write(decider, stream).catch(onError)
    }
    isWriting = false
  }

  return {
    onApplied(events) {
      for (const { stream, revision } of events) {
        const decider = byStream.get(stream.split('-', 1)[0]!)
        if (decider && revision % decider.snapshot!.everyEvents === 0) due.set(stream, decider)
      }
      if (due.size === 0 || isWriting) return
      isWriting = true
      writing = writeAll()
    },
    end: () => writing,
  }
}
