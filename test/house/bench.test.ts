/** The bench reports what it measured, and runs with the contestants that need no packages of their own. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { ContestantName } from '../../bench/contestant.ts'
import { closePool, openPool } from '../../bench/contestants/pool.ts'
import { goals } from '../../bench/goals.ts'
import type { Lane } from '../../bench/lane.ts'
import { PLACE_OF_TABLE, markdownOf, writeMarkdown } from '../../bench/markdown.ts'
import { optionsFrom } from '../../bench/options.ts'
import { outcomeOf } from '../../bench/outcome.ts'
import { picture } from '../../bench/picture.ts'
import { told } from '../../bench/report.ts'
import { pairedRatio, ratios, results } from '../../bench/results.ts'
import type { Sample } from '../../bench/results.ts'
import { measureRounds } from '../../bench/rounds.ts'
import { PLACE, place, streamNumber } from '../../bench/seeded.ts'
import { MORE, TESTS } from '../../bench/tests.ts'
import { testDatabase } from '../support/database.ts'
import { scratchPath } from '../support/scratch.ts'

const ROOT = join(import.meta.dirname, '../..')

const sample = (test: string, contestant: ContestantName, round: number, opsPerSecond: number, p50Ms = 1): Sample => ({
  test,
  contestant,
  round,
  opsPerSecond,
  p50Ms,
  p99Ms: 2 * p50Ms,
})

/** A machine that slows down: 400, 200, 100 beside 100, 40, 10. */
const SLOWING = [
  ...[400, 200, 100].map((rate, nth) => sample('append1x32', 'daybook', nth + 1, rate)),
  ...[100, 40, 10].map((rate, nth) => sample('append1x32', 'emmett', nth + 1, rate)),
]

const MACHINE = {
  at: '',
  node: 'v24',
  postgres: '18',
  cores: 2,
  load: [0, 1],
  rounds: 3,
  seconds: 1,
  events: { read: 200_000, rebuild: 1_000_000, live: 40_000 },
  rebuilds: 1,
}

test('the issue’s tests and contestants have their names', () => {
  expect(TESTS.map(({ name }) => name)).toEqual([
    'append1x1',
    'append1x8',
    'append1x32',
    'append1x256',
    'append3x32',
    'load20x8',
    'catchup',
    'projection',
    'rebuild',
  ])
  for (const { contestants } of [...TESTS, ...MORE]) expect(contestants[0]).toBe('daybook')
  expect(new Set(TESTS.flatMap(({ contestants }) => contestants))).toEqual(
    new Set(['daybook', 'emmett', 'message-db', 'castore', 'bare', 'pgbench', 'copy']),
  )
})

test('figures are medians, each by itself', () => {
  expect(results(SLOWING)).toEqual([
    { test: 'append1x32', contestant: 'daybook', opsPerSecond: 200, p50Ms: 1, p99Ms: 2 },
    { test: 'append1x32', contestant: 'emmett', opsPerSecond: 40, p50Ms: 1, p99Ms: 2 },
  ])
})

test('a ratio is the median of each round’s own, not the ratio of medians that come from different rounds', () => {
  const [ours, theirs] = [
    { test: 'a', contestant: 'daybook' as const },
    { test: 'a', contestant: 'bare' as const },
  ]
  const mixed = [
    ...[100, 900, 200].map((rate, nth) => sample('a', 'daybook', nth + 1, rate)),
    ...[10, 300, 100].map((rate, nth) => sample('a', 'bare', nth + 1, rate)),
  ]
  expect(pairedRatio(mixed, ours, theirs)).toBe(3)
  expect(pairedRatio(mixed.slice(0, 4), ours, theirs)).toBe(10)
  expect(pairedRatio(mixed.slice(0, 3), ours, theirs)).toBeUndefined()
  expect(ratios(SLOWING)).toEqual([{ test: 'append1x32', contestant: 'daybook', beside: 'emmett', ratio: 5 }])
})

test('a goal is met, missed, or not measured', () => {
  const all = goals([...SLOWING, sample('append1x1', 'daybook', 1, 90), sample('append1x1', 'bare', 1, 100)])
  const goal = (text: string) => all.find(({ goal: name }) => name.startsWith(text))
  expect(goal('32 writers ≥ 8 × emmett')).toMatchObject({ wanted: 8, found: 5, met: false })
  expect(goal('1 writer')).toMatchObject({ found: 0.9, met: true })
  const unmeasured = goal('32 writers ≥ 3 × bare')!
  expect([unmeasured.wanted, 'found' in unmeasured, 'met' in unmeasured]).toEqual([3, false, false])
})

