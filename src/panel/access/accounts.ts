/** Commands of administrators on other accounts. Each runs in one unit of work and is atomic. */
import { invalidSession } from '#kernel/auth/rejections'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { DataOf } from '#kernel/events/event'
import { UniqueConstraintViolation } from '#kernel/events/store-port'
import type { Caller, HandlerContext } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { limitsOf } from '../license/limits.ts'
import { adminRoles } from '../roles/resource.ts'
import { userRoster, users } from '../users/decider.ts'
import type { ActingUser, ChangeUserInput, User } from '../users/decider.ts'
import type { userEvents } from '../users/events.ts'
import { userCallerOf } from './user-caller.ts'
import { endUserSessions } from './user-realm.ts'

/**
 * The caller's account as this unit of work reads it, which may be newer than the session.
 * @throws Rejection 401
 */
export async function actingUser(unit: UnitOfWork, caller: Caller): Promise<User> {
  const user = await unit.look(users, userCallerOf(caller).userId)
  return user?.status === 'ACTIVE' ? user : invalidSession()
}

/** Runs a unit of work of the caller's account. @throws Rejection 401, and everything that `work` throws */
export const runAsCaller = <Result>(
  { run, caller }: Pick<HandlerContext, 'run' | 'caller'>,
  work: (unit: UnitOfWork, by: User) => Promise<Result>,
): Promise<Result> => run(async (unit) => work(unit, await actingUser(unit, caller)))

/** Permissions granted to the account, including its admin role's. They have effect only for the role ADMIN. */
export async function permissionsGrantedTo(
  unit: UnitOfWork,
  { permissions, adminRoleId }: User,
): Promise<readonly string[]> {
  const adminRole = (await unit.look(adminRoles)).find(({ id }) => id === adminRoleId)
  return [...permissions, ...(adminRole?.permissions ?? [])]
}

/** @throws Rejection 404 */
export const loadAccount = async (unit: UnitOfWork, userId: string): Promise<User> =>
  found(await unit.load(users, userId))

type NewAccount = Omit<DataOf<typeof userEvents.UserAdded>, 'status' | 'passwordHash'>

/**
 * The account has no password: send an invitation link afterwards.
 * @throws Rejection 403 HIERARCHY · 402 LIMIT_REACHED
 */
export async function inviteAccount(unit: UnitOfWork, by: ActingUser, account: NewAccount): Promise<void> {
  const { userId, role } = account
  const status = 'PENDING_VERIFICATION'
  await unit.decide(users, userId, 'InviteUser', { ...account, by, status, passwordHash: null })
  const { plan, usersMax } = await limitsOf(unit)
  await unit.decide(userRoster, undefined, 'Enrol', { userId, role, isActive: false, plan, usersMax })
}

/**
 * Ends the account's sessions when its role or status changes.
 * @throws Rejection 404 · 403 HIERARCHY | OWN_ACCOUNT · 409 LAST_SUPERADMIN
 */
export async function changeAccount(
  unit: UnitOfWork,
  by: ActingUser,
  userId: string,
  change: Omit<ChangeUserInput, 'by'>,
): Promise<User> {
  const before = await loadAccount(unit, userId)
  await unit.decide(users, userId, 'ChangeUser', { by, ...change })
  const { role, status } = await loadAccount(unit, userId)
  if (role !== before.role || status !== before.status) {
    await unit.decide(userRoster, undefined, 'Enrol', { userId, role, isActive: status === 'ACTIVE' })
    await endUserSessions(unit, userId, role === before.role ? 'SUSPENDED' : 'ROLE_CHANGED')
  }
  return loadAccount(unit, userId)
}

/**
 * Handler for `catch`.
 * @throws Rejection 409 EMAIL_TAKEN
 */
export function rejectTakenEmail(error: unknown): never {
  if (!(error instanceof UniqueConstraintViolation) || error.constraint.scope !== 'userEmail') throw error
  return reject('conflict', 'An account with this e-mail address already exists', 'EMAIL_TAKEN')
}
