/** What agents told of the registries that they run. */
import { recurringJob } from '#kernel/jobs/recurring-job'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { taskTable } from '#projections/panel/agent'
import type { TaskRow } from '#projections/panel/agent'
import { serverTable } from '#projections/panel/servers'
import { imagesEnsure } from '../../tasks/engine.ts'
import { planApply } from '../../tasks/plan.ts'
import { IMAGE_MISSING, REGISTRY_IMAGE, registriesPlan } from '../../tasks/registries.ts'
import type { RegistriesApplied } from '../../tasks/registries.ts'
import { planOf, sendPlan } from '../agent/plans.ts'
import { laneOfImage } from '../workflows/ensure-image.ts'

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
  const images = new Map((await lastImages(read, serverIds)).map((last) => [last.serverId, last]))
  return new Map(
    rows.flatMap(({ id, serverId }): [string, RegistryProblem][] => {
      const last = serverId === null ? undefined : lasts.get(serverId)
      const problem = last && problemOf(last, images.get(last.serverId), id)
      return problem ? [[id, problem]] : []
    }),
  )
}

function problemOf(last: LastPlan, image: LastImage | undefined, registryId: string): RegistryProblem | undefined {
  if (last.errorCode !== null) return { code: last.errorCode, message: last.errorMessage ?? '' }
  const own = problemsIn(last.result).find((each) => each.registryId === registryId)
  if (own?.code === IMAGE_MISSING) return missingImage(last, image)
  return own && { code: own.code, message: own.message }
}

type LastImage = Pick<TaskRow, 'serverId' | 'state' | 'errorMessage' | 'endedAt'>

/** The newest task that brings the image, of each server. */
const lastImages = (read: ReadDatabase, serverIds: readonly string[]): Promise<LastImage[]> =>
  taskTable
    .queryIn(read)
    .select(['serverId', 'state', 'errorMessage', 'endedAt'])
    .distinctOn('serverId')
    .where('kind', '=', imagesEnsure.name)
    .where('lane', '=', laneOfImage(REGISTRY_IMAGE))
    .where('serverId', 'in', serverIds)
    .orderBy('serverId')
    .orderBy('queuedAt', 'desc')
    .execute()

const COMING: RegistryProblem = {
  code: 'IMAGE_COMING',
  message: `The server is getting the image ${REGISTRY_IMAGE}. It runs the registry once it has it`,
}
const REMEDY = `It is tried again within 20 minutes. To load it by hand, run this on the host: docker pull ${REGISTRY_IMAGE}`

/** @param plan that lacked it @param image undefined: it is not asked for yet */
function missingImage(plan: LastPlan, image: LastImage | undefined): RegistryProblem {
  if (!image || image.endedAt === null) return COMING
  const isBefore = Date.parse(image.endedAt) <= Date.parse(plan.endedAt!)
  if (image.state === 'SUCCEEDED' && !isBefore) return COMING
  const why = image.state === 'SUCCEEDED' ? 'it was removed again' : whyNot(image)
  return { code: IMAGE_MISSING, message: `The server lacks the image ${REGISTRY_IMAGE}: ${why}. ${REMEDY}` }
}

function whyNot({ state, errorMessage }: LastImage): string {
  if (state === 'FAILED') return errorMessage ?? 'no reason is given'
  return state === 'EXPIRED' ? 'its agent did not take the task in time' : 'the task was cancelled'
}

/** The agent keeps a plan that it could not bring about, so its beats do not tell. */
export const runRegistriesAgain = recurringJob('registries-again', LOOK_EVERY_MS, async ({ read, run, now }) => {
  for (const { id, serverId, payload, state, result, endedAt } of await lastPlans(read)) {
    if (state === 'SUCCEEDED' && problemsIn(result).length === 0) continue
    const againMs = state === 'FAILED' ? FAILED_AGAIN_MS : AGAIN_MS
    if (now.getTime() - Date.parse(endedAt!) < againMs) continue
    const about = { serverId, revision: planOf({ payload }).revision, cause: { type: 'task', id } }
    await run((unit) => sendPlan(unit, read, registriesPlan, about))
  }
})
