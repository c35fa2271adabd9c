/** Count and owners of all projects, and the memberships of each account. */
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

/** One stream for the installation, because the limits on projects in total and per owner span all projects. */
export const projectRosterEvents = stream('projectRoster', [ProjectEnrolled, ProjectStruck])

export const projectMembershipTypes = membershipEventTypes('Project', 'projectId')
export const { Entered: ProjectEntered, Exited: ProjectExited } = projectMembershipTypes

/**
 * One stream per account or invited address. Erasing an account removes all its memberships in the same
 * append, and proving an address joins all projects that wait for it.
 */
export const projectMembershipEvents = stream('memberships', [ProjectEntered, ProjectExited])
