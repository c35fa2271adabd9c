import { decider } from '#kernel/events/decider'
import { placeDecisions } from '#kernel/events/memberships'
import { reject } from '#kernel/lib/rejection'
import { valuesOf, wideMap, withEntry, withoutEntry } from '#kernel/lib/persistent-map'
import type { WideMap } from '#kernel/lib/persistent-map'
import { membershipEvents, ProjectEnrolled, projectPlace, ProjectStruck, projectRosterEvents } from './events.ts'

/** Owners of projects by the projects’ ids; null for one that nobody owns. */
type Roster = WideMap<string | null>

const NO_PROJECTS: Roster = wideMap()

interface Owned {
  readonly projectId: string
  readonly ownerId: string | null
  /** Quota: how many projects this owner may have; undefined without a limit. */
  readonly ownedMax?: number | undefined
}

interface Licensed {
  readonly plan: string
  readonly projectsMax?: number | undefined
}

export const projectRoster = decider(projectRosterEvents, {
  initial: NO_PROJECTS,
  snapshot: { version: 1, every: 500, sealedFor: () => 'installation' },
  evolve: {
    ProjectEnrolled: (all, { projectId, ownerId }) => withEntry(all, projectId, ownerId),
    ProjectStruck: (all, { projectId }) => withoutEntry(all, projectId),
  },
  commands: {
    Enrol: (all, { plan, projectsMax, ...project }: Owned & Licensed) => {
      if (projectsMax !== undefined && all.size >= projectsMax)
        reject('paymentRequired', `The plan ${plan} allows ${projectsMax} projects`, 'LIMIT_REACHED')
      return enrolled(all, project)
    },
    ChangeOwner: (all, project: Owned) => enrolled(all, project),
    Strike: (_all, { projectId }: { projectId: string }) => [ProjectStruck({ projectId })],
  },
})

function enrolled(all: Roster, { projectId, ownerId, ownedMax }: Owned) {
  if (ownerId !== null && ownedMax !== undefined && ownedBy(all, ownerId) >= ownedMax)
    reject('conflict', `Quota: this account may own ${ownedMax} projects`, 'QUOTA_REACHED')
  return [ProjectEnrolled({ projectId, ownerId })]
}

const ownedBy = (all: Roster, ownerId: string): number => [...valuesOf(all)].filter((each) => each === ownerId).length

const places = placeDecisions('projectId', projectPlace)

/** Of one person, or of one address. */
export const memberships = decider(membershipEvents, {
  initial: places.none,
  evolve: { ProjectEntered: places.entered, ProjectExited: places.exited },
  commands: places.commands,
})
