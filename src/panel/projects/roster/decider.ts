import { decider } from '#kernel/events/decider'
import { memberships } from '#kernel/events/memberships'
import { valuesOf, persistentMap, withEntry, withoutEntry } from '#kernel/lib/persistent-map'
import type { PersistentMap } from '#kernel/lib/persistent-map'
import { reject } from '#kernel/lib/rejection'
import { projectRosterEvents } from './events.ts'

/** Owner by project id; null for a project without an owner. */
type Roster = PersistentMap<string | null>

const NO_PROJECTS: Roster = persistentMap()

interface OwnedProjectInput {
  readonly projectId: string
  readonly ownerId: string | null
  /** Quota of projects that this owner may have; undefined without a limit. */
  readonly ownedMax?: number | undefined
}

interface ProjectLimit {
  readonly plan: string
  readonly projectsMax?: number | undefined
}

export const projectRoster = decider(projectRosterEvents, {
  initial: NO_PROJECTS,
  snapshot: { version: 1, everyEvents: 500, sealedFor: () => 'installation' },
  evolve: {
    ProjectEnrolled: (all, { projectId, ownerId }) => withEntry(all, projectId, ownerId),
    ProjectStruck: (all, { projectId }) => withoutEntry(all, projectId),
  },
  commands: {
    Enrol: (all, { plan, projectsMax, ...project }: OwnedProjectInput & ProjectLimit) => {
      if (projectsMax !== undefined && all.size >= projectsMax)
        reject(
          'paymentRequired',
          `The plan ${plan} allows ${projectsMax} projects: upgrade it or delete a project`,
          'LIMIT_REACHED',
        )
      return enrolProject(all, project)
    },
    ChangeOwner: (all, project: OwnedProjectInput) => enrolProject(all, project),
    Strike: (_all, { projectId }: { projectId: string }) => [projectRosterEvents.ProjectStruck({ projectId })],
  },
})

function enrolProject(all: Roster, { projectId, ownerId, ownedMax }: OwnedProjectInput) {
  if (ownerId !== null && ownedMax !== undefined && countOwnedBy(all, ownerId) >= ownedMax)
    reject(
      'conflict',
      `The quota of this account allows ${ownedMax} projects: transfer or delete one first`,
      'QUOTA_REACHED',
    )
  return [projectRosterEvents.ProjectEnrolled({ projectId, ownerId })]
}

const countOwnedBy = (all: Roster, ownerId: string): number =>
  [...valuesOf(all)].filter((each) => each === ownerId).length

/**
 * One stream per account or invited address. Erasing an account removes all its memberships in the same
 * append, and proving an address joins all projects that wait for it.
 */
export const projectMemberships = memberships('Project', { of: 'projectId', stream: 'memberships' })
