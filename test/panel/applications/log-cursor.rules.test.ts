/** Cursors of readers of logs: what they say is read back, and what is none is refused. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { logCursor, momentOf, parseLogCursor, PLACES_MAX } from '#panel/applications/logs/cursor'
import type { LogCursor } from '#panel/applications/logs/cursor'
import { eventsOf } from '#panel/applications/logs/shared-lines'
import type { LogPlace } from '../../../src/tasks/applications.ts'
import type { LogLine } from '../../../src/tasks/protocol.ts'

const line = (of: 'OUT' | 'ERR', at: string, nth = 1, container = 'abcdef012345') => ({ container, of, at, nth })
const at = (nanos: number) => `2026-11-28T03:15:07.${String(nanos).padStart(9, '0')}Z`

test('what was read is not new again, in a cursor of the same text too', () => {
  const cursor = logCursor(at(1))
  expect([0, 1, 2].map((nanos) => cursor.isNew(line('OUT', at(nanos))))).toEqual([false, true, true])
  cursor.read(line('OUT', at(123_456_789), 2))
  cursor.readTask('01890000-0000-7000-8000-000000000001', 17)
  const again = parseLogCursor(cursor.toString())!
  expect(again.toString()).toBe(cursor.toString())
  expect([again.from, again.places()]).toEqual([at(1), [line('OUT', at(123_456_789), 2)]])
  expect(again.seqOf('01890000-0000-7000-8000-000000000001')).toBe(17)
  const isNew = (moment: number, nth: number) => again.isNew(line('OUT', at(moment), nth))
  expect([isNew(123_456_788, 9), isNew(123_456_789, 2), isNew(123_456_789, 3), isNew(123_456_790, 1)]).toEqual([
    false,
    false,
    true,
    true,
  ])
  expect(again.isNew(line('ERR', at(2)))).toBe(true)
})

test('it stays short: what has been silent for longest is known by its moment', () => {
  const cursor = logCursor(null)
  const name = (nth: number) => nth.toString(16).padStart(12, '0')
  for (let nth = 1; nth <= 1_000; nth += 1) cursor.read(line('OUT', at(nth), 1, name(nth)))
  expect(cursor.places()).toHaveLength(64)
  expect(cursor.toString().length).toBeLessThan(4_000)
  expect(cursor.isNew(line('OUT', at(900), 1, name(900)))).toBe(false)
  expect(cursor.isNew(line('OUT', at(1_001), 1, name(900)))).toBe(true)
})

test('a text that no stream has sent is none, and a number beyond all times is one', () => {
  for (const text of ['', '1', '2.-', '1.-.', '1.-.o1-1-1', '1.A', '1.-\n', `1.-${'.o000000000000-1-1'.repeat(900)}`])
    expect(parseLogCursor(text), text.slice(0, 20)).toBeUndefined()
  const far = parseLogCursor(`1.${'z'.repeat(13)}.o000000000000-${'z'.repeat(13)}-0.t${'0'.repeat(32)}-zzzzzzz`)!
  expect(far.from).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/)
  expect(far.places()[0]!.nth).toBe(1)
  expect(far.seqOf('00000000-0000-0000-0000-000000000000')).toBe(2 ** 31 - 1)
})

test('moments of requests are those of the engine', () => {
  expect(momentOf('2026-11-28T03:15:07Z')).toBe('2026-11-28T03:15:07.000000000Z')
  expect(momentOf('2026-11-28T03:15:07.5Z')).toBe('2026-11-28T03:15:07.500000000Z')
  expect(momentOf('2026-11-28T03:15:07.1234567891Z')).toBe('2026-11-28T03:15:07.123456789Z')
})

/** Few of each, so that some come again and some are older than what is known. */
const said = fc.record({
  container: fc.constantFrom('a'.repeat(12), 'b'.repeat(12), 'c'.repeat(12)),
  of: fc.constantFrom('OUT' as const, 'ERR' as const),
  at: fc.integer({ min: 1, max: 20 }).map(at),
  nth: fc.integer({ min: 1, max: 3 }),
})
const hex = (nth: number) => nth.toString(16).padStart(12, '0')
const ofEach = (outputs: number, moments = 20): LogPlace[] =>
  Array.from({ length: outputs }, (_none, nth) => line('OUT', at(1 + (nth % moments)), 1, hex(nth)))
/** About as many outputs as a cursor has places for. */
const wide = fc
  .tuple(fc.integer({ min: PLACES_MAX - 4, max: PLACES_MAX + 4 }), fc.array(said, { maxLength: 6 }))
  .map(([outputs, more]) => [...ofEach(outputs), ...more])
const logLine = ({ container, of, at: moment, nth }: LogPlace, seq: number): LogLine => ({
  seq,
  at: '2026-11-28T03:15:07.000Z',
  of,
  text: JSON.stringify([container, moment, nth, 'web', 1, null, `${container}${of}${moment}-${nth}`]),
})
const known = (cursor: LogCursor) => [
  cursor.from,
  cursor
    .places()
    .map((place) => JSON.stringify(place))
    .toSorted(),
]

test('readers of one follow each get the lines that they do not have, with ids after which they go on', () => {
  const readers = fc.array(fc.record({ from: fc.option(said), known: fc.array(said, { maxLength: 4 }) }), {
    minLength: 1,
    maxLength: 4,
  })
  const narrow = fc.array(said, { maxLength: 12 })
  const batches = fc.array(fc.oneof({ arbitrary: narrow, weight: 9 }, { arbitrary: wide, weight: 1 }), { maxLength: 4 })
  fc.assert(
    fc.property(readers, batches, (all, come) => {
      const cursors = all.map(
        ({ from, known: places }) => [0, 1].map(() => logCursor(from?.at ?? null, places)) as [LogCursor, LogCursor],
      )
      for (const lines of come) {
        const shared = lines.map(logLine)
        for (const [cursor, model] of cursors) {
          const expected = lines.flatMap((each) => {
            if (!model.isNew(each)) return []
            model.read(each)
            return [[`${each.container}${each.of}${each.at}-${each.nth}`, known(model), model.toString().length]]
          })
          const sent = eventsOf(shared, cursor).toString().split('\n\n').slice(0, -1)
          const got = sent.map((event) => {
            const [, id, data] = /^id: (.+)\nevent: line\ndata: (.+)$/.exec(event)!
            return [JSON.parse(data!).text, known(parseLogCursor(id!)!), id!.length]
          })
          expect(got).toEqual(expected)
          expect(known(cursor)).toEqual(known(model))
        }
      }
    }),
  )
})

test('what each of two kinds of readers gets is made once', () => {
  const shared = [logLine(line('OUT', at(5)), 1)]
  const cursorOf = (container: string) => logCursor(null, [line('OUT', at(1), 1, hex(container === 'one' ? 1 : 2))])
  const [one, other] = [eventsOf(shared, cursorOf('one')), eventsOf(shared, cursorOf('other'))]
  expect(eventsOf(shared, cursorOf('one'))).toBe(one)
  expect(eventsOf(shared, cursorOf('other'))).toBe(other)
  expect(other.toString()).not.toBe(one.toString())
})

test('as many outputs as a piece has lines cost no more than their lines', () => {
  const outputs = 16_000
  const cursor = logCursor(null)
  const events = eventsOf(ofEach(outputs, outputs).map(logLine), cursor).toString().split('\n\n').slice(0, -1)
  expect(events).toHaveLength(outputs)
  expect(Math.max(...events.map(({ length }) => length))).toBeLessThan(4_000)
  expect(cursor.places()).toHaveLength(PLACES_MAX)
})
