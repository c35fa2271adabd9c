/** What `daybook start`, both services in one process, costs without requests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { BIN } from '../../scripts/figures/bench.ts'
import { child, freePort } from '../../scripts/figures/child.ts'
import { scratchBase } from '../../test/support/scratch-base.ts'
import type { Goal } from '../goals.ts'
import { processorTimeOf, read, threadsOf, treeOf } from '../processor.ts'
import { connected } from '../seeded.ts'
import type { Server } from '../server.ts'
import { atMost } from './memory.ts'

/** Until the work of a start has ended. */
const REST_MS = 15_000
const PERCENT_OF_NODE = 1
const PERCENT_OF_POSTGRES = 0.5

export interface Idle {
  /** Of one core. */
  readonly nodePercent: number
  readonly postgresPercent: number
  /** Of all threads, a second: how often one that waited went on. */
  readonly nodeWakeUps: number
  readonly postgresWakeUps: number
  /** A second, of all databases. A statement of its own is a transaction. */
  readonly transactions: number
}

/** @throws where /proc is missing */
export async function measureIdle(server: Server, seconds: number): Promise<Idle> {
  const dataDir = mkdtempSync(join(scratchBase, 'daybook-idle-'))
  const databases = { DATABASE_URL: 'idle_licensing', PANEL_DATABASE_URL: 'idle_panel' }
  const urls: Record<string, string> = {}
  for (const [name, database] of Object.entries(databases)) {
    await server.create(database)
    urls[name] = server.url(database)
  }
  const [port, panel] = [await freePort(), await freePort()]
  const env = { ...urls, DAYBOOK_DATA_DIR: dataDir, LICENSING_PORT: String(port), PANEL_PORT: String(panel) }
  const { pid, stop } = await child([BIN, 'start'], env, 'Press Ctrl-C to stop.')
  try {
    await pause(REST_MS)
    const before = await counted(server, pid)
    await pause(seconds * 1_000)
    return between(before, await counted(server, pid))
  } finally {
    await stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export interface Counts {
  readonly atMs: number
  readonly nodeUs: number
  readonly postgresUs: number
  readonly nodeWakeUps: number
  readonly postgresWakeUps: number
  readonly transactions: number
}

async function counted(server: Server, pid: number): Promise<Counts> {
  const transactions = await connected(server.url('postgres'), async (client) => {
    const { rows } = await client.query('SELECT sum(xact_commit + xact_rollback)::float8 AS all FROM pg_stat_database')
    return rows[0].all as number
  })
  const spent = processorTimeOf([pid], server.pid)
  if (!spent) throw new Error('Only Linux shows the processor time of other processes')
  const wakeUps = { nodeWakeUps: wakeUpsOf(pid), postgresWakeUps: wakeUpsOf(server.pid) }
  return { atMs: performance.now(), ...spent, ...wakeUps, transactions }
}

const SWITCHES = /^voluntary_ctxt_switches:\s+(\d+)$/m
const wakeUpsOf = (pid: number): number =>
  treeOf(pid)
    .flatMap(threadsOf)
    .reduce((sum, thread) => sum + Number(SWITCHES.exec(read(`/proc/${thread}/status`) ?? '')?.[1] ?? 0), 0)

export function between(before: Counts, after: Counts): Idle {
  const seconds = (after.atMs - before.atMs) / 1_000
  const each = (name: keyof Counts): number => Math.max(0, after[name] - before[name]) / seconds
  const percent = (name: 'nodeUs' | 'postgresUs'): number => each(name) / 10_000
  return {
    nodePercent: percent('nodeUs'),
    postgresPercent: percent('postgresUs'),
    nodeWakeUps: each('nodeWakeUps'),
    postgresWakeUps: each('postgresWakeUps'),
    transactions: each('transactions'),
  }
}

export const idleRows = (idle: Idle): string[][] => [
  ['idle', '% of a core', 'wake-ups /s', 'transactions /s'],
  ['both services', idle.nodePercent.toFixed(2), idle.nodeWakeUps.toFixed(0), '–'],
  ['Postgres', idle.postgresPercent.toFixed(2), idle.postgresWakeUps.toFixed(0), idle.transactions.toFixed(1)],
]

export const idleGoals = ({ nodePercent, postgresPercent }: Idle): Goal[] => [
  atMost(`both services idle ≤ ${PERCENT_OF_NODE} % of a core`, PERCENT_OF_NODE, nodePercent),
  atMost(`Postgres idle ≤ ${PERCENT_OF_POSTGRES} % of a core`, PERCENT_OF_POSTGRES, postgresPercent),
]
