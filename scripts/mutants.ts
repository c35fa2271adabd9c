/**
 * `npm run mutants [-- OPTION… WORD…]`: breaks the source in the ways that its declarations allow, one at a time, in a copy, and
 * runs the tests that must notice. A mutant that survives is a promise without a test: it fails the run, unless it is listed as
 * equivalent. Options are those of `Choice`; `--list` only names the mutants and the tests of each;
 * `--wide` takes changes of plain logic as well.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chosen } from './mutants/choice.ts'
import { EQUIVALENTS } from './mutants/equivalents.ts'
import type { Mutant } from './mutants/mutant.ts'
import { isWide, mutantsIn } from './mutants/operators.ts'
import { lineOf, summaryOf, isFailure } from './mutants/report.ts'
import { parseSource } from './mutants/source.ts'
import type { Source } from './mutants/source.ts'
import { TestFinder } from './mutants/tests.ts'
import type { Attempt } from './mutants/tests.ts'
import { Trial } from './mutants/trial.ts'
import type { Outcome } from './mutants/trial.ts'
import { Copy } from './teeth/copy.ts'
import { withScratch } from './teeth/scratch.ts'

const ROOT = join(import.meta.dirname, '..')
const MUTATED = ['src/**/*.ts', 'projections/**/*.ts']

const stop = new AbortController()

const read = (...patterns: string[]): Source[] =>
  globSync(patterns, { cwd: ROOT })
    .toSorted()
    .map((file) => parseSource(file, readFileSync(join(ROOT, file), 'utf8')))

interface Planned {
  readonly mutant: Mutant
  readonly attempts: readonly Attempt[]
}

/** Those with the same first test file one after another: the runner has it read then. */
function planned(mutants: readonly Mutant[], finder: TestFinder): Planned[] {
  const plans = mutants.map((mutant) => ({ mutant, attempts: finder.attemptsFor(mutant) }))
  const first = ({ attempts }: Planned): string => attempts[0]?.test ?? ''
  return plans.toSorted((one, other) => first(one).localeCompare(first(other)))
}

const listed = ({ mutant, attempts }: Planned): string =>
  [
    `${mutant.id} (${mutant.file}:${mutant.line})`,
    ...attempts.map(({ test, names }) => `    ${test}${names ? `: ${names.join(' | ')}` : ''}`),
  ].join('\n')

async function tryAll(plans: readonly Planned[]): Promise<Outcome[]> {
  return withScratch(async ({ directory, databaseUrl }) => {
    const copy = new Copy(join(directory, 'copy'), databaseUrl, stop.signal)
    const trial = new Trial(copy, stop.signal)
    const outcomes: Outcome[] = []
    for (const { mutant, attempts } of plans) {
      if (stop.signal.aborted) break
      const outcome = await trial.try(mutant, attempts)
      if (outcome.verdict === 'stopped') break
      console.log(lineOf(outcome))
      outcomes.push(outcome)
    }
    await copy.end()
    for (const test of trial.unusable) console.log(`fails although nothing is changed: ${test}`)
    return outcomes
  })
}

async function main(): Promise<number> {
  const text = { type: 'string' } as const
  const { values, positionals: words } = parseArgs({
    options: {
      share: text,
      since: text,
      each: text,
      operators: text,
      list: { type: 'boolean' },
      wide: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  const code = read(...MUTATED)
  const all = mutantsIn(code)
  const plans = planned(
    chosen(values.wide ? all : all.filter((mutant) => !isWide(mutant)), { ...values, words }, new Date()),
    new TestFinder([...code, ...read('test/**/*.ts')]),
  )
  if (values.list) {
    console.log([...plans.map(listed), `${plans.length} of ${all.length} mutants`].join('\n'))
    return 0
  }
  const outcomes = await tryAll(plans)
  console.log(summaryOf(outcomes, all, EQUIVALENTS))
  return stop.signal.aborted ? 130 : Number(isFailure(outcomes, all, EQUIVALENTS))
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())
process.exitCode = await main()
