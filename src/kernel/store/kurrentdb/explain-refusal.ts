/** Finds the reason of a refused append by reading the streams. */
import { WrongExpectedRevision } from '../../events/store-port.ts'
import type { AppendResult, AppendPart, RecordedEvent } from '../../events/store-port.ts'
import { eventIdsOf } from '../validate-append.ts'
import type { LeaderReader } from './leader-reads.ts'

/** The first result of the same append, if its events are already stored at the expected revisions. */
export async function findEarlierResult(
  log: LeaderReader,
  parts: readonly AppendPart[],
): Promise<AppendResult | undefined> {
  const found: RecordedEvent[] = []
  const revisions: number[] = []
  for (const part of parts) {
    const events = await findPart(log, part)
    if (!events) return undefined
    found.push(...events)
    revisions.push(events.at(-1)?.revision ?? (await log.revision(part.stream)))
  }
  return { position: Math.max(...found.map(({ position }) => position)), revisions }
}

async function findPart(
  log: LeaderReader,
  { stream, expected, events }: AppendPart,
): Promise<RecordedEvent[] | undefined> {
  const ids = events.map(({ id }) => id.toLowerCase())
  const [first] = ids
  if (first === undefined) return []
  if (!(await log.isIdUsed(first))) return undefined
  const start = expected === 'any' ? ((await log.findInStream(stream, first)) ?? 1) - 1 : expected
  const stored = await log.readStream(stream, start, ids.length)
  return ids.every((id, index) => stored[index]?.id === id) ? stored : undefined
}

/** @throws WrongExpectedRevision for the first part that expects another one */
export async function refuseWrongRevision(log: LeaderReader, parts: readonly AppendPart[]): Promise<void> {
  for (const { stream, expected } of parts) {
    if (expected === 'any') continue
    const actual = await log.revision(stream)
    if (expected !== actual) throw new WrongExpectedRevision(stream, expected, actual)
  }
}

/**
 * Streams only grow, so revisions that are equal in two rounds of reads held at one moment between the rounds.
 * @throws WrongExpectedRevision for the first part that expects another one
 */
export async function refuseChangedStreams(log: LeaderReader, parts: readonly AppendPart[]): Promise<void> {
  await refuseWrongRevision(log, parts)
  if (parts.length > 1) await refuseWrongRevision(log, parts)
}

/** @throws Error when another append has used an id, which is a bug of the caller */
export async function refuseUsedIds(log: LeaderReader, parts: readonly AppendPart[]): Promise<void> {
  for (const id of eventIdsOf(parts))
    if (await log.isIdUsed(id)) throw new Error(`The event id ${id} is already in use`)
}
