/** The numbers of each day follow from changes in their order. */
import { expect, test } from 'vitest'
import { countsByDay, usageDays } from '#panel/projects/usage/days'

const change = (day: string, what: string, subjectId: string) => ({ day, what, subjectId })

test('a number is that at the end of the day, and repeats until it changes', () => {
  const changes = [
    change('2026-01-01', 'IN', 'a'),
    change('2026-01-02', 'IN', 'b'),
    change('2026-01-02', 'OUT', 'a'),
    change('2026-01-04', 'IN', 'b'),
    change('2026-01-04', 'IN', 'c'),
    change('2026-01-04', 'OTHER', 'd'),
    change('2026-01-09', 'IN', 'e'),
  ]
  const days = usageDays({ from: '2026-01-02', to: '2026-01-05' }, new Date('2026-02-01'))
  expect(days).toEqual(['2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05'])
  expect(countsByDay(days, changes, 'IN', 'OUT')).toEqual([1, 1, 2, 2])
})

test('a period without dates is the last 30 days, also over the end of a month', () => {
  const days = usageDays({}, new Date('2026-03-10T23:59:59.999Z'))
  expect([days.length, days[0], days.at(-1)]).toEqual([30, '2026-02-09', '2026-03-10'])
})
