/** The schedules of an application: their number is limited, and they go with it. */
import { z } from 'zod'
import { eventsAbout, stream } from '#kernel/events/event'

const counted = eventsAbout({ scheduledDeployId: z.uuid(), applicationId: z.uuid() })({
  ScheduledDeployEnrolled: {
    fields: {},
    sentence: ({ scheduledDeployId, applicationId }) =>
      `counted schedule ${scheduledDeployId} of application ${applicationId}`,
  },
  ScheduledDeployStruck: {
    fields: {},
    sentence: ({ scheduledDeployId, applicationId }) =>
      `counted schedule ${scheduledDeployId} of application ${applicationId} no longer`,
  },
})

/** One stream for each application, because the limit spans its schedules. */
export const scheduledDeployRosterEvents = stream('scheduledDeployRoster', counted)
