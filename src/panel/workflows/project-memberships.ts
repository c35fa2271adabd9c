/** Who is in which projects, across them: what happens to all of a person's memberships at once. */
import type { Unit } from '#kernel/commands/command-runner'
import type { Caller } from '#kernel/http/route'
import { apiKeys, isActive } from '../api-keys/decider.ts'
import { MACHINE } from '../api-keys/events.ts'
import { KEY } from '../access/access.ts'
import { acting, grantedTo } from '../access/accounts.ts'
import { invalidKey } from '../access/key-caller.ts'
import type { KeyCaller } from '../access/key-caller.ts'
import { platformPermissions } from '../access/permissions.ts'
import { platformReach } from '../access/project-access.ts'
import { reachBy } from '../access/rights.ts'
import { projects } from '../projects/decider.ts'
import { memberOf } from '../projects/rights/rules.ts'
import type { By, Holder } from '../projects/rights/rules.ts'
import { memberships, projectRoster } from '../projects/roster/decider.ts'
import { teamPlaces } from '../teams/decider.ts'
import { users } from '../users/decider.ts'
import type { User } from '../users/decider.ts'

/** Who acts in a project, as this unit sees him, whatever his session says. @throws Rejection 401 */
export const actingBy = async (unit: Unit, caller: Caller): Promise<By> => placed(unit, await acting(unit, caller))

/** The same of an API key as well, which must be good while this unit decides, as must its owner. @throws Rejection 401 */
export async function holderOf(unit: Unit, caller: Caller): Promise<Holder> {
  if (caller.kind !== KEY) return actingBy(unit, caller)
  const { keyId, ownerId } = caller as KeyCaller
  const keys = await unit.look(apiKeys, ownerId ?? MACHINE)
  if (!keys.some((key) => key.id === keyId && isActive(key, unit.at))) return invalidKey()
  if (ownerId === undefined) return { userId: undefined, teamIds: [], platform: platformReach(caller) }
  const owner = await unit.look(users, ownerId)
  return owner?.status === 'ACTIVE' ? placed(unit, owner) : invalidKey()
}

async function placed(unit: Unit, user: User): Promise<By> {
  const held = new Set<string>(platformPermissions(user.role, await grantedTo(unit, user)))
  const teamIds = Object.keys(await unit.look(teamPlaces, user.id))
  return { userId: user.id, teamIds, platform: reachBy((permission) => held.has(permission)) }
}

interface Membership {
  readonly projectId: string
  readonly memberId: string
}

/** @param person an account's id, the key of an address that no account has proven, or the id of a team */
export const entered = (unit: Unit, person: string, place: Membership) =>
  unit.decide(memberships, person, 'Enter', place)

export const exited = (unit: Unit, person: string, place: Membership) => unit.decide(memberships, person, 'Exit', place)

/** @param person as above, or a team's id */
export const placesOf = async (unit: Unit, person: string): Promise<Membership[]> =>
  Object.entries(await unit.load(memberships, person)).map(([projectId, memberId]) => ({ projectId, memberId }))

/** In the unit that proves an address, or after it: what was waiting for whoever proves it is his. */
export async function joinProjects(unit: Unit, { id: userId, emailKey }: Pick<User, 'id' | 'emailKey'>): Promise<void> {
  for (const place of await placesOf(unit, emailKey)) {
    const { projectId, memberId } = place
    await unit.decide(projects, projectId, 'JoinMember', { memberId, userId })
    await exited(unit, emailKey, place)
    const project = await unit.load(projects, projectId)
    if (project && memberOf(project, userId)?.id === memberId) await entered(unit, userId, place)
  }
}

/** In the unit that erases an account: it is nowhere a member any more, and what it owned is nobody's until somebody claims it. */
export async function leaveProjects(unit: Unit, userId: string): Promise<void> {
  for (const place of await placesOf(unit, userId)) {
    const { projectId } = place
    const project = await unit.load(projects, projectId)
    const isOwned = project !== undefined && memberOf(project, userId)?.role === 'OWNER'
    await unit.decide(projects, projectId, 'Forget', { userId })
    await exited(unit, userId, place)
    if (isOwned) await unit.decide(projectRoster, undefined, 'ChangeOwner', { projectId, ownerId: null })
  }
}
