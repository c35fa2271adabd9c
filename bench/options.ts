import { parseArgs } from 'node:util'
import { CONTESTANTS } from './contestant.ts'
import type { ContestantName } from './contestant.ts'
import { pgbenchProgram } from './contestants/pgbench.ts'
import type { Plan } from './rounds.ts'
import { WINDOW_EVENTS } from './seeded.ts'
import { MORE, TESTS } from './tests.ts'

export const USAGE = `npm run bench [-- OPTIONS]
  --quick              takes under 3 minutes: up to 3 short rounds over 100,000 events
  --rounds N           default 9
  --seconds S          how long each load test lasts in each round, default 1
  --events N           length of the log of the catch-up test, default 200000, rounded up to whole streams
  --only TEST,…        ${[...TESTS, ...MORE].map(({ name }) => name).join(' ')}
  --contestants NAME,… ${CONTESTANTS.join(' ')}
  --json FILE          writes { results: [{ test, contestant, opsPerSecond, p50Ms, p99Ms }], … }
  --markdown FILE      writes the table; in a file with a place for it, such as docs/benchmarks.md, only there
  --picture FILE       default bench/result.svg, which a run with --quick, --events, --only or --contestants does not change`

const FULL = {
  rounds: 9,
  seconds: 1,
  rebuilds: 3,
  events: { read: 200_000, rebuild: 1_000_000, live: 40_000 },
  withinSeconds: 1_770,
}
const QUICK = {
  rounds: 3,
  seconds: 0.3,
  rebuilds: 1,
  events: { read: 100_000, rebuild: 100_000, live: 20_000 },
  withinSeconds: 170,
}

export interface Options {
  readonly plan: Plan
  readonly contestants: readonly ContestantName[]
  readonly json?: string | undefined
  readonly markdown?: string | undefined
  readonly picture?: string | undefined
}

/** @throws for an unknown option, because a misspelt word would measure nothing */
export function optionsFrom(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      events: { type: 'string' },
      only: { type: 'string' },
      contestants: { type: 'string' },
      json: { type: 'string' },
      markdown: { type: 'string' },
      picture: { type: 'string' },
    },
  })
  const { quick, only } = values
  const base = quick ? QUICK : FULL
  const contestants = chosen(values.contestants, CONTESTANTS).filter(isHere)
  const names = chosen(
    only,
    [...TESTS, ...MORE].map(({ name }) => name),
  )
  const tests = [...TESTS, ...MORE]
    .filter(({ name }) => names.includes(name))
    .map((test) => ({ ...test, contestants: test.contestants.filter((each) => contestants.includes(each)) }))
  const isWhole = !quick && only === undefined && values.contestants === undefined && values.events === undefined
  return {
    plan: {
      ...base,
      tests,
      rounds: positive(values.rounds, base.rounds),
      seconds: positive(values.seconds, base.seconds),
      events: { ...base.events, read: wholeStreams(positive(values.events, base.events.read)) },
    },
    contestants,
    json: values.json,
    markdown: values.markdown,
    picture: values.picture ?? (isWhole ? new URL('result.svg', import.meta.url).pathname : undefined),
  }
}

const wholeStreams = (events: number): number => Math.ceil(events / WINDOW_EVENTS) * WINDOW_EVENTS

export function chosen<Name extends string>(text: string | undefined, all: readonly Name[]): readonly Name[] {
  if (text === undefined) return all
  const names = text.split(',')
  const strange = names.filter((name) => !all.some((each) => each === name))
  if (strange.length > 0) throw new Error(`${strange.join(', ')}: unknown. Choose from ${all.join(', ')}`)
  return all.filter((each) => names.includes(each))
}

function isHere(name: ContestantName): boolean {
  if (name !== 'pgbench' || pgbenchProgram() !== undefined) return true
  console.warn(
    '!! pgbench is SKIPPED: it is not installed here (on Debian: the package postgresql-contrib or postgresql-NN)',
  )
  return false
}

export function positive(text: string | undefined, otherwise: number): number {
  const value = Number(text ?? otherwise)
  if (!(value > 0 && Number.isFinite(value))) throw new RangeError(`${text} is not a positive number`)
  return value
}
