/** What the tasks of one deployment have said: the log of its build, and the last lines of containers that are gone. */
import type { HandlerContext } from '#kernel/http/route'
import { taskTable } from '#projections/panel/agent'
import type { TaskRow } from '#projections/panel/agent'
import { gitFetch, imageBuild, imagePull } from '../../../tasks/builds.ts'
import { releaseRetire, releaseStart } from '../../../tasks/releases.ts'
import { lastLines } from '../../agent/task-log.ts'
import type { TaskLine } from '../../agent/task-log.ts'

/** The cause of its tasks. */
const DEPLOYMENT = 'deployment'
const BUILDING: readonly string[] = [gitFetch, imageBuild, imagePull, releaseStart].map(({ name }) => name)

export type DeploymentTask = Pick<TaskRow, 'id' | 'kind' | 'state' | 'endedAt'>

interface OfApplication {
  readonly applicationId: string
  readonly deploymentId: string
}

type ReadCall = Pick<HandlerContext, 'read' | 'telemetry'>

async function tasksOf(
  { read }: Pick<ReadCall, 'read'>,
  { applicationId, deploymentId }: OfApplication,
  kinds: readonly string[],
): Promise<DeploymentTask[]> {
  const rows = await taskTable
    .queryIn(read)
    .select(['id', 'kind', 'state', 'endedAt', 'payload'])
    .where('causeType', '=', DEPLOYMENT)
    .where('causeId', '=', deploymentId)
    .where('kind', 'in', kinds)
    .orderBy('queuedAt')
    .execute()
  // The caller has rights in the application, and the deployment may be of another one.
  return rows.filter(({ payload }) => JSON.parse(payload).workload?.id === applicationId)
}

/** In the order of their requests. */
export const buildTasksOf = (call: Pick<ReadCall, 'read'>, of: OfApplication): Promise<DeploymentTask[]> =>
  tasksOf(call, of, BUILDING)

/** Undefined: its containers were not removed, or it never had any. */
export const retiredTaskOf = async (
  call: Pick<ReadCall, 'read'>,
  of: OfApplication,
): Promise<DeploymentTask | undefined> =>
  (await tasksOf(call, of, [releaseRetire.name])).findLast(({ state }) => state === 'SUCCEEDED')

/** Whether more of its build is to come: no step has failed, and its containers have not started. */
export const isBuilding = (tasks: readonly DeploymentTask[]): boolean =>
  tasks.length > 0 &&
  tasks.every(({ endedAt, state }) => endedAt === null || state === 'SUCCEEDED') &&
  !tasks.some(({ kind, endedAt }) => kind === releaseStart.name && endedAt !== null)

interface LastLines {
  readonly since: string | null
  readonly most: number
}

/** The newest lines of its build and of its start. */
export async function buildLogOf(call: ReadCall, of: OfApplication, last: LastLines): Promise<TaskLine[]> {
  return lastLines(call.telemetry, idsOf(await buildTasksOf(call, of)), last)
}

/** The newest lines that its containers have said. Undefined: they were not removed, or nothing of them is kept. */
export async function retiredLogOf(
  call: ReadCall,
  of: OfApplication,
  last: LastLines,
): Promise<TaskLine[] | undefined> {
  const task = await retiredTaskOf(call, of)
  return task && lastLines(call.telemetry, [task.id], last)
}

const idsOf = (tasks: readonly DeploymentTask[]): string[] => tasks.map(({ id }) => id)
