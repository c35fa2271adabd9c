/** The table as the README shows it. */
import { CONTESTANTS } from './contestant.ts'
import type { ContestantName } from './contestant.ts'
import { captionOf } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { times, whole } from './report.ts'
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
  return `${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n${captionOf(outcome.machine)}\n`
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
