/** Limits on new objects (panel.md 4): the license's, else those of the free tier. Existing objects stay. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { unixSeconds } from '#kernel/lib/timestamps'
import { panelLicense } from './decider.ts'
import type { PanelLicense } from './decider.ts'

export interface LicenseLimits {
  /** Name of the plan, for messages. */
  readonly plan: string
  /** Includes pending accounts. Absent: no limit. */
  readonly usersMax?: number
  readonly projectsMax?: number
  readonly serversMax?: number
  readonly applicationsMax?: number
}

const FREE_USERS = 3
const FREE_PROJECTS = 3
const FREE_SERVERS = 1
const FREE_APPLICATIONS = 10
const UNLIMITED = -1

/** The current limits. A license that changes before the append makes the unit of work decide again. */
export async function limitsOf(unit: UnitOfWork): Promise<LicenseLimits> {
  const known = await unit.look(panelLicense)
  const features = known && isEntitled(known, unit.at) ? known.features : {}
  return {
    plan: planOf(known, unit.at),
    ...limit('usersMax', FREE_USERS, valueAt(features['users.max'], unit.at)),
    ...limit('projectsMax', FREE_PROJECTS, valueAt(features['projects.max'], unit.at)),
    ...limit('serversMax', FREE_SERVERS, valueAt(features['servers.max'], unit.at)),
    ...limit('applicationsMax', FREE_APPLICATIONS, valueAt(features['applications.max'], unit.at)),
  }
}

const isEntitled = ({ state, graceUntil }: PanelLicense, at: Date): boolean =>
  state !== 'FREE' && state !== 'DEGRADED' && (graceUntil === null || at.getTime() < Date.parse(graceUntil))

function planOf(known: PanelLicense | null | undefined, at: Date): string {
  if (!known || known.state === 'FREE') return 'free'
  return isEntitled(known, at) ? known.plan : `free (the license of plan ${known.plan} is degraded)`
}

type Feature = PanelLicense['features'][string]

function valueAt(feature: Feature | undefined, at: Date): unknown {
  if (!Array.isArray(feature)) return feature
  const [value, from, to] = feature
  const now = unixSeconds(at)
  return (from === null || now >= from) && (to === null || now < to) ? value : undefined
}

/** A license raises the free limits and never lowers them. */
function limit<Name extends string>(name: Name, free: number, licensed: unknown): { [Each in Name]?: number } {
  if (licensed === UNLIMITED) return {}
  const most = typeof licensed === 'number' ? Math.max(free, licensed) : free
  return { [name]: most } as { [Each in Name]?: number }
}
