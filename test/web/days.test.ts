import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayOfTime, timeOfDay } from '../../src/web/kit/days.ts'

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
