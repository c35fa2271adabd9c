/**
 * Every round measures everything once. The contestants of a test run one right after the other, in a new
 * order each time.
 */
import type { ContestantName } from './contestant.ts'
import type { Lane } from './lane.ts'
import type { Sample } from './results.ts'
import type { Server } from './server.ts'
import type { Test } from './tests.ts'

export interface Plan {
  readonly tests: readonly Test[]
  readonly rounds: number
  readonly seconds: number
  /** The sizes of the logs: the one that is read, Daybook's own that is rebuilt, and the one that is projected. */
  readonly events: { readonly read: number; readonly rebuild: number; readonly live: number }
  /** A rebuild of a million events is measured in this many rounds only, the first ones. */
  readonly rebuilds: number
  /** No round begins that would probably end later than this after the start of the bench. */
  readonly withinSeconds: number
}

export type Lanes = ReadonlyMap<ContestantName, Lane>

const databaseOf = (use: Test['on'] | 'empty', contestant: ContestantName): string =>
  `${use}_${contestant.replace('-', '_')}`

/** The contestant whose log is read by one without a log. */
export const LENT: Partial<Record<ContestantName, ContestantName>> = { copy: 'daybook', pgbench: 'bare' }

const needs = ({ tests }: Plan, name: ContestantName, use: Test['on']): boolean =>
  tests.some(({ on, contestants }) => on === use && contestants.some((each) => (LENT[each] ?? each) === name))

/** @param lanes of all contestants whose database is needed, including those that lend theirs */
export async function prepare(server: Server, lanes: Lanes, plan: Plan): Promise<void> {
  const withDatabase = [...lanes].filter(([name]) => name !== 'copy')
  await Promise.all(withDatabase.map(([name, lane]) => prepareOne(server, name, lane, plan)))
}

async function prepareOne(server: Server, name: ContestantName, lane: Lane, plan: Plan): Promise<void> {
  const empty = databaseOf('empty', name)
  await server.create(empty)
  await lane.setup(server.url(empty))
  for (const use of ['read', 'live'] as const) {
    if (LENT[name] || !needs(plan, name, use)) continue
    const database = databaseOf(use, name)
    await server.create(database, empty)
    await lane.seed(server.url(database), eventsOf(plan, name, use))
  }
}

function eventsOf({ events, tests }: Plan, name: ContestantName, use: 'read' | 'live'): number {
  const rebuilds = name === 'daybook' && tests.some(({ kind }) => kind === 'rebuild')
  return use === 'read' && rebuilds ? Math.max(events.read, events.rebuild) : events[use]
}

interface Tell {
  round(words: string): void
  failure(words: string): void
}

/** A failure is reported and leaves a gap; the run continues in a new process. */
export async function measureRounds(server: Server, lanes: Lanes, plan: Plan, tell: Tell): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let round = 1; round <= plan.rounds; round += 1) {
    const before = performance.now()
    for (const test of plan.tests.filter(({ kind }) => kind !== 'rebuild' || round <= plan.rebuilds))
      for (const name of shuffled(test.contestants))
        try {
          samples.push({ round, test: test.name, contestant: name, ...(await one(server, lanes, plan, test, name)) })
        } catch (error) {
          tell.failure(`${name} failed ${test.name} in round ${round}: ${String(error)}`)
          await lanes.get(name)!.restart()
        }
    const [lasted, left] = [seconds(before), plan.withinSeconds - performance.now() / 1_000]
    tell.round(`round ${round} of ${plan.rounds}: ${lasted.toFixed(0)} s`)
    if (left >= lasted || round === plan.rounds) continue
    tell.round(`!! ENDED after round ${round}: another one would take too long on this machine now`)
    break
  }
  return samples
}

const seconds = (since: number): number => (performance.now() - since) / 1_000

async function one(server: Server, lanes: Lanes, plan: Plan, test: Test, name: ContestantName) {
  const database = databaseOf(test.on, test.on === 'write' ? name : (LENT[name] ?? name))
  if (test.on === 'write') await server.create(database, databaseOf('empty', name))
  await server.settle()
  const events = plan.events[test.kind === 'rebuild' ? 'rebuild' : test.on === 'live' ? 'live' : 'read']
  const url = server.url(database)
  return lanes.get(name)!.measure({ test, url, seconds: plan.seconds, events })
}

export function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)
}
