/** What runs of applications, as replies show it. */
import { z } from 'zod'
import { findRow } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { applicationTable } from '#projections/panel/applications'
import type { ApplicationRow } from '#projections/panel/applications'
import { deploymentTable } from '#projections/panel/deployments'
import type { DeploymentRow } from '#projections/panel/deployments'
import type { Application } from './decider.ts'
import { applicationFields } from './events.ts'

export const shownRunning = {
  deploymentId: z.uuid().nullable().describe('The deployment whose containers run. Null: none runs.'),
  pendingChanges: z
    .boolean()
    .describe('Whether its configuration, files or variables have changed since the containers that run were made.'),
}

export const NOTHING_RUNS = { deploymentId: null, pendingChanges: false } as const

type Made = Pick<DeploymentRow, 'id' | 'kind' | 'fromId' | 'plannedAt' | 'variablesRevision'>
type Running = Pick<ApplicationRow, 'runningId' | 'configuredAt' | 'variablesRevision'>

const madeBy = (read: ReadDatabase, ids: readonly string[]): Promise<Made[]> =>
  deploymentTable
    .queryIn(read)
    .select(['id', 'kind', 'fromId', 'plannedAt', 'variablesRevision'])
    .where('id', 'in', ids)
    .execute()

/** With the deployments that rollbacks have their services from. By id. */
async function deploymentsOf(read: ReadDatabase, ids: readonly string[]): Promise<ReadonlyMap<string, Made>> {
  const all = new Map<string, Made>()
  for (let next = ids; next.length > 0;) {
    const found = await madeBy(read, next)
    for (const each of found) all.set(each.id, each)
    next = found.flatMap(({ kind, fromId }) => (kind === 'ROLLBACK' && fromId !== null ? [fromId] : []))
  }
  return all
}

/** A rollback runs the services as they were planned then. */
function plannedAtOf(deployment: Made, all: ReadonlyMap<string, Made>): number {
  const from = deployment.kind === 'ROLLBACK' && deployment.fromId !== null ? all.get(deployment.fromId) : undefined
  return from ? plannedAtOf(from, all) : (deployment.plannedAt ?? 0)
}

function runningOf({ runningId, ...application }: Running, all: ReadonlyMap<string, Made>) {
  const deployment = runningId === null ? undefined : all.get(runningId)
  if (!deployment) return NOTHING_RUNS
  const isConfigured = application.configuredAt > plannedAtOf(deployment, all)
  const hasVariables = application.variablesRevision !== deployment.variablesRevision
  return { deploymentId: deployment.id, pendingChanges: isConfigured || hasVariables }
}

export async function withRunning<A extends Running>(read: ReadDatabase, rows: readonly A[]) {
  const all = await deploymentsOf(
    read,
    rows.flatMap(({ runningId }) => runningId ?? []),
  )
  return rows.map((each) => ({ ...each, ...runningOf(each, all) }))
}

const configurationOf = (application: Application): string =>
  JSON.stringify(Object.keys(applicationFields).map((field) => application[field as keyof Application]))

/** As a unit of work leaves it. @param before as it was when the unit began */
export async function withRunningAfter<A extends Application>(read: ReadDatabase, before: Application, after: A) {
  const row = await findRow(read, applicationTable, { id: after.id })
  if (!row) return { ...after, ...NOTHING_RUNS }
  const { deploymentId, pendingChanges } = (await withRunning(read, [row]))[0]!
  const isChanged = deploymentId !== null && configurationOf(before) !== configurationOf(after)
  return { ...after, deploymentId, pendingChanges: pendingChanges || isChanged }
}
