import { expect, test } from 'vitest'
import { weekOf } from '../../src/web/back-office/overview/weeks.ts'
import { isEmpty, pointText, sentenceOf } from '../../src/web/kit/series.ts'

const points = ['2026-11-20', '2026-11-21', '2026-11-22']
const series = (...values: number[]) => ({
  points,
  lines: [{ label: 'Active', values }],
  format: (n: number) => `${n}×`,
})
const sentence = (...values: number[]) => sentenceOf(series(...values).lines[0]!, series(...values))

test('a sentence tells first, last, least and most, and the last day of each', () => {
  expect(sentence(3, 7, 5)).toBe('Active: from 3× to 5×; least 3× on Nov 20, 2026, most 7× on Nov 21, 2026.')
  expect(sentence(1, 4, 4)).toContain('most 4× on Nov 22, 2026')
})

test('what never changed is said so', () => {
  expect(sentence(4, 4, 4)).toBe('Active: 4× throughout.')
})

test('a point is its day in UTC, and the value of each line', () => {
  const { lines, ...rest } = series(3, 7, 5)
  const two = { ...rest, lines: [...lines, { label: 'Grace', values: [0, 1, 0] }] }
  expect(pointText(two, 1)).toBe('Nov 21, 2026: Active 7×, Grace 1×')
})

test('only zeros, or no line at all, is nothing to draw', () => {
  expect(isEmpty(series(0, 0, 0))).toBe(true)
  expect(isEmpty({ ...series(), lines: [] })).toBe(true)
  expect(isEmpty(series(0, 1, 0))).toBe(false)
})

test('a week is from Monday to Sunday, over the ends of months', () => {
  expect(weekOf('2026-11-23T12:00:00')).toBe('Nov 23 – Nov 29')
  expect(weekOf('2026-11-29T23:00:00')).toBe('Nov 23 – Nov 29')
  expect(weekOf('2026-12-01T00:00:00')).toBe('Nov 30 – Dec 6')
})