test('a missed goal shows where the time goes: client, server, and what is left of the wall clock', () => {
  const spent = { nodeUs: 30, postgresUs: 40.26 }
  const busy = [...SLOWING, sample('append1x1', 'daybook', 1, 90), sample('append1x1', 'bare', 1, 100)].map((each) => ({
    ...each,
    spent,
  }))
  const text = told(TESTS, outcomeOf(busy, MACHINE))
  expect(text).toMatch(
    /32 writers ≥ 8 × emmett +daybook append1x32 30.0 \+ 40.3 \+ 4,930 +emmett append1x32 30.0 \+ 40.3 \+ 24,930$/,
  )
  expect(text.split('goals\n')[1]).not.toContain('append1x1 ')
  const [fast] = outcomeOf([{ ...sample('append1x32', 'daybook', 1, 20_000), spent }], MACHINE).spent
  expect(fast).toMatchObject({ ...spent, waitingUs: 0 })
})

test('of a latency less is better', () => {
  const [p50, p99] = goals([sample('visible', 'daybook', 1, 40, 20)]).slice(-2)
  expect([p50?.met, p99?.met]).toEqual([false, false])
  expect(goals([sample('visible', 'daybook', 1, 40, 4)]).at(-2)).toMatchObject({ found: 4, met: true })
})

test('the seeded log has 20 events in each stream, in order, and SQL counts them alike', () => {
  const seen = new Map<number, number>()
  for (let n = 0; n < 40_000; n += 1) {
    expect(place(n)).toBe(seen.get(streamNumber(n)) ?? 0)
    seen.set(streamNumber(n), place(n) + 1)
  }
  expect([seen.size, new Set(seen.values())]).toEqual([2_000, new Set([20])])
  expect(PLACE).toBe('(g % 20000 / 1000)')
})

test('the picture is well formed and shows every figure', () => {
  const drawn = picture(TESTS, results(SLOWING), ['a <small> machine & its load'])
  expect(drawn).toContain('a &lt;small&gt; machine &amp; its load')
  expect(drawn).toContain('>200</text>')
  const open: string[] = []
  for (const [, end, name, alone] of drawn.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g))
    if (end) expect(open.pop()).toBe(name)
    else if (!alone) open.push(name!)
  expect(open).toEqual([])
  expect(drawn).not.toMatch(/NaN|Infinity|undefined/)
})

test('the table of the documentation has a row for each test, ours in bold, and ratios', () => {
  const table = markdownOf(TESTS, outcomeOf(SLOWING, MACHINE))
  expect(table).toContain('| append 1 event, 32 writers | **200** | 40 | – | – | – | – | – | 5.00 / – / – / – |')
  const columns = table
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split(' | ').length)
  expect(columns).toEqual(Array.from({ length: TESTS.length + 2 }, () => 9))
  expect(table).toContain('1,000,000 to rebuild from (in 1 of 3 rounds)')
})

test('the table takes its place in a page, leaves the rest, and replaces the one before', () => {
  const file = scratchPath()
  const [begin, end] = [`# Ours\n\n${PLACE_OF_TABLE[0]}\n`, `${PLACE_OF_TABLE[1]}\n\nMore.\n`]
  writeFileSync(file, begin + end)
  for (const table of ['OLD\n', 'NEW\n'])
    writeMarkdown(file, table, { picture: join(dirname(file), 'bench/result.svg') })
  const written = `\n![Each contestant's bars](bench/result.svg)\n\nNEW\n\n`
  expect(readFileSync(file, 'utf8')).toBe(begin + written + end)
  writeMarkdown(`${file}.md`, 'ALONE\n')
  expect(readFileSync(`${file}.md`, 'utf8')).toBe('ALONE\n')
})

test('the page on benchmarks has a place for the table', () => {
  const [begin, end] = PLACE_OF_TABLE.map((mark) =>
    readFileSync(join(ROOT, 'docs/benchmarks.md'), 'utf8').indexOf(mark),
  )
  expect(begin).toBeGreaterThan(0)
  expect(end).toBeGreaterThan(begin!)
})

