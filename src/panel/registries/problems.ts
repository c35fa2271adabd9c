/** What agents told of the registries that they run. */
import { recurringJob } from '#kernel/jobs/recurring-job'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { taskTable } from '#projections/panel/agent'
import type { TaskRow } from '#projections/panel/agent'
import { serverTable } from '#projections/panel/servers'
import { planApply } from '../../tasks/plan.ts'
import { registriesPlan } from '../../tasks/registries.ts'
import type { RegistriesApplied } from '../../tasks/registries.ts'
import { sendPlan } from '../agent/plans.ts'

/** Of the tasks that bring the plan. */
export const LANE = planApply.lane({ plan: registriesPlan.name, version: registriesPlan.version, revision: 0 })
/** What was wrong may be mended by then: an image was loaded, or a port is free. */
const AGAIN_MS = 900_000
/** The agent does not know the plan, or its engine is down. */
const FAILED_AGAIN_MS = 3_600_000
const LOOK_EVERY_MS = 300_000

export interface RegistryProblem {
  readonly code: string
  readonly message: string
}

type LastPlan = Pick<
  TaskRow,
  'id' | 'serverId' | 'state' | 'payload' | 'result' | 'errorCode' | 'errorMessage' | 'endedAt'
>

/** The newest that has ended, of each server. By default of all that have an agent. */
function lastPlans(read: ReadDatabase, serverIds?: readonly string[]): Promise<LastPlan[]> {
  const all = taskTable
    .queryIn(read)
    .select(['id', 'serverId', 'state', 'payload', 'result', 'errorCode', 'errorMessage', 'endedAt'])
    .distinctOn('serverId')
    .where('kind', '=', planApply.name)
    .where('lane', '=', LANE)
    .where('state', 'in', ['SUCCEEDED', 'FAILED'])
    .orderBy('serverId')
    .orderBy('queuedAt', 'desc')
  const registered = serverTable.queryIn(read).select('id').where('registrationId', 'is not', null)
  return all.where('serverId', 'in', serverIds ?? registered).execute()
}

const NOTHING: RegistriesApplied = { ports: [], problems: [] }

/** @param result of the task that brings the plan; a long one is not read */
export const appliedIn = (result: string): RegistriesApplied =>
  registriesPlan.result.safeParse(planApply.result.safeParse(JSON.parse(result)).data?.applied).data ?? NOTHING

const problemsIn = (result: string | null) => (result === null ? [] : appliedIn(result).problems)

/** By the id of the registry. */
export async function registryProblems(
  read: ReadDatabase,
  rows: readonly { readonly id: string; readonly serverId: string | null }[],
): Promise<ReadonlyMap<string, RegistryProblem>> {
  const serverIds = [...new Set(rows.flatMap(({ serverId }) => serverId ?? []))]
  if (serverIds.length === 0) return new Map()
  const lasts = new Map((await lastPlans(read, serverIds)).map((last) => [last.serverId, last]))
  return new Map(
    rows.flatMap(({ id, serverId }): [string, RegistryProblem][] => {
      const last = serverId === null ? undefined : lasts.get(serverId)
      const problem = last && problemOf(last, id)
      return problem ? [[id, problem]] : []
    }),
  )
}

function problemOf(last: LastPlan, registryId: string): RegistryProblem | undefined {
  if (last.errorCode !== null) return { code: last.errorCode, message: last.errorMessage ?? '' }
  const own = problemsIn(last.result).find((each) => each.registryId === registryId)
  return own && { code: own.code, message: own.message }
}

/** The agent keeps a plan that it could not bring about, so its beats do not tell. */
export const runRegistriesAgain = recurringJob('registries-again', LOOK_EVERY_MS, async ({ read, run, now }) => {
  for (const { id, serverId, payload, state, result, endedAt } of await lastPlans(read)) {
    if (state === 'SUCCEEDED' && problemsIn(result).length === 0) continue
    const againMs = state === 'FAILED' ? FAILED_AGAIN_MS : AGAIN_MS
    if (now.getTime() - Date.parse(endedAt!) < againMs) continue
    const { revision } = planApply.payload.parse(JSON.parse(payload))
    const about = { serverId, revision, cause: { type: 'task', id } }
    await run((unit) => sendPlan(unit, read, registriesPlan, about))
  }
})
