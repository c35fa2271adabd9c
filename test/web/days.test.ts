import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { dayOfTime, timeOfDay } from '../../src/web/kit/days.ts'
import { chooseUtc } from '../../src/web/kit/zone.ts'

const day = fc
  .date({ min: new Date('2000-01-02T12:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10))

test.each(['from', 'to', 'expiresBefore', 'createdAfter'])('the day chosen for %s is shown again', (name) => {
  fc.assert(
    fc.property(day, (chosen) => {
      expect(dayOfTime(name, timeOfDay(name, chosen))).toBe(chosen)
    }),
  )
})

test('a range from a day to the same day holds that day', () => {
  const hours = (Date.parse(timeOfDay('to', '2026-06-10')) - Date.parse(timeOfDay('from', '2026-06-10'))) / 3_600_000
  expect(hours).toBe(24)
})

test('with times in UTC, a day begins and ends at midnight of UTC', () => {
  chooseUtc(true)
  onTestFinished(() => chooseUtc(false))
  expect(timeOfDay('from', '2026-06-10')).toBe('2026-06-10T00:00:00.000Z')
  expect(timeOfDay('to', '2026-12-31')).toBe('2027-01-01T00:00:00.000Z')
  expect(dayOfTime('to', '2027-01-01T00:00:00.000Z')).toBe('2026-12-31')
})
