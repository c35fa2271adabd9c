/**
 * `npm run teeth [WORD…]`: breaks each promise once, in a copy, and runs the test that must notice. A test
 * that still passes is reported and fails the run; so does a break that no longer fits the source. Words
 * select breaks by promise or test file. `--share=2/3` takes those of every third test file, from the second
 * on.
 */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { BREAKS } from '../test/teeth/breaks.ts'
import type { Break } from '../test/teeth/breaks.ts'
import { Copy } from './teeth/copy.ts'
import type { Ran } from './teeth/runs.ts'
import { withScratch } from './teeth/scratch.ts'

const COPIES = Math.min(2, availableParallelism())

const TRIES_MAX = 3

type Verdict = 'bites' | 'does not bite' | 'does not fit' | 'fails unbroken' | 'does not run'

interface Outcome {
  readonly promise: string
  readonly test: string
  readonly verdict: Verdict
  readonly seconds: number
}

const stop = new AbortController()

/** Runs each item once, on the next free copy. */
async function shared<Item>(
  copies: readonly Copy[],
  items: readonly Item[],
  work: (copy: Copy, item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items]
  const lane = async (copy: Copy) => {
    for (let item = left.shift(); item !== undefined && !stop.signal.aborted; item = left.shift())
      await work(copy, item)
  }
  await Promise.all(copies.map(lane))
}

/**
 * Whether the tests pass while nothing is broken, run as they are run with the break. Otherwise their failure
 * proves nothing.
 */
async function passes(copy: Copy, { test, named }: Break): Promise<boolean> {
  const isGood = ({ passed, failed, isWhole }: Ran): boolean => passed > 0 && failed === 0 && isWhole
  // A busy machine may be too slow once; a test that fails twice fails.
  return isGood(await copy.run(test, named)) || isGood(await copy.run(test, named))
}

async function verdictOn(copy: Copy, each: Break): Promise<Verdict> {
  const ran = await copy.whileBroken(each, () => copy.run(each.test, each.named))
  if (!ran) return 'does not fit'
  if (ran.failed > 0) return 'bites'
  return ran.isWhole ? 'does not bite' : 'does not run'
}

/**
 * A race may not happen in one run, so a test has a few tries to notice the break, each without state of the
 * last one.
 */
async function settled(copy: Copy, each: Break): Promise<Verdict> {
  for (let tries = 1; ; tries += 1) {
    const verdict = await verdictOn(copy, each)
    const mayBeChance = verdict === 'does not bite' || verdict === 'does not run'
    if (!mayBeChance || tries === TRIES_MAX || stop.signal.aborted) return verdict
    await copy.end()
  }
}

/** The breaks of one test file on one copy, which then need not load all modules anew. */
async function tried(copy: Copy, breaks: readonly Break[], tell: (outcome: Outcome) => void): Promise<void> {
  const passing = new Map<string | undefined, boolean>()
  for (const each of breaks) {
    const startedMs = performance.now()
    const isPassing = passing.get(each.named) ?? (await passes(copy, each))
    passing.set(each.named, isPassing)
    const verdict = isPassing ? await settled(copy, each) : 'fails unbroken'
    if (stop.signal.aborted) break
    const seconds = (performance.now() - startedMs) / 1_000
    tell({ promise: each.promise, test: each.test, verdict, seconds })
  }
  await copy.end()
}

async function tryAll(copies: readonly Copy[], files: readonly (readonly Break[])[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const tell = (outcome: Outcome) => {
    console.log(line(outcome))
    outcomes.push(outcome)
  }
  await shared(copies, files, (copy, breaks) => tried(copy, breaks, tell))
  return outcomes
}

const line = ({ verdict, seconds, promise }: Outcome): string =>
  `${verdict.padEnd(14)}  ${seconds.toFixed(1).padStart(5)} s  ${promise}`

function summary(outcomes: readonly Outcome[]): string {
  const blunt = outcomes.filter(({ verdict }) => verdict !== 'bites')
  const byFile = [...Map.groupBy(outcomes, ({ test }) => test)].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const rows = byFile.map(([test, all]) => {
    const biting = all.filter(({ verdict }) => verdict === 'bites').length
    return `${String(biting).padStart(5)} of ${String(all.length).padStart(3)}  ${test}`
  })
  const total = `${outcomes.length - blunt.length} of ${outcomes.length} promises have teeth, ${Math.round(performance.now() / 1_000)} s.`
  return ['', ...rows, '', ...blunt.map((each) => `${line(each)} (${each.test})`), total].join('\n')
}

const SHARE = /^--share=(\d+)\/(\d+)$/

/** @throws Error for an invalid share */
function shareOf<Item>(items: readonly Item[], option: string | undefined): readonly Item[] {
  if (option === undefined) return items
  const [, which, of] = (SHARE.exec(option) ?? []).map(Number)
  if (which === undefined || of === undefined || which < 1 || which > of)
    throw new Error('Write a share such as --share=1/3, --share=2/3 or --share=3/3')
  return items.filter((_item, index) => index % of === which - 1)
}

async function main(args: readonly string[]): Promise<number> {
  const words = args.filter((word) => !word.startsWith('--'))
  const found = BREAKS.filter(({ promise, test }) =>
    words.every((word) => `${promise} ${test}`.toLowerCase().includes(word.toLowerCase())),
  )
  // Files with many breaks first: a long one at the end would leave the other copies idle.
  const files = [...Map.groupBy(found, ({ test }) => test).values()].toSorted((one, other) => other.length - one.length)
  const chosen = shareOf(
    files,
    args.find((word) => word.startsWith('--')),
  )
  if (chosen.length === 0) throw new Error('No break has these words in its promise or its test file')
  return withScratch(async ({ directory, databaseUrl }) => {
    const copies = Array.from(
      { length: COPIES },
      (_, nth) => new Copy(join(directory, `copy-${nth + 1}`), databaseUrl, stop.signal),
    )
    const outcomes = await tryAll(copies, chosen)
    if (stop.signal.aborted) return 130
    console.log(summary(outcomes))
    return outcomes.every(({ verdict }) => verdict === 'bites') ? 0 : 1
  })
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())
process.exitCode = await main(process.argv.slice(2))