test('a misspelt word stops the bench, and a part of it leaves the picture in the documentation alone', () => {
  expect(() => optionsFrom(['--only', 'append1x1,apend1x8'])).toThrow('apend1x8: unknown. Choose from append1x1')
  expect(() => optionsFrom(['--rounds', 'many'])).toThrow(RangeError)
  expect(optionsFrom([]).picture).toMatch(/bench\/result\.svg$/)
  expect(optionsFrom(['--quick']).picture).toBeUndefined()
  expect(optionsFrom(['--events', '999000']).plan.events).toMatchObject({ read: 1_000_000, rebuild: 1_000_000 })
  expect(optionsFrom(['--only', 'catchup', '--contestants', 'copy,bare']).plan.tests).toMatchObject([
    { name: 'catchup', contestants: ['bare', 'copy'] },
  ])
})

/** A contestant that measures at once, or as the test tells it to. */
function lane(measure: () => void = () => {}): Lane & { restarts: number } {
  return {
    restarts: 0,
    setup: async () => {},
    seed: async () => {},
    async measure() {
      measure()
      return { opsPerSecond: 1, p50Ms: 1, p99Ms: 1 }
    },
    async restart() {
      this.restarts += 1
    },
    stop: async () => {},
  }
}

test('a contestant that dies is told of, leaves a gap, and takes part again in a new process', async () => {
  let asked = 0
  const dying = lane(() => {
    asked += 1
    if (asked === 2) throw new Error('the process of emmett ended with 1')
  })
  const [ours, told] = [lane(), [] as string[]]
  const nobody = { url: () => '', create: async () => {}, settle: async () => {}, stop: async () => {} }
  const samples = await measureRounds(
    { version: '18', pid: 0, ...nobody },
    new Map([
      ['daybook', ours],
      ['emmett', dying],
    ]),
    optionsFrom('--rounds 3 --only append1x1 --contestants daybook,emmett'.split(' ')).plan,
    { round: () => {}, failure: (words) => told.push(words) },
  )
  const rounds = (name: ContestantName) =>
    samples.filter(({ contestant }) => contestant === name).map(({ round }) => round)
  expect([rounds('daybook'), rounds('emmett')]).toEqual([
    [1, 2, 3],
    [1, 3],
  ])
  expect(told).toEqual(['emmett failed append1x1 in round 2: Error: the process of emmett ended with 1'])
  expect([ours.restarts, dying.restarts]).toEqual([0, 1])
})

test('a pool of the bench is closed when its connections are, so that nobody has to be driven out of a database', async () => {
  const database = await testDatabase()
  try {
    const pool = await openPool(database.url, 16)
    const open = new Set<unknown>()
    for (const client of await Promise.all(Array.from({ length: 16 }, () => pool.connect()))) {
      open.add(client)
      client.once('end', () => open.delete(client))
      client.release()
    }
    await closePool(pool)
    expect(open.size).toBe(0)
  } finally {
    await database.drop()
  }
})

test('the bench runs and writes what it has measured', async () => {
  const file = scratchPath()
  const args = '--quick --rounds 1 --seconds 0.1 --only append1x8,append3x32,claim1x32 --contestants daybook,bare'
  const bench = [join(ROOT, 'bench/bench.ts'), ...args.split(' '), '--json', file]
  const { stdout } = await promisify(execFile)(process.execPath, bench, { cwd: ROOT })
  expect(stdout).toMatch(/append1x8 +[\d,]+ +[\d,]+\n/)
  const written = JSON.parse(readFileSync(file, 'utf8'))
  const measured = ['append1x8', 'append3x32'].flatMap((name) =>
    ['daybook', 'bare'].map((contestant) => ({ test: name, contestant })),
  )
  expect(written.results).toMatchObject(measured)
  expect(written.more).toMatchObject([{ test: 'claim1x32', contestant: 'daybook' }])
  for (const { opsPerSecond, p50Ms, p99Ms } of [...written.results, ...written.more]) {
    expect(opsPerSecond).toBeGreaterThan(0)
    expect(p50Ms).toBeGreaterThan(0)
    expect(p99Ms).toBeGreaterThanOrEqual(p50Ms)
  }
  if (process.platform === 'linux')
    for (const { nodeUs, postgresUs } of written.spent) {
      expect(nodeUs).toBeGreaterThan(0)
      expect(postgresUs).toBeGreaterThanOrEqual(0)
    }
  expect(Object.keys(written.results[0])).toEqual(['test', 'contestant', 'opsPerSecond', 'p50Ms', 'p99Ms'])
  expect(written.ratios).toMatchObject([{ beside: 'bare' }, { beside: 'bare' }])
}, 120_000)
