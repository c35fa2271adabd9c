/** `npm run bench -- --services`, `--memory`, `--idle`, `--start`, `--agents`, `--deployments`: the services, and the goals that are set for them. */
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { load, warnIfBusy } from '../busy.ts'
import type { Goal } from '../goals.ts'
import { startLane } from '../lane.ts'
import { markdownTable, writeMarkdown } from '../markdown.ts'
import { goalRow, table, us } from '../report.ts'
import { startServer } from '../server.ts'
import type { Server } from '../server.ts'
import { agentGoals, agentRows, measureAgents } from './agents/agents.ts'
import { deploymentGoals, deploymentRows, measureDeployments } from './deployments/deployments.ts'
import { pathGoals } from './goals.ts'
import { idleGoals, idleRows, measureIdle } from './idle.ts'
import { measureMemory, memoryGoals, memoryRows } from './memory.ts'
import type { ServicesOptions } from './options.ts'
import type { PathSample } from './paths.ts'
import { WARM_UP_ROUNDS, measurePaths, measureVisible } from './rounds.ts'
import { measureStarts, startGoals, startRows } from './starts.ts'
import { cryptographyUs, pathRows } from './table.ts'
import { openTargets } from './targets.ts'

/** The begin and end markers of the table in docs/benchmarks.md. */
export const PLACE_OF_PATHS = [
  '<!-- bench services: written by npm run bench -- --services --markdown docs/benchmarks.md -->',
  '<!-- /bench services -->',
] as const

interface Found {
  /** With a head; empty for a measurement that has no table. */
  readonly rows: readonly (readonly string[])[]
  readonly goals: readonly Goal[]
  readonly captions?: readonly string[]
  readonly figures: unknown
}

async function paths(server: Server, options: ServicesOptions, loadBefore: number): Promise<Found> {
  const { paths, rounds, seconds } = options
  const targets = await openTargets(server, { paths, seconds, measurements: rounds + WARM_UP_ROUNDS })
  const samples: PathSample[] = []
  try {
    // Two processes last: the second one would take part in what is measured of one.
    for (const group of Object.values(Object.groupBy(paths, ({ processes = 1 }) => processes)))
      samples.push(...(await measurePaths(server, targets, { ...options, paths: group! }, console.log)))
  } finally {
    await targets.stop()
  }
  const visible = options.isWhole ? await visibleOf(server, options) : []
  const captions = [
    `${availableParallelism()} cores, Node ${process.version.slice(1)}, Postgres ${server.version}, fsync on; medians of ${rounds} rounds of ${seconds} s; load ${loadBefore} → ${load()}`,
    ...cryptographyCaption(samples),
  ]
  const all = [...samples, ...visible]
  return { rows: pathRows(samples), goals: pathGoals(all), captions, figures: { samples: all } }
}

function cryptographyCaption(samples: readonly PathSample[]): string[] {
  const found = cryptographyUs(samples)
  return found === undefined ? [] : [`the cryptography of a heartbeat alone takes ${us(found)} µs`]
}

async function visibleOf(server: Server, options: ServicesOptions): Promise<PathSample[]> {
  const lane = await startLane('daybook', server.pid)
  return measureVisible(server, lane, options).finally(() => lane.stop())
}

async function measured(server: Server, options: ServicesOptions, loadBefore: number): Promise<Record<string, Found>> {
  const { measurements, seconds, idleSeconds } = options
  const found: Record<string, Found> = {}
  if (measurements.includes('services')) found['services'] = await paths(server, options, loadBefore)
  if (measurements.includes('memory')) {
    const figures = await measureMemory(server, seconds)
    found['memory'] = { figures, rows: memoryRows(figures), goals: memoryGoals(figures) }
  }
  if (measurements.includes('idle')) {
    const figures = await measureIdle(server, idleSeconds)
    found['idle'] = { figures, rows: idleRows(figures), goals: idleGoals(figures) }
  }
  if (measurements.includes('start')) {
    const figures = await measureStarts()
    found['start'] = { figures, rows: startRows(figures), goals: startGoals(figures) }
  }
  if (measurements.includes('agents')) {
    const figures = await measureAgents(server, options.agents, idleSeconds)
    found['agents'] = { figures, rows: agentRows(figures), goals: agentGoals(figures) }
  }
  if (measurements.includes('deployments')) {
    const figures = await measureDeployments(idleSeconds, options.applications)
    found['deployments'] = { figures, rows: deploymentRows(figures), goals: deploymentGoals(figures) }
  }
  return found
}

export async function benchServices(options: ServicesOptions): Promise<void> {
  const { json, markdown } = options
  const loadBefore = load()
  warnIfBusy(loadBefore)
  const server = await startServer()
  const found = await measured(server, options, loadBefore).finally(() => server.stop())
  const goals = Object.values(found).flatMap((each) => each.goals)
  for (const { rows, captions = [] } of Object.values(found)) console.log(['', ...captions, table(rows)].join('\n'))
  console.log(`\ngoals\n\n${table([['', 'wanted', 'found', ''], ...goals.map(goalRow)])}`)
  if (json !== undefined) {
    const figures = Object.entries(found).map(([name, each]) => [name, each.figures])
    writeFileSync(json, `${JSON.stringify({ ...Object.fromEntries(figures), goals }, null, 2)}\n`)
  }
  const { rows, captions = [] } = found['services'] ?? { rows: [] }
  if (markdown !== undefined) writeMarkdown(markdown, markdownTable(rows, captions), { place: PLACE_OF_PATHS })
}
