/** The table as docs/benchmarks.md shows it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { CONTESTANTS } from './contestant.ts'
import type { ContestantName } from './contestant.ts'
import { captionsOf } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { ms, times, whole } from './report.ts'
import type { Test } from './tests.ts'

const BESIDE: readonly ContestantName[] = ['emmett', 'bare', 'pgbench', 'copy']

export function markdownOf(tests: readonly Test[], outcome: Outcome): string {
  const shown = tests.filter(({ contestants }) => contestants.length > 1)
  const rows = [
    [
      'per second',
      ...CONTESTANTS.map((name) => (name === 'daybook' ? `**${name}**` : name)),
      `ratio to ${BESIDE.join(' / ')}`,
    ],
    ...shown.map((test) => [
      test.does,
      ...CONTESTANTS.map((name) => figure(test, name, outcome)),
      ratio(test, outcome),
    ]),
  ]
  const seen = outcome.more.find(({ test }) => test === 'visible')
  const words = [
    ...captionsOf(outcome.machine),
    ...(seen ? [`an append shows in a read model after ${ms(seen.p50Ms)} ms (p50), ${ms(seen.p99Ms)} ms (p99)`] : []),
  ]
  return markdownTable(rows, words)
}

/** A table whose columns of figures stand right, and sentences below it. @param rows the first is the head */
export function markdownTable(rows: readonly (readonly string[])[], captions: readonly string[]): string {
  const alignment = rows[0]?.map((_cell, nth, { length }) => (nth === 0 || nth === length - 1 ? '---' : '--:')) ?? []
  const lines = rows.toSpliced(1, 0, alignment).map((cells) => `| ${cells.join(' | ')} |`)
  const sentences = captions.map((each) => `${each[0]!.toUpperCase()}${each.slice(1)}.`)
  return `${lines.join('\n')}\n\n${sentences.join('\n')}\n`
}

/** The begin and end markers of the table, in a file that has them. */
export const PLACE_OF_TABLE = [
  '<!-- bench: written by npm run bench -- --markdown docs/benchmarks.md -->',
  '<!-- /bench -->',
] as const

/** Writes the table to its place, or as the whole file. */
export function writeMarkdown(
  file: string,
  markdown: string,
  { picture, place = PLACE_OF_TABLE }: { picture?: string | undefined; place?: readonly [string, string] } = {},
): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const shown = picture === undefined ? '' : `![Each contestant's bars](${relative(dirname(file), picture)})\n\n`
  const block = `${shown}${markdown}`
  const [begin, end] = place.map((mark) => before.indexOf(mark)) as [number, number]
  if (begin < 0 || end < begin) return writeFileSync(file, block)
  const head = before.slice(0, begin + place[0].length)
  writeFileSync(file, `${head}\n\n${block}\n${before.slice(end)}`)
}

function figure(test: Test, name: ContestantName, { results }: Outcome): string {
  const found = results.find((each) => each.test === test.name && each.contestant === name)
  if (!found) return '–'
  return name === 'daybook' ? `**${whole(found.opsPerSecond)}**` : whole(found.opsPerSecond)
}

function ratio(test: Test, { ratios }: Outcome): string {
  const found = (name: ContestantName) => ratios.find((each) => each.test === test.name && each.beside === name)?.ratio
  return BESIDE.map((name) => found(name))
    .map((each) => (each === undefined ? '–' : times(each)))
    .join(' / ')
}
