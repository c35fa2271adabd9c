/** Random appends, and a normal form of an answer so that two stores can be compared. */
import fc from 'fast-check'
import { UniqueConstraintViolation, WrongExpectedRevision } from '#kernel/events/store-port'
import type { Append } from '#kernel/events/store-port'
import { anEvent } from './appends.ts'

const STREAMS = ['a', 'b', 'c']
const claim = fc.record({
  scope: fc.constantFrom('s', 't'),
  key: fc.constantFrom('k', 'l'),
  holder: fc.constantFrom('x', 'y'),
})
const uuid = fc.integer({ min: 0, max: 20 }).map((n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`)
/** Few streams, ids and unique constraints, so that most sequences collide somewhere. */
export const randomAppend: fc.Arbitrary<Append> = fc
  .record({
    streams: fc.uniqueArray(fc.constantFrom(...STREAMS), { minLength: 1, maxLength: 3 }),
    expected: fc.array(fc.oneof(fc.nat(4), fc.constant('any' as const)), { minLength: 3, maxLength: 3 }),
    ids: fc.uniqueArray(uuid, { maxLength: 6 }),
    cuts: fc.tuple(fc.nat(3), fc.nat(3)),
    take: fc.array(claim, { maxLength: 2 }),
    release: fc.array(claim, { maxLength: 2 }),
  })
  .map(({ streams, expected, ids, cuts, take, release }): Append => {
    const bounds = [0, cuts[0], cuts[0] + cuts[1], ids.length]
    const parts = streams.map((stream, index) => ({
      stream,
      expected: expected[index]!,
      events: ids.slice(bounds[index], bounds[index + 1]).map((id) => anEvent({ id }, { id })),
    }))
    return { parts, take, release }
  })

/** A store that keeps the data of earlier runs needs separate names for each run. */
export function inRun(run: string, { parts, take = [], release = [] }: Append): Append {
  return {
    parts: parts.map(({ stream, expected, events }) => ({
      stream: stream + run,
      expected,
      events: events.map((event) => ({ ...event, id: run + event.id.slice(8) })),
    })),
    take: take.map((claim) => ({ ...claim, scope: claim.scope + run })),
    release: release.map((claim) => ({ ...claim, scope: claim.scope + run })),
  }
}

export function errorSummary(error: unknown): string {
  if (error instanceof WrongExpectedRevision) return `${error.stream} is at ${error.actual}`
  if (error instanceof UniqueConstraintViolation)
    return `${error.constraint.scope} ${error.constraint.key} is held by ${error.holder}`
  return 'bug'
}
