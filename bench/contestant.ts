/** What the bench can ask of a contestant. Methods that it lacks stay empty in the table. */
import { processorTime, spentEach } from './processor.ts'
import type { ProcessorTime } from './processor.ts'

export const CONTESTANTS = ['daybook', 'emmett', 'message-db', 'castore', 'bare', 'pgbench', 'copy'] as const
export type ContestantName = (typeof CONTESTANTS)[number]

/** A connected store under load. */
export interface Session {
  /** One event to a new stream, which must not exist yet. */
  append(): Promise<unknown>
  /** Creates a stream. Returns a function that appends three events to it, expecting its current revision. */
  stream(): Promise<() => Promise<unknown>>
  /** Reads a seeded stream with data and metadata parsed. Returns its number of events. */
  load(stream: number): Promise<number>
  /** One event that also takes a unique constraint. */
  claim?(): Promise<unknown>
  close(): Promise<void>
}

export interface Run {
  readonly events: number
  readonly ms: number
  /** For each event, if it can be measured. */
  readonly spent?: ProcessorTime | undefined
}

export interface Latencies {
  readonly opsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** For each operation, if it can be measured. */
  readonly spent?: ProcessorTime | undefined
}

export interface Contestant {
  /** In an empty database. */
  setup?(url: string): Promise<void>
  /** Into a database that was set up. */
  seed?(url: string, events: number): Promise<void>
  open?(url: string, connections: number): Promise<Session>
  /** Every event of the log in order, data and metadata parsed, up to this number. */
  catchup?(url: string, events: number): Promise<Run>
  /** One row for each stream, changed by each of its events, with a checkpoint in the same transaction. */
  projection?(url: string): Promise<Run>
  /** A read model that is written in batches. */
  projectionSet?(url: string): Promise<Run>
  /** Builds the projection's table from the first event on, beside the live one, which it replaces. */
  rebuild?(url: string, events: number): Promise<Run>
  /** From the call of append until its event shows in a read model. */
  visible?(url: string, seconds: number): Promise<Latencies>
  /** For a contestant that generates its own load. */
  load?(test: string, url: string, writers: number, seconds: number, streams: number): Promise<Latencies>
}

/** @param read returns the number of events */
export async function timed(read: () => Promise<number>): Promise<Run> {
  const [spentBefore, began] = [processorTime(), performance.now()]
  const events = await read()
  const ms = performance.now() - began
  return { events, ms, spent: spentEach(spentBefore, processorTime(), events) }
}
