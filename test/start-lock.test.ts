import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takeStartLock } from '../src/embedded-postgres/start-lock.ts'
import { race } from './race.ts'
import { scratchPath } from './scratch.ts'

const ROUNDS = 40

/** One directory per round, each perhaps with the lock that a dead process left. */
function directories(lock?: string): string {
  const base = scratchPath()
  for (let round = 0; round < ROUNDS; round++) {
    mkdirSync(join(base, String(round)), { recursive: true })
    if (lock !== undefined) writeFileSync(join(base, String(round), 'daybook.lock'), lock)
  }
  return base
}

test.each([
  ['a free directory', undefined],
  ['a stale lock', JSON.stringify({ pid: 999_999_999, start: 'long ago' })],
])('of processes that reach for %s at once exactly one gets it', async (_, lock) => {
  const base = JSON.stringify(directories(lock))
  const module = new URL('../src/embedded-postgres/start-lock.ts', import.meta.url)
  const rounds = await race(module, `(it.takeStartLock(${base} + '/' + round), 'taken')`, { rounds: ROUNDS })
  for (const outcomes of rounds) {
    expect(
      outcomes.filter((each) => each === 'taken'),
      String(outcomes),
    ).toHaveLength(1)
    expect(outcomes.filter((each) => /in use by process \d+/.test(String(each)))).toHaveLength(2)
  }
})

test('is free again after it was released, and release frees only its own', () => {
  const directory = scratchPath()
  mkdirSync(directory)
  const first = takeStartLock(directory)
  expect(() => takeStartLock(directory)).toThrow(`in use by process ${process.pid}.`)
  first.release()
  takeStartLock(directory)
  writeFileSync(join(directory, 'daybook.lock'), 'of another')
  first.release()
  expect(existsSync(join(directory, 'daybook.lock'))).toBe(true)
})
