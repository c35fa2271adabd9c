/** Schedules that deploy an application: again and again by cron, or once. */
import { z } from 'zod'
import { eventsAbout, internal, stream } from '#kernel/events/event'
import { aboutApplication } from '../applications/events.ts'

/** ONE: when the panel was down at its time, it deploys once, later. SKIP: it waits for the next time. */
export const MISSED = ['ONE', 'SKIP'] as const

export const scheduleFields = {
  /** Five fields. Null: it deploys once. */
  cron: z.string().nullable(),
  /** Of the IANA database. Null: it has no cron. */
  timezone: z.string().nullable(),
  /** Null: it has a cron. */
  runAt: z.iso.datetime().nullable(),
  missed: z.enum(MISSED),
  enabled: z.boolean(),
}

export type ScheduleValues = z.output<z.ZodObject<typeof scheduleFields>>

const nextAt = z.iso.datetime().nullable()
const scheduledFor = z.iso.datetime()
const about = { scheduledDeployId: z.uuid(), ...aboutApplication }

/** A time of a schedule is used once. The one before is not needed any more: the stream has moved on. */
const RUN_SCOPE = 'scheduledDeployRun'
const runClaim = (scheduledDeployId: string, at: string) => ({ scope: RUN_SCOPE, key: `${scheduledDeployId}/${at}` })
const formerFor = internal(scheduledFor.nullable())

interface Former {
  readonly scheduledDeployId: string
  readonly formerFor: string | null
}
const formerClaim = ({ scheduledDeployId, formerFor: former }: Former) =>
  former === null ? [] : [runClaim(scheduledDeployId, former)]

const events = eventsAbout(about)({
  ScheduledDeploySet: {
    /** When it is due next. Null: never. */
    fields: { ...scheduleFields, nextAt, isNew: internal(z.boolean()) },
    sentence: ({ scheduledDeployId, applicationId, cron, timezone, runAt, enabled }) =>
      `set schedule ${scheduledDeployId} of application ${applicationId}: ` +
      (cron === null ? `once at ${runAt}` : `“${cron}” in ${timezone}`) +
      (enabled ? '' : ', disabled'),
  },
  ScheduledDeployRan: {
    fields: {
      scheduledFor,
      formerFor,
      nextAt,
      /** Null: the deployment was refused. */
      deploymentId: z.uuid().nullable(),
      /** Why, as an error code. */
      refusal: z.string().nullable(),
    },
    sentence: ({ scheduledDeployId, scheduledFor: at, deploymentId, refusal }) =>
      deploymentId === null
        ? `was due by schedule ${scheduledDeployId} at ${at}, and the deployment was refused: ${refusal}`
        : `asked for deployment ${deploymentId} by schedule ${scheduledDeployId}, due at ${at}`,
    takes: ({ scheduledDeployId, scheduledFor: at }) => [runClaim(scheduledDeployId, at)],
    releases: formerClaim,
  },
  ScheduledDeployMissed: {
    fields: { scheduledFor, formerFor, nextAt },
    sentence: ({ scheduledDeployId, scheduledFor: at }) =>
      `skipped schedule ${scheduledDeployId}, which was due at ${at} while the panel was down`,
    takes: ({ scheduledDeployId, scheduledFor: at }) => [runClaim(scheduledDeployId, at)],
    releases: formerClaim,
  },
  ScheduledDeployRemoved: {
    fields: { formerFor },
    sentence: ({ scheduledDeployId, applicationId }) =>
      `removed schedule ${scheduledDeployId} of application ${applicationId}`,
    releases: formerClaim,
  },
})

/** One stream for each schedule: no rule spans two of them but their number, which has its own. */
export const scheduledDeployEvents = stream('scheduledDeploy', events)
