import { expect, test } from 'vitest'
import { progressLine } from '../src/cli/progress-line.ts'

test.each([
  [5_000, 20_000, 5, '5000 of 20000 events (25 %), 1000/s, 15 s left'],
  [20_000, 20_000, 8, '20000 of 20000 events (100 %), 2500/s, 0 s left'],
  [20_100, 20_000, 10, '20100 of 20000 events (100 %), 2010/s, 0 s left'],
  [1_000, 20_000, 0, '1000 of 20000 events (5 %)'],
  [0, 0, 1, '0 of 0 events (0 %)'],
])('%i of %i after %i s: %s', (position, head, seconds, line) => {
  expect(progressLine(position, head, seconds)).toBe(line)
})
