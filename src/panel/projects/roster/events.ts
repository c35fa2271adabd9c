/** Count and owners of all projects, and the memberships of each account. */
import { z } from 'zod'
import { eventsAbout, stream } from '#kernel/events/event'
import { membershipEventTypes } from '#kernel/events/memberships'

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

export const projectMembershipTypes = membershipEventTypes('Project', 'projectId')

/**
 * One stream per account or invited address. Erasing an account removes all its memberships in the same
 * append, and proving an address joins all projects that wait for it.
 */
export const projectMembershipEvents = stream('memberships', { ...projectMembershipTypes })
