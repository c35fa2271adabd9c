import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found, reject } from '#kernel/lib/rejection'
import { scheduledDeployEvents } from './events.ts'
import type { ScheduleValues } from './events.ts'

type Set = DataOf<typeof scheduledDeployEvents.ScheduledDeploySet>

export interface ScheduledDeploy extends Omit<Set, 'scheduledDeployId' | 'isNew'> {
  readonly id: string
  readonly createdAt: string
  /** The newest time that was used. */
  readonly formerFor: string | null
}

const aboutOf = ({ id: scheduledDeployId, applicationId, projectId, environmentId }: ScheduledDeploy) => ({
  scheduledDeployId,
  applicationId,
  projectId,
  environmentId,
})

interface Due {
  /** The time that is due. */
  readonly scheduledFor: string
  /** When it is due after that. */
  readonly nextAt: string | null
}

interface Change {
  readonly values: ScheduleValues
  readonly nextAt: string | null
  /** Whether the request says when it is due, or enables it. */
  readonly isTimed: boolean
}

interface Ran extends Due {
  readonly deploymentId: string | null
  readonly refusal: string | null
}

const FIELDS = ['cron', 'timezone', 'runAt', 'missed', 'enabled'] as const satisfies readonly (keyof ScheduleValues)[]

const neverDue = (): never => reject('invalid', 'The schedule is never due: choose a time in the future', 'NEVER_DUE')

/** Another time than the one that the caller has read: it was used or changed meanwhile. */
const isDue = (schedule: ScheduledDeploy | undefined, { scheduledFor }: Due): schedule is ScheduledDeploy =>
  schedule?.nextAt === scheduledFor

export const scheduledDeploys = decider(scheduledDeployEvents, {
  initial: undefined as ScheduledDeploy | undefined,
  evolve: {
    ScheduledDeploySet: (schedule, { scheduledDeployId: id, isNew: _isNew, ...set }, at): ScheduledDeploy => ({
      ...set,
      id,
      createdAt: schedule?.createdAt ?? at.toISOString(),
      formerFor: schedule?.formerFor ?? null,
    }),
    ScheduledDeployRan: (schedule, { scheduledFor: formerFor, nextAt }) => ({ ...schedule!, formerFor, nextAt }),
    ScheduledDeployMissed: (schedule, { scheduledFor: formerFor, nextAt }) => ({ ...schedule!, formerFor, nextAt }),
    ScheduledDeployRemoved: () => undefined,
  },
  commands: {
    Add: (_none, ask: Omit<Set, 'isNew'>) =>
      ask.enabled && ask.nextAt === null
        ? neverDue()
        : [scheduledDeployEvents.ScheduledDeploySet({ ...ask, isNew: true })],
    Change(schedule, { values, nextAt, isTimed }: Change) {
      const known = found(schedule)
      if (isTimed && values.enabled && nextAt === null) neverDue()
      if (FIELDS.every((field) => values[field] === known[field])) return []
      return [scheduledDeployEvents.ScheduledDeploySet({ ...aboutOf(known), ...values, nextAt, isNew: false })]
    },
    /** With its application. When it is due stays. */
    Move(schedule, place: Pick<ScheduledDeploy, 'projectId' | 'environmentId'>) {
      const { createdAt: _at, formerFor: _former, id: scheduledDeployId, ...set } = found(schedule)
      return [scheduledDeployEvents.ScheduledDeploySet({ ...set, ...place, scheduledDeployId, isNew: false })]
    },
    /** Decides nothing if another time is due. */
    NoteRun: (schedule, ask: Ran) =>
      isDue(schedule, ask)
        ? [scheduledDeployEvents.ScheduledDeployRan({ ...aboutOf(schedule), formerFor: schedule.formerFor, ...ask })]
        : [],
    NoteMissed: (schedule, ask: Due) =>
      isDue(schedule, ask)
        ? [scheduledDeployEvents.ScheduledDeployMissed({ ...aboutOf(schedule), formerFor: schedule.formerFor, ...ask })]
        : [],
    Remove(schedule, _ask: object) {
      const known = found(schedule)
      return [scheduledDeployEvents.ScheduledDeployRemoved({ ...aboutOf(known), formerFor: known.formerFor })]
    },
  },
})
