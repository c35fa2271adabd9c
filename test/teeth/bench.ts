import type { Break } from './breaks.ts'

const bench = 'test/house/bench.test.ts'

/** What the bench tells. */
export const benchBreaks: readonly Break[] = [
  {
    promise: 'the bench compares what one round has measured',
    file: 'bench/results.ts',
    find: 'const beside = others.get(round)',
    replace: 'const beside = others.get(1)',
    test: bench,
    named: 'a ratio is the median',
  },
  {
    promise: 'a goal that was not measured is not met',
    file: 'bench/goals.ts',
    find: 'found === undefined ? aim',
    replace: 'found === undefined ? { ...aim, met: true }',
    test: bench,
    named: 'a goal is met',
  },
  {
    promise: 'a slow answer is no goal met',
    file: 'bench/goals.ts',
    find: 'found <= wanted',
    replace: 'found >= wanted',
    test: bench,
    named: 'of a latency',
  },
  {
    promise: 'the seeded log is in order',
    file: 'bench/seeded.ts',
    find: 'Math.floor((n % WINDOW_EVENTS) / SIDE_BY_SIDE)',
    replace: 'n % STREAM_EVENTS',
    test: bench,
    named: 'the seeded log',
  },
  {
    promise: 'the bench counts what was answered',
    file: 'bench/measure.ts',
    find: '        times.push(performance.now() - asked)',
    replace: '        times.splice(0, 1)',
    test: bench,
    named: 'the bench runs',
  },
  {
    promise: 'a contestant of the bench that dies comes back',
    file: 'bench/rounds.ts',
    find: '          await lanes.get(name)!.restart()',
    replace: '',
    test: bench,
    named: 'a contestant that dies',
  },
  {
    promise: 'the bench lets go of a database before it drops it',
    file: 'bench/contestants/pool.ts',
    find: 'await Promise.all([pool.end(), ...left])',
    replace: 'await Promise.all([pool.end(), ...left.slice(0, 0)])',
    test: bench,
    named: 'a pool of the bench',
  },
  {
    promise: 'the bench leaves the rest of the page alone',
    file: 'bench/markdown.ts',
    find: '${before.slice(end)}`',
    replace: '`',
    test: bench,
    named: 'the table takes its place',
  },
  {
    promise: 'the bench shows what a missed goal waits for',
    file: 'bench/results.ts',
    find: '- both.nodeUs - both.postgresUs',
    replace: '- both.nodeUs',
    test: bench,
    named: 'a missed goal shows',
  },
]
