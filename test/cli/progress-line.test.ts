import { expect, test } from 'vitest'
import { progressLine, progressOn } from '../../src/cli/progress-line.ts'

test.each([
  [5_000, 20_000, 5, '5000 of 20000 events (25 %), 1000/s, 15 s left'],
  [20_000, 20_000, 8, '20000 of 20000 events (100 %), 2500/s, 0 s left'],
  [20_100, 20_000, 10, '20100 of 20000 events (100 %), 2010/s, 0 s left'],
  [1_000, 20_000, 0, '1000 of 20000 events (5 %)'],
  [0, 0, 1, '0 of 0 events (0 %)'],
])('%i of %i after %i s: %s', (position, head, seconds, line) => {
  expect(progressLine(position, head, seconds)).toBe(line)
})

function written(isTTY: boolean, speak: (progress: ReturnType<typeof progressOn>) => void): string {
  const pieces: string[] = []
  const write = (piece: unknown) => pieces.push(String(piece)) > 0
  speak(progressOn({ isTTY, write }))
  return pieces.join('')
}

test('steps are a line each where nobody can write over a line', () => {
  const said = written(false, (progress) => {
    progress.step('Loading')
    progress.detail('5 %')
    progress.step('Starting')
    progress.end()
  })
  expect(said).toBe('Loading …\nStarting …\n')
})

test('a terminal shows them in one place, and nothing of them is left at the end', () => {
  const CLEARED = '\u001B[K'
  const said = written(true, (progress) => {
    progress.step('Loading')
    progress.detail('5 %')
    progress.end()
    progress.end()
  })
  expect(said).toBe(`\rLoading …${CLEARED}\r5 %${CLEARED}\r${CLEARED}`)
  expect(written(true, (progress) => progress.end())).toBe('')
})
