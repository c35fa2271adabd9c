import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { validateEventData, event } from '#kernel/events/event'
import { refuseUnstorableData } from '#kernel/events/storable-values'
import { Rejection } from '#kernel/lib/rejection'

const Wound = event(
  'ClockWound',
  'clockId',
  {
    clockId: z.string(),
    until: z.iso.datetime({ offset: true }).nullable(),
    parts: z.array(z.strictObject({ madeAt: z.iso.datetime({ offset: true }).optional(), size: z.number() })),
    notes: z.record(z.string(), z.string()),
  },
  () => 'wound a clock',
)
const fine = { clockId: 'a', until: '2027-01-01T00:00:00Z', parts: [], notes: {} }
const NEVER = '0001-01-01T00:00:00+15:59'

const refusedFor = (data: object): unknown => {
  try {
    validateEventData(Wound, { ...fine, ...data })
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(Rejection)
    const { statusCode, code, message } = error as Rejection
    return [statusCode, code, message.split(':')[0]]
  }
}

describe('an event is refused', () => {
  test.each([
    ['for a NUL', { clockId: 'a\0b' }, 'clockId'],
    ['for half of a surrogate pair', { clockId: 'a\uD800' }, 'clockId'],
    ['for either in the name of a field', { notes: { 'a\0': 'b' } }, 'notes'],
    ['for either in depth', { notes: { a: '\uDC00' } }, 'a'],
    ['for a moment before the year 1 in UTC', { until: NEVER }, 'until'],
    ['for a moment in the year 0', { until: '0000-06-01T00:00:00Z' }, 'until'],
    ['for a moment after the year 9999 in UTC', { until: '9999-12-31T23:59:59-15:59' }, 'until'],
    ['for an offset that Postgres does not read', { until: '2026-01-01T00:00:00+23:59' }, 'until'],
    ['for an id that no index holds', { clockId: 'a'.repeat(2_001) }, 'clockId'],
    ['for a moment in depth', { parts: [{ madeAt: NEVER, size: 1 }] }, 'madeAt'],
    ['for a number that bigint does not hold', { parts: [{ size: 2 ** 63 }] }, 'size'],
    ['for a number that JSON rounds', { parts: [{ size: -(2 ** 53) }] }, 'size'],
  ])('%s', (_what, data, field) => {
    expect(refusedFor(data)).toEqual([400, 'NOT_STORABLE', field])
  })
})

test('an event is taken with what columns hold, and a text may read like a moment', () => {
  expect(refusedFor({ clockId: NEVER, notes: { '😀': 'ß\n\t' } })).toBeUndefined()
  expect(refusedFor({ until: null, parts: [{ madeAt: '0001-01-01T00:00:00Z', size: 2 ** 53 - 1 }] })).toBeUndefined()
  expect(() => refuseUnstorableData({ a: Number.NaN }, { momentFields: new Set(), sealedFields: [] })).toThrow(
    Rejection,
  )
})
