/** All applications of the installation, which its license counts. */
import { z } from 'zod'
import { eventsAbout, stream } from '#kernel/events/event'

const counted = eventsAbout({ applicationId: z.uuid() })({
  ApplicationEnrolled: {
    fields: {},
    sentence: ({ applicationId }) => `counted application ${applicationId}`,
  },
  ApplicationStruck: {
    fields: {},
    sentence: ({ applicationId }) => `counted application ${applicationId} no longer`,
  },
})

/** One stream for the installation, because the limit of the license spans all projects. */
export const applicationRosterEvents = stream('applicationRoster', counted)
