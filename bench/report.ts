/** The table, the ratios and the goals, as text for a terminal. */
import { CONTESTANTS } from './contestant.ts'
import type { ContestantName } from './contestant.ts'
import type { Goal } from './goals.ts'
import type { Outcome } from './outcome.ts'
import type { Result, Spent } from './results.ts'
import type { Test } from './tests.ts'

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
export const times = (ratio: number): string => ratio.toFixed(ratio < 10 ? 2 : 1)
export const us = (value: number): string => (value < 99.95 ? value.toFixed(1) : whole(value))
export const ms = (value: number): string => value.toFixed(value < 100 ? 2 : 0)

export function table(rows: readonly (readonly string[])[]): string {
  if (rows.length === 1) return '  not measured'
  const widths = rows[0]!.map((_cell, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))))
    .map((row) => `  ${row.join('  ')}`.trimEnd())
    .join('\n')
}

const byName = (tests: readonly Test[], cell: (test: Test, contestant: ContestantName) => string): string => {
  const present = CONTESTANTS.filter((name) => tests.some(({ contestants }) => contestants.includes(name)))
  return table([['', ...present], ...tests.map((test) => [test.name, ...present.map((name) => cell(test, name))])])
}

const at = <Each extends { test: string }>(all: readonly Each[], test: Test, is: (each: Each) => boolean) =>
  all.find((each) => each.test === test.name && is(each))

export function told(tests: readonly Test[], { results, more, ratios, spent, goals }: Outcome): string {
  const figure = (show: (result: Result) => string) => (test: Test, name: ContestantName) => {
    const result = at([...results, ...more], test, ({ contestant }) => contestant === name)
    return result ? show(result) : '–'
  }
  const ratio = (test: Test, name: ContestantName) => {
    const found = at(ratios, test, ({ beside }) => beside === name)
    return found ? times(found.ratio) : '–'
  }
  const spending = (test: Test, name: ContestantName) => {
    const found = at(spent, test, ({ contestant }) => contestant === name)
    return found ? parts(found) : '–'
  }
  return [
    'per second (medians)',
    byName(
      tests,
      figure(({ opsPerSecond }) => whole(opsPerSecond)),
    ),
    'p50 / p99 in ms (of a whole run in catchup, projection and rebuild)',
    byName(
      tests,
      figure(({ p50Ms, p99Ms }) => `${ms(p50Ms)} / ${ms(p99Ms)}`),
    ),
    'daybook beside the others (median of each round’s ratio)',
    byName(tests, ratio),
    'where the time of one operation goes, in µs: processor time of the client + of the server + waiting (the rest of the wall clock)',
    byName(
      tests.filter(({ name }) => spent.some(({ test }) => test === name)),
      spending,
    ),
    'goals',
    table([['', 'wanted', 'found', ''], ...goals.map(goalRow)]),
    ...missed(goals, spent),
  ].join('\n\n')
}

const parts = ({ nodeUs, postgresUs, waitingUs }: Spent): string => [nodeUs, postgresUs, waitingUs].map(us).join(' + ')

/** Where the time of the missed goals goes. */
function missed(goals: readonly Goal[], spent: readonly Spent[]): string[] {
  const rows = goals
    .filter(({ met }) => met === false)
    .map(({ goal, between }) => [
      `  ${goal}`,
      ...between.flatMap(({ test, contestant }) => {
        const found = spent.find((each) => each.test === test && each.contestant === contestant)
        return found ? [`${contestant} ${test} ${parts(found)}`] : []
      }),
    ])
    .filter((row) => row.length > 1)
  return rows.length === 0
    ? []
    : ['where the time of the missed goals goes', rows.map((row) => row.join('   ')).join('\n')]
}

export function goalRow({ goal, wanted, found, met }: Goal): string[] {
  return [
    goal,
    String(wanted),
    found === undefined ? '–' : times(found),
    found === undefined ? 'not measured' : met ? 'met' : 'MISSED',
  ]
}
