/** The log of a deployment: what its tasks have said, one after the other. */
import type { Pool } from 'pg'
import { findRow } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { taskTable } from '#projections/panel/agent'
import { previewTable } from '#projections/panel/applications/previews'
import type { DeploymentRow } from '#projections/panel/deployments'
import { releaseRetire } from '../../tasks/releases.ts'
import { LINES_MAX, readLog } from '../agent/task-log.ts'
import type { ReadLog } from '../agent/task-log.ts'
import { DEPLOYMENT } from './tasks.ts'

/** Each task has numbers of its own. Theirs in the whole log begin at multiples of this. */
const TASK_LINES = 2 ** 32

interface Reading {
  readonly read: ReadDatabase
  readonly telemetry: Pool
}

/** In their order. What containers have said before they were removed is no part of the log. */
export const loggedTasksOf = async ({ read }: Pick<Reading, 'read'>, deploymentId: string): Promise<string[]> =>
  (await tasksOf(read, deploymentId).where('kind', '!=', releaseRetire.name).execute()).map(({ id }) => id)

const tasksOf = (read: ReadDatabase, deploymentId: string) =>
  taskTable
    .queryIn(read)
    .select('id')
    .where('causeType', '=', DEPLOYMENT)
    .where('causeId', '=', deploymentId)
    .orderBy('queuedAt')
    .orderBy('id')

/**
 * The tasks that have kept what its containers have said; of a deployment that has not succeeded, its whole log before them.
 * Undefined: no containers of it were removed yet.
 */
export async function keptTasksOf(
  { read }: Pick<Reading, 'read'>,
  { id, status, previewId }: Pick<DeploymentRow, 'id' | 'status' | 'previewId'>,
): Promise<string[] | undefined> {
  const own = tasksOf(read, id).where('kind', '=', releaseRetire.name).where('state', '=', 'SUCCEEDED')
  const retired = (await own.execute()).at(-1)?.id
  if (retired === undefined) return (await isOfClosed({ read }, previewId)) ? loggedTasksOf({ read }, id) : undefined
  return status === 'SUCCEEDED' ? [retired] : [...(await loggedTasksOf({ read }, id)), retired]
}

/** The containers of a closed preview were removed with all that was theirs. */
const isOfClosed = async ({ read }: Pick<Reading, 'read'>, previewId: string | null): Promise<boolean> =>
  previewId !== null && !(await findRow(read, previewTable, { id: previewId }))

export interface DeploymentLog extends Pick<ReadLog, 'lines' | 'cut'> {
  /** The number of the last line. */
  readonly next: number
}

/** @param after the number of the last line that the reader has; 0 for none */
export async function deploymentLog(call: Reading, deploymentId: string, after: number): Promise<DeploymentLog> {
  const tasks = await loggedTasksOf(call, deploymentId)
  const lines: ReadLog['lines'] = []
  let cut = 0
  const first = Math.floor(after / TASK_LINES)
  for (const [nth, id] of tasks.entries()) {
    if (nth < first || lines.length >= LINES_MAX) continue
    const base = nth * TASK_LINES
    const log = await readLog(call.telemetry, id, nth === first ? after - base : 0)
    lines.push(...log.lines.map((line) => ({ ...line, seq: base + line.seq })))
    cut += log.cut
  }
  const shown = lines.slice(0, LINES_MAX)
  return { lines: shown, cut, next: shown.at(-1)?.seq ?? after }
}
