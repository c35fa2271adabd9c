/** `npm run figures [-- --json FILE --rounds 3 --seconds 10]`: sizes, start-up time, requests per second. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { rates } from './figures/bench.ts'
import type { Rate, Rates } from './figures/bench.ts'
import { cost, sectionLines, sizes } from './figures/sizes.ts'
import type { Cost, Sizes } from './figures/sizes.ts'
import { startUp } from './figures/start-up.ts'
import type { StartUp } from './figures/start-up.ts'

const STARTS = 3

function tell(title: string, rows: readonly (readonly [string, string])[]): void {
  const width = Math.max(...rows.map(([name]) => name.length))
  console.log(`\n${title}`)
  for (const [name, text] of rows) console.log(`  ${name.padEnd(width)}  ${text}`)
}

function tellSizes({ files, functions, commentPercent }: Sizes): void {
  const row = ({ number, lines, median, p95 }: Sizes['files']) =>
    `${String(number).padStart(5)}   ${String(lines).padStart(6)} lines   median ${median}   95 % ≤ ${p95}`
  tell('src and projections', [
    ['files', row(files)],
    ['functions', row(functions)],
    ['comments', `${commentPercent.toFixed(1)} % of the lines`],
  ])
}

function tellCosts(costs: Readonly<Record<string, Cost>>): void {
  const row = ({ section, projection, test }: Cost) =>
    `${section} section + ${projection} projection = ${section + projection}, and ${test} of tests`
  tell(
    'one section, in lines',
    Object.entries(costs).map(([name, each]) => [name, row(each)]),
  )
}

function tellSections(service: 'licensing' | 'panel', lines: Readonly<Record<string, number>>): void {
  const all = Object.values(lines).reduce((sum, each) => sum + each, 0)
  tell(
    `sections of the ${service}, ${all} lines`,
    Object.entries(lines).map(([name, each]) => [name, String(each)]),
  )
}

function tellMemory(memory: Rates['memory']): void {
  tell(
    'memory, resident',
    Object.entries(memory).map(([name, { atRest, afterwards }]) => [
      name,
      `${atRest.toFixed(0)} MiB at rest, ${afterwards.toFixed(0)} MiB after the requests`,
    ]),
  )
}

function tellRates({ koa, tokenRead, keyRead, provisioning, inserts, rowsPerProvisioning, ...how }: Rates): void {
  const row = ({ perSecond, rounds, p50, p99 }: Rate, beside?: Rate) =>
    `${perSecond.toFixed(0).padStart(6)} /s   rounds ${rounds.map((each) => each.toFixed(0)).join(' ')}` +
    (p50 === undefined ? '' : `   p50 ${p50} ms, p99 ${p99} ms`) +
    (beside ? `   ${((perSecond / beside.perSecond) * 100).toFixed(1)} %` : '')
  tell(`per second, ${how.connections} connections, ${how.seconds} s a round, ${availableParallelism()} cores`, [
    ['bare Koa route', row(koa)],
    ['read with a machine token', `${row(tokenRead, koa)} of the bare route`],
    ['read with an API key', `${row(keyRead, koa)} of the bare route`],
    [`bare INSERTs (${rowsPerProvisioning} rows)`, row(inserts)],
    ['provisioning', `${row(provisioning, inserts)} of the bare INSERTs`],
  ])
}

const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
  },
})
const directory = mkdtempSync(join(tmpdir(), 'daybook-figures-'))
// If root starts it, Postgres runs as another user, who has to enter the directory.
chmodSync(directory, 0o711)
try {
  const size = sizes()
  tellSizes(size)
  const costs = {
    'machine-tokens': cost('licensing', 'machine-tokens'),
    plans: cost('licensing', 'plans'),
    teams: cost('panel', 'teams'),
    notifications: cost('panel', 'notifications'),
  }
  tellCosts(costs)
  const sections = { licensing: sectionLines('licensing'), panel: sectionLines('panel') }
  for (const service of ['licensing', 'panel'] as const) tellSections(service, sections[service])
  const starts: StartUp = await startUp(directory, STARTS)
  tell(`daybook start, median of ${STARTS}`, [
    ['first', `${starts.first.toFixed(1)} s`],
    ['second', `${starts.second.toFixed(1)} s`],
  ])
  const perSecond = await rates(directory, Number(values.rounds), Number(values.seconds))
  tellRates(perSecond)
  tellMemory(perSecond.memory)
  if (values.json !== undefined)
    writeFileSync(
      values.json,
      `${JSON.stringify({ sizes: size, costs, sections, startUp: starts, rates: perSecond }, null, 2)}\n`,
    )
} finally {
  rmSync(directory, { recursive: true, force: true })
}
