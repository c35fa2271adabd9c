/**
 * Concurrent writers that each read all streams and write to one. Each append must fail if another stream
 * changed after it was read.
 */
import { expect } from 'vitest'
import { WrongExpectedRevision } from '#kernel/events/store-port'
import type { Append, EventStore, Position } from '#kernel/events/store-port'
import { aGuard, anEvent, aPart, aStream } from './appends.ts'

const STREAMS = 4
const WRITERS = 12
const TRIES = 20

/** @param stores one for each process; @param reader any store on the same log */
export async function expectGuardsHeld(stores: readonly EventStore[], reader: EventStore): Promise<void> {
  const streams = Array.from({ length: STREAMS }, () => aStream())
  const landed: Landed[] = []
  let refused = 0
  const write = async (writer: number) => {
    const store = stores[writer % stores.length]!
    for (let nth = 0; nth < TRIES; nth += 1) {
      const append = await seen(store, streams, (writer + nth) % STREAMS)
      try {
        landed.push({ append, position: (await store.append(append)).position })
      } catch (error) {
        expect(error).toBeInstanceOf(WrongExpectedRevision)
        refused += 1
      }
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_none, writer) => write(writer)))
  expect(refused, 'somebody was in each other’s way').toBeGreaterThan(0)
  expect(landed.length, 'and somebody got through').toBeGreaterThan(0)
  await expectSerial(reader, streams, landed)
}

interface Landed {
  readonly append: Append
  readonly position: Position
}

async function seen(store: EventStore, streams: readonly string[], nth: number): Promise<Append> {
  const revisions = await Promise.all(streams.map(async (stream) => (await store.readStream(stream)).length))
  const part = (stream: string, index: number) =>
    index === nth ? aPart(stream, revisions[index]!, anEvent()) : aGuard(stream, revisions[index]!)
  return { parts: streams.map(part) }
}

/** Replays the appends in the order of their positions: each must have read the state that it would read then. */
async function expectSerial(reader: EventStore, streams: readonly string[], landed: readonly Landed[]): Promise<void> {
  const revisions = new Map(streams.map((stream) => [stream, 0]))
  for (const { append } of landed.toSorted((one, other) => one.position - other.position))
    for (const { stream, expected, events } of append.parts.toSorted(
      (one, other) => one.events.length - other.events.length,
    )) {
      expect(expected).toBe(revisions.get(stream))
      revisions.set(stream, revisions.get(stream)! + events.length)
    }
  for (const [stream, revision] of revisions) expect(await reader.readStream(stream)).toHaveLength(revision)
}
