/** When schedules are due next: on the clock of their zone, across its changes, and in leap years. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCron, nextTime, timeZoneOf } from '#panel/scheduled-deploys/next-time'

const next = (cron: string, timezone: string, after: string) =>
  nextTime({ cron, timezone, runAt: null }, new Date(after))
const BERLIN = 'Europe/Berlin'

test('a time is on the clock of the zone', () => {
  expect(next('30 2 * * *', BERLIN, '2026-01-10T00:00:00Z')).toBe('2026-01-10T01:30:00.000Z')
  expect(next('30 2 * * *', BERLIN, '2026-07-10T00:00:00Z')).toBe('2026-07-10T00:30:00.000Z')
  expect(next('0 9 * * 1-5', 'America/New_York', '2026-06-05T13:00:00Z')).toBe('2026-06-08T13:00:00.000Z')
  expect(next('15 14 1 * *', 'UTC', '2026-01-31T23:59:59.999Z')).toBe('2026-02-01T14:15:00.000Z')
})

test('the next time is after the moment, never at it', () => {
  expect(next('0 0 * * *', 'UTC', '2026-03-01T00:00:00.000Z')).toBe('2026-03-02T00:00:00.000Z')
  expect(next('0 0 * * *', 'UTC', '2026-02-28T23:59:59.999Z')).toBe('2026-03-01T00:00:00.000Z')
})

test('a time that the clock skips is due when the clock goes on, once', () => {
  // 2026-03-29: 02:00 becomes 03:00.
  expect(next('30 2 * * *', BERLIN, '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z')
  expect(next('30 2 * * *', BERLIN, '2026-03-29T01:00:00Z')).toBe('2026-03-30T00:30:00.000Z')
})

test('a time that the clock repeats is due once, and what is due each half hour goes on', () => {
  // 2026-10-25: 03:00 becomes 02:00.
  expect(next('30 2 * * *', BERLIN, '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:30:00.000Z')
  expect(next('30 2 * * *', BERLIN, '2026-10-25T00:30:00Z')).toBe('2026-10-26T01:30:00.000Z')
  expect(next('*/30 * * * *', BERLIN, '2026-10-25T00:30:00Z')).toBe('2026-10-25T01:00:00.000Z')
  expect(next('*/30 * * * *', BERLIN, '2026-10-25T01:00:00Z')).toBe('2026-10-25T01:30:00.000Z')
})

test('the last of February is in leap years alone, and what no calendar has is never due', () => {
  expect(next('0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z')).toBe('2028-02-29T00:00:00.000Z')
  expect(next('0 0 29 2 *', 'UTC', '2097-01-01T00:00:00Z')).toBe('2104-02-29T00:00:00.000Z')
  for (const never of ['0 0 30 2 *', '0 0 31 4,6,9,11 *']) expect(next(never, 'UTC', '2026-01-01T00:00:00Z')).toBeNull()
})

test('one moment is due once', () => {
  const timing = { cron: null, timezone: null, runAt: '2026-06-01T12:00:00.000Z' }
  expect(nextTime(timing, new Date('2026-06-01T11:59:59.999Z'))).toBe(timing.runAt)
  expect(nextTime(timing, new Date('2026-06-01T12:00:00.000Z'))).toBeNull()
})

test('five fields are a cron, and longer forms, nicknames and dates are not', () => {
  for (const text of ['* * * * *', '*/5 0-6 1,15 * MON-FRI', '0 0 L * *', '59 23 31 DEC 7'])
    expect(isCron(text), text).toBe(true)
  for (const text of [
    '',
    '* * * *',
    '* * * * * *',
    '@daily',
    '2026-01-01T00:00:00',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '*/0 * * * *',
    '5-1 * * * *',
    'a b c d e',
    '* * * * *; reboot',
    '*\n* * * *',
  ])
    expect(isCron(text), text).toBe(false)
})

test('a zone is one of the database, in its spelling there', () => {
  expect(timeZoneOf('europe/berlin')).toBe(BERLIN)
  expect(timeZoneOf('UTC')).toBe('UTC')
  for (const text of ['', 'Japan', 'Mars/Base', '+02:00', 'GMT+25', 'Europe/Berlin ', '../etc/localtime'])
    expect(timeZoneOf(text), text).toBeUndefined()
})

test('for any cron, zone and moment, the times go up without end or stop', () => {
  const field = (most: number) =>
    fc.oneof(fc.constant('*'), fc.integer({ min: 0, max: most }).map(String), fc.constant('*/7'))
  const cron = fc.tuple(field(59), field(23), fc.constant('*'), fc.constant('*'), field(6)).map((all) => all.join(' '))
  const zone = fc.constantFrom(
    'UTC',
    BERLIN,
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Pacific/Apia',
  )
  const moment = fc.date({ min: new Date('2024-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(cron, zone, moment, (text, timezone, from) => {
      let at = from
      for (let nth = 0; nth < 5; nth += 1) {
        const due = next(text, timezone, at.toISOString())
        expect(Date.parse(due!)).toBeGreaterThan(at.getTime())
        at = new Date(due!)
      }
    }),
    { numRuns: 200 },
  )
})
