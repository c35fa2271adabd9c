/** How many projects there are and whose, and in which ones a person is. */
import { z } from 'zod'
import { event, stream } from '#kernel/events/event'
import { membershipEventTypes } from '#kernel/events/memberships'

const projectId = z.uuid()

export const ProjectEnrolled = event(
  'ProjectEnrolled',
  'projectId',
  { projectId, ownerId: z.uuid().nullable() },
  ({ projectId, ownerId }) => `counted project ${projectId} ${ownerId === null ? 'as nobody’s' : `for ${ownerId}`}`,
)

export const ProjectStruck = event(
  'ProjectStruck',
  'projectId',
  { projectId },
  ({ projectId }) => `counted project ${projectId} no longer`,
)

/** One stream for the installation: how many projects there may be, and how many of one owner, are rules about all of them. */
export const projectRosterEvents = stream('projectRoster', [ProjectEnrolled, ProjectStruck])

export const projectMembershipTypes = membershipEventTypes('Project', 'projectId')
export const { Entered: ProjectEntered, Exited: ProjectExited } = projectMembershipTypes

/**
 * One stream a person, or an address that somebody may prove to be his: whoever is erased leaves all his projects in that very
 * append, and whoever proves an address joins all that wait for it.
 */
export const projectMembershipEvents = stream('memberships', [ProjectEntered, ProjectExited])
