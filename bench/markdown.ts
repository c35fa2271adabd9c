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
    ['---', ...CONTESTANTS.map(() => '--:'), '---'],
    ...shown.map((test) => [
      test.does,
      ...CONTESTANTS.map((name) => figure(test, name, outcome)),
      ratio(test, outcome),
    ]),
  ]
  const table = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  const seen = outcome.more.find(({ test }) => test === 'visible')
  const words = [
    ...captionsOf(outcome.machine),
    ...(seen ? [`an append shows in a read model after ${ms(seen.p50Ms)} ms (p50), ${ms(seen.p99Ms)} ms (p99)`] : []),
  ]
  return `${table}\n\n${words.map((each) => `${each[0]!.toUpperCase()}${each.slice(1)}.`).join('\n')}\n`
}

/** The begin and end markers of the table, in a file that has them. */
export const PLACE_OF_TABLE = [
  '<!-- bench: written by npm run bench -- --markdown docs/benchmarks.md -->',
  '<!-- /bench -->',
] as const

/** Writes the table to its place, or as the whole file. */
export function writeMarkdown(file: string, markdown: string, picture?: string): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const shown = picture === undefined ? '' : `![Each contestant's bars](${relative(dirname(file), picture)})\n\n`
  const block = `${shown}${markdown}`
  const [begin, end] = PLACE_OF_TABLE.map((mark) => before.indexOf(mark)) as [number, number]
  if (begin < 0 || end < begin) return writeFileSync(file, block)
  const head = before.slice(0, begin + PLACE_OF_TABLE[0].length)
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
