/**
 * `npm run mutants [-- OPTION… WORD…]`: breaks the source, one change at a time, in copies, and runs the tests that must notice. Most
 * changes are generated from declarations; those in test/mutants/by-hand and test/mutants/pages.ts are written. One that survives is a promise without a test: it
 * fails the run, unless it is listed as equivalent. `--wide` takes changes of plain logic as well, whose survivors are only told.
 * `--daily` takes what continuous integration tries on this day. `--list` names the mutants and the tests of each, and runs nothing.
 */
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BREAKS } from '../test/mutants/by-hand.ts'
import { PAGE_BREAKS } from '../test/mutants/pages.ts'
import { isChromiumInstalled } from '../test/support/chromium.ts'
import { mutantByHand, OF_PAGES } from './mutants/by-hand.ts'
import type { Break } from './mutants/by-hand.ts'
import { changedSince, lastRelease } from './mutants/changes.ts'
import { chosen, ofDay } from './mutants/choice.ts'
import type { Day } from './mutants/choice.ts'
import { Copy } from './mutants/copy.ts'
import { EQUIVALENTS } from './mutants/equivalents.ts'
import { kindOf } from './mutants/kinds.ts'
import type { Attempt, Mutant } from './mutants/mutant.ts'
import { mutantsIn } from './mutants/operators.ts'
import { lineOf, summaryOf, isFailure } from './mutants/report.ts'
import { withScratch } from './mutants/scratch.ts'
import { parseSource } from './mutants/source.ts'
import type { Source } from './mutants/source.ts'
import { TestFinder } from './mutants/tests.ts'
import { Trial } from './mutants/trial.ts'
import type { Outcome } from './mutants/trial.ts'

const ROOT = join(import.meta.dirname, '..')
const MUTATED = ['src/**/*.ts', 'projections/**/*.ts']
const COPIES_MAX = 2

const stop = new AbortController()

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const read = (...patterns: string[]): Source[] =>
  globSync(patterns, { cwd: ROOT })
    .toSorted()
    .map((file) => parseSource(file, textOf(file)))

interface Planned {
  readonly mutant: Mutant
  readonly attempts: readonly Attempt[]
}

const listed = ({ mutant, attempts }: Planned): string =>
  [
    `${mutant.id} (${mutant.file}:${mutant.line})`,
    ...attempts.map(({ test, names }) => `    ${test}${names ? `: ${names.join(' | ')}` : ''}`),
  ].join('\n')

/** Those with the same first test file one after another on one copy, which then need not load all modules anew. */
function batchesOf(plans: readonly Planned[]): Planned[][] {
  const batches = [...Map.groupBy(plans, ({ attempts }) => attempts[0]?.test).values()]
  // A long one at the end would leave the other copies idle.
  return batches.toSorted((one, other) => other.length - one.length)
}

async function tryAll(plans: readonly Planned[], copies: number): Promise<Outcome[]> {
  return withScratch(async ({ directory, databaseUrl }) => {
    const batches = batchesOf(plans)
    const lanes = Array.from({ length: copies }, async (_, nth) => {
      const copy = new Copy(join(directory, `copy-${nth + 1}`), databaseUrl, stop.signal)
      const trial = new Trial(copy, stop.signal)
      const outcomes: Outcome[] = []
      for (let batch = batches.shift(); batch; batch = batches.shift()) outcomes.push(...(await tried(trial, batch)))
      await copy.end()
      for (const test of trial.unusable) console.log(`fails although nothing is changed: ${test}`)
      return outcomes
    })
    return (await Promise.all(lanes)).flat()
  })
}

async function tried(trial: Trial, batch: readonly Planned[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const { mutant, attempts } of batch) {
    const outcome = stop.signal.aborted ? undefined : await trial.try(mutant, attempts)
    if (!outcome || outcome.verdict === 'stopped') break
    console.log(lineOf(outcome))
    outcomes.push(outcome)
  }
  return outcomes
}

function pageBreaks(): readonly Break[] {
  if (isChromiumInstalled) return PAGE_BREAKS
  console.log('!! chromium is not installed: the breaks of the pages are not tried')
  return []
}

/** What continuous integration tries on this day, and says about it. */
function today(all: readonly Mutant[]): Day {
  const release = lastRelease()
  console.log(
    release === undefined
      ? 'This clone has no tag of a release: nothing is chosen for having changed.'
      : `Of what has changed since ${release} and of all, the share of this day:`,
  )
  const day = ofDay(all, release === undefined ? undefined : changedSince(release), new Date())
  console.log(day.lines.join('\n'))
  return day
}

async function main(): Promise<number> {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const { values, positionals: words } = parseArgs({
    options: {
      share: text,
      since: text,
      each: text,
      operators: text,
      copies: text,
      list: flag,
      wide: flag,
      daily: flag,
    },
    allowPositionals: true,
  })
  const code = read(...MUTATED)
  const all = [
    ...BREAKS.map((each) => mutantByHand(each, textOf(each.file))),
    ...pageBreaks().map((each) => mutantByHand(each, textOf(each.file), OF_PAGES)),
    ...mutantsIn(code),
  ]
  const asked = all.filter((mutant) => values.wide || kindOf(mutant) !== 'wide')
  const changed = values.since === undefined ? undefined : changedSince(values.since)
  const day = values.daily ? today(all) : undefined
  const mutants = day?.mutants ?? chosen(asked, { ...values, changed, words }, new Date())
  const finder = new TestFinder([...code, ...read('test/**/*.ts')])
  const plans = mutants.map((mutant) => ({ mutant, attempts: finder.attemptsFor(mutant) }))
  if (values.list) {
    console.log([...plans.map(listed), `${plans.length} of ${all.length} mutants`].join('\n'))
    return 0
  }
  const outcomes = await tryAll(plans, Number(values.copies ?? Math.min(COPIES_MAX, availableParallelism())))
  // A change must not fail because this day is the first to try a mutant elsewhere.
  const isForgiven = (mutant: Mutant) => day !== undefined && kindOf(mutant) !== 'by hand' && !day.changed.has(mutant)
  const verdicts = { equivalents: EQUIVALENTS, isForgiven }
  console.log(summaryOf(outcomes, all, verdicts))
  return stop.signal.aborted ? 130 : Number(isFailure(outcomes, all, verdicts))
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())
process.exitCode = await main()
