/** Count and owners of all projects. */
import { z } from 'zod'
import { eventsAbout, stream } from '#kernel/events/event'

const counted = eventsAbout({ projectId: z.uuid() })({
  ProjectEnrolled: {
    fields: { ownerId: z.uuid().nullable() },
    sentence: ({ projectId, ownerId }) =>
      `counted project ${projectId} ${ownerId === null ? 'as nobody’s' : `for ${ownerId}`}`,
  },
  ProjectStruck: { fields: {}, sentence: ({ projectId }) => `counted project ${projectId} no longer` },
})

/** One stream for the installation, because the limits on projects in total and per owner span all projects. */
export const projectRosterEvents = stream('projectRoster', counted)
