/**
 * `npm run teeth [WORD…]`: breaks each promise once, in a copy, and runs the test that must notice. A test that still passes is
 * reported and fails the run; so does a break that no longer fits the source. Words select breaks by their promise.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BREAKS } from '../test/teeth/breaks.ts'
import type { Break } from '../test/teeth/breaks.ts'

const ROOT = join(import.meta.dirname, '..')
const COPIED = [
  'src',
  'projections',
  'migrations',
  'test',
  'bin',
  'scripts',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
]
const SECONDS_MAX = 180

interface Outcome {
  readonly promise: string
  readonly verdict: 'bites' | 'does not bite' | 'does not fit'
  readonly seconds: number
}

function copy(): string {
  const directory = mkdtempSync(join(tmpdir(), 'daybook-teeth-'))
  for (const name of COPIED) cpSync(join(ROOT, name), join(directory, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  return directory
}

/** @returns whether the test passed */
async function passes(directory: string, { test, named }: Break): Promise<boolean> {
  const args = [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    test,
    '--bail=1',
    '--reporter=dot',
    '--passWithNoTests=false',
  ]
  if (named) args.push('-t', named)
  const run = spawn(process.execPath, args, { cwd: directory, stdio: 'ignore', env: { ...process.env, NO_COLOR: '1' } })
  const timer = setTimeout(() => run.kill('SIGTERM'), SECONDS_MAX * 1_000)
  const [code] = await once(run, 'exit')
  clearTimeout(timer)
  return code === 0
}

async function tryOne(directory: string, each: Break): Promise<Outcome> {
  const path = join(directory, each.file)
  const whole = readFileSync(path, 'utf8')
  const before = performance.now()
  const outcome = (verdict: Outcome['verdict']): Outcome => ({
    promise: each.promise,
    verdict,
    seconds: (performance.now() - before) / 1_000,
  })
  if (whole.split(each.find).length !== 2) return outcome('does not fit')
  writeFileSync(
    path,
    whole.replace(each.find, () => each.replace),
  )
  try {
    return outcome((await passes(directory, each)) ? 'does not bite' : 'bites')
  } finally {
    writeFileSync(path, whole)
  }
}

/** Unbroken, every test has to pass: otherwise a failure would prove nothing. */
async function refuseFailing(directory: string, chosen: readonly Break[]): Promise<void> {
  for (const test of new Set(chosen.map((each) => each.test)))
    if (!(await passes(directory, { ...chosen[0]!, test, named: undefined })))
      throw new Error(`${test} fails already, unbroken`)
}

async function main(words: readonly string[]): Promise<number> {
  const chosen = BREAKS.filter(({ promise }) =>
    words.every((word) => promise.toLowerCase().includes(word.toLowerCase())),
  )
  if (chosen.length === 0) throw new Error('No break has these words in its promise')
  const directory = copy()
  try {
    await refuseFailing(directory, chosen)
    const outcomes: Outcome[] = []
    for (const each of chosen) {
      const outcome = await tryOne(directory, each)
      console.log(`${outcome.verdict.padEnd(13)}  ${outcome.seconds.toFixed(1).padStart(5)} s  ${outcome.promise}`)
      outcomes.push(outcome)
    }
    const blunt = outcomes.filter(({ verdict }) => verdict !== 'bites').length
    console.log(`\n${outcomes.length - blunt} of ${outcomes.length} promises have teeth.`)
    return blunt === 0 ? 0 : 1
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

process.exitCode = await main(process.argv.slice(2))
