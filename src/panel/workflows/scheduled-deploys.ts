/** Schedules of applications: added and removed together with what counts them, and what happens when they are due. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { found, Rejection, reject } from '#kernel/lib/rejection'
import { applications } from '../applications/decider.ts'
import { scheduledDeploys } from '../scheduled-deploys/decider.ts'
import type { ScheduledDeploy } from '../scheduled-deploys/decider.ts'
import type { ScheduleValues } from '../scheduled-deploys/events.ts'
import { nextTime } from '../scheduled-deploys/next-time.ts'
import { scheduledDeployRoster } from '../scheduled-deploys/roster/decider.ts'
import { requestDeployment } from './request-deployment.ts'

/** A schedule that is later than this was missed: the panel was down at its time. */
const LATE_MS = 120_000

const nextOf = (values: ScheduleValues, after: Date): string | null => (values.enabled ? nextTime(values, after) : null)

/**
 * The caller must hold apps:deploy in the environment, which the route checks.
 * @throws Rejection 400 NEVER_DUE · 404 · 409 TOO_MANY
 */
export async function addSchedule(unit: UnitOfWork, applicationId: string, values: ScheduleValues): Promise<string> {
  const { projectId, environmentId } = found(await unit.load(applications, applicationId))
  const scheduledDeployId = unit.newId()
  await unit.decide(scheduledDeployRoster, applicationId, 'Enrol', { scheduledDeployId, applicationId })
  const about = { scheduledDeployId, applicationId, projectId, environmentId }
  await unit.decide(scheduledDeploys, scheduledDeployId, 'Add', {
    ...about,
    ...values,
    nextAt: nextOf(values, unit.at),
  })
  return scheduledDeployId
}

export interface ScheduleChange {
  readonly cron?: string | undefined
  readonly timezone?: string | undefined
  readonly runAt?: string | undefined
  readonly missed?: ScheduleValues['missed'] | undefined
  readonly enabled?: boolean | undefined
}

const DEFAULT_ZONE = 'UTC'

/** A cron takes the place of a moment, and the other way round. */
function changedValues(
  known: ScheduleValues,
  { cron, timezone, runAt, missed, enabled }: ScheduleChange,
): ScheduleValues {
  const rest = { missed: missed ?? known.missed, enabled: enabled ?? known.enabled }
  if (runAt !== undefined) return { cron: null, timezone: null, runAt, ...rest }
  if (cron === undefined && known.cron === null) {
    if (timezone !== undefined) reject('invalid', 'A time zone belongs to a cron: give both', 'CRON_MISSING')
    return { cron: null, timezone: null, runAt: known.runAt, ...rest }
  }
  const zone = timezone ?? known.timezone ?? DEFAULT_ZONE
  return { cron: cron ?? known.cron, timezone: zone, runAt: null, ...rest }
}

/** What only says how a missed time is treated leaves the time that is due. @throws Rejection 400 NEVER_DUE · 404 */
export async function changeSchedule(unit: UnitOfWork, id: string, change: ScheduleChange): Promise<void> {
  const known = found(await unit.load(scheduledDeploys, id))
  const values = changedValues(known, change)
  const { cron, timezone, runAt, enabled } = change
  const isTimed = [cron, timezone, runAt].some((each) => each !== undefined) || (enabled === true && !known.enabled)
  const nextAt = isTimed || !values.enabled ? nextOf(values, unit.at) : known.nextAt
  await unit.decide(scheduledDeploys, id, 'Change', { values, nextAt, isTimed })
}

export async function removeSchedule(unit: UnitOfWork, scheduledDeployId: string): Promise<void> {
  const { applicationId } = found(await unit.load(scheduledDeploys, scheduledDeployId))
  await unit.decide(scheduledDeploys, scheduledDeployId, 'Remove', {})
  await unit.decide(scheduledDeployRoster, applicationId, 'Strike', { scheduledDeployId, applicationId })
}

/** They go with their application. */
export async function removeSchedulesOf(unit: UnitOfWork, applicationId: string): Promise<void> {
  for (const id of await unit.load(scheduledDeployRoster, applicationId)) await removeSchedule(unit, id)
}

/** They move with their application. */
export async function moveSchedulesOf(
  unit: UnitOfWork,
  applicationId: string,
  place: Pick<ScheduledDeploy, 'projectId' | 'environmentId'>,
): Promise<void> {
  for (const id of await unit.load(scheduledDeployRoster, applicationId))
    await unit.decide(scheduledDeploys, id, 'Move', place)
}

/** A one-shot stays unused. @throws what refuses the deployment */
export async function runSchedule(unit: UnitOfWork, { id, applicationId }: ScheduledDeploy): Promise<string> {
  return requestDeployment(unit, { applicationId, cause: { type: 'SCHEDULE', id } })
}

type Run = <Result>(work: (unit: UnitOfWork) => Promise<Result>) => Promise<Result>

/**
 * Deploys once for the time that is due, as the application does. Nothing happens if that time was used, changed or
 * removed meanwhile. A deployment that is refused is noted with the code, in a unit of work of its own.
 */
export async function runDueSchedule(run: Run, id: string, scheduledFor: string): Promise<void> {
  await run((unit) => deployDue(unit, id, scheduledFor)).catch(async (error: unknown) => {
    if (!(error instanceof Rejection) || error.statusCode >= 500) throw error
    await run((unit) => noteRefused(unit, { id, scheduledFor, refusal: error.code }))
  })
}

/** @returns undefined if another time is due, or none */
async function dueSchedule(unit: UnitOfWork, id: string, scheduledFor: string): Promise<ScheduledDeploy | undefined> {
  const schedule = await unit.load(scheduledDeploys, id)
  return schedule?.nextAt === scheduledFor && Date.parse(scheduledFor) <= unit.at.getTime() ? schedule : undefined
}

async function deployDue(unit: UnitOfWork, id: string, scheduledFor: string): Promise<void> {
  const schedule = await dueSchedule(unit, id, scheduledFor)
  if (!schedule) return
  const late = new Date(unit.at.getTime() - LATE_MS)
  if (schedule.missed === 'SKIP' && Date.parse(scheduledFor) < late.getTime()) {
    // What was due a moment ago is not missed.
    const nextAt = nextTime(schedule, late)
    await unit.decide(scheduledDeploys, id, 'NoteMissed', { scheduledFor, nextAt })
    return
  }
  const deploymentId = await runSchedule(unit, schedule)
  const nextAt = nextTime(schedule, unit.at)
  await unit.decide(scheduledDeploys, id, 'NoteRun', { scheduledFor, nextAt, deploymentId, refusal: null })
}

interface Refused {
  readonly id: string
  readonly scheduledFor: string
  readonly refusal: string
}

async function noteRefused(unit: UnitOfWork, { id, scheduledFor, refusal }: Refused): Promise<void> {
  const schedule = await dueSchedule(unit, id, scheduledFor)
  if (!schedule) return
  const nextAt = nextTime(schedule, unit.at)
  await unit.decide(scheduledDeploys, id, 'NoteRun', { scheduledFor, nextAt, deploymentId: null, refusal })
}
