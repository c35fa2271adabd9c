/** How long a start takes until both services listen, in a new directory and again, and what the bare command takes. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BIN } from '../../scripts/figures/bench.ts'
import { median } from '../../scripts/figures/spread.ts'
import { startUp } from '../../scripts/figures/start-up.ts'
import type { StartUp } from '../../scripts/figures/start-up.ts'
import { scratchBase } from '../../test/support/scratch-base.ts'
import type { Goal } from '../goals.ts'
import { atMost } from './memory.ts'

const TIMES = 3

export interface Starts extends StartUp {
  /** `daybook --version`, in seconds. */
  readonly version: number
}

const SECONDS: Starts = { first: 5, second: 1.5, version: 0.3 }

export async function measureStarts(): Promise<Starts> {
  const directory = mkdtempSync(join(scratchBase, 'daybook-start-'))
  // If root starts it, Postgres runs as another user, who has to enter the directory.
  chmodSync(directory, 0o711)
  try {
    const version = median(Array.from({ length: TIMES }, secondsOfVersion))
    return { ...(await startUp(directory, TIMES)), version }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function secondsOfVersion(): number {
  const began = performance.now()
  execFileSync(process.execPath, [BIN, '--version'])
  return (performance.now() - began) / 1_000
}

export const startRows = (starts: Starts): string[][] => [
  ['until it listens', 'first', 'second', 'daybook --version'],
  ['seconds', ...[starts.first, starts.second, starts.version].map((each) => each.toFixed(2))],
]

export const startGoals = (starts: Starts): Goal[] => [
  atMost(`first start ≤ ${SECONDS.first} s`, SECONDS.first, starts.first),
  atMost(`second start ≤ ${SECONDS.second} s`, SECONDS.second, starts.second),
  atMost(`daybook --version ≤ ${SECONDS.version} s`, SECONDS.version, starts.version),
]
