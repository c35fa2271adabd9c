import { decider } from '#kernel/events/decider'
import { reject } from '#kernel/lib/rejection'
import { scheduledDeployRosterEvents } from './events.ts'

const SCHEDULES_MAX = 50

interface Counted {
  readonly scheduledDeployId: string
  readonly applicationId: string
}

export const scheduledDeployRoster = decider(scheduledDeployRosterEvents, {
  initial: [] as readonly string[],
  evolve: {
    ScheduledDeployEnrolled: (ids, { scheduledDeployId }) => [...ids, scheduledDeployId],
    ScheduledDeployStruck: (ids, { scheduledDeployId }) => ids.filter((id) => id !== scheduledDeployId),
  },
  commands: {
    Enrol: (ids, ask: Counted) => {
      if (ids.length >= SCHEDULES_MAX)
        reject('conflict', `An application has at most ${SCHEDULES_MAX} schedules: delete one first`, 'TOO_MANY')
      return [scheduledDeployRosterEvents.ScheduledDeployEnrolled(ask)]
    },
    Strike: (_ids, ask: Counted) => [scheduledDeployRosterEvents.ScheduledDeployStruck(ask)],
  },
})
