import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takeStartLock } from '../../src/evaluation/embedded-postgres/start-lock.ts'
import { race } from '../support/race.ts'
import { scratchPath } from '../support/scratch.ts'

const ROUNDS = 10
/** In ms. Longer than a refusal takes, so that every round starts with all processes. */
const EVERY_MS = 500
const DEAD = 'daybook.999999999.0123456789ab.lock'

/** As many directories as there are rounds, each with the given files. */
function directories(files: string[]): string {
  const base = scratchPath()
  for (let round = 0; round < ROUNDS; round++) {
    mkdirSync(join(base, String(round)), { recursive: true })
    for (const file of files) writeFileSync(join(base, String(round), file), '')
  }
  return base
}

function directory(): string {
  const path = scratchPath()
  mkdirSync(path)
  return path
}

test.each([
  ['a free directory', []],
  ['one that a dead process had', [DEAD]],
])('of processes that reach for %s at once exactly one gets it', async (_, files) => {
  const base = JSON.stringify(directories(files))
  const module = new URL('../../src/evaluation/embedded-postgres/start-lock.ts', import.meta.url)
  const rounds = await race(module, `it.takeStartLock(${base} + '/' + round).then(() => 'taken')`, {
    rounds: ROUNDS,
    everyMs: EVERY_MS,
  })
  for (const outcomes of rounds) {
    expect(
      outcomes.filter((each) => each === 'taken'),
      String(outcomes),
    ).toHaveLength(1)
    expect(outcomes.filter((each) => /in use by process \d+\./.test(String(each)))).toHaveLength(2)
  }
})

test('is refused to whoever comes second, and free again after release', async () => {
  const path = directory()
  const { release } = await takeStartLock(path)
  await expect(takeStartLock(path)).rejects.toThrow(`${path} is in use by process ${process.pid}.`)
  release()
  await expect(takeStartLock(path)).resolves.toBeDefined()
})

test('a recycled pid is no lock: not that of a living process with another start time', async () => {
  const path = directory()
  for (const name of [`daybook.${process.pid}.0123456789ab.lock`, `daybook.${process.ppid}.0123456789ab.lock`, DEAD])
    writeFileSync(join(path, name), '')
  await takeStartLock(path)
  expect(readdirSync(path)).toHaveLength(1)
})
