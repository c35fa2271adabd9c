/**
 * Staff accounts created and repaired on the host: at the first start, by the command line, in
 * tests.
 */
import type { Pool } from 'pg'
import { emailKeyOf } from '#kernel/auth/sign-in'
import { liftLocks } from '#kernel/auth/verify-credentials'
import type { LiftedLocks } from '#kernel/auth/verify-credentials'
import type { CommandRunner, UnitOfWork } from '#kernel/commands/command-runner'
import { email as address } from '#kernel/credentials/email-address'
import { hashPassword } from '#kernel/credentials/password'
import { checkNewPassword } from '#kernel/credentials/password-policy'
import type { CommandContext } from '#kernel/events/event'
import { UniqueConstraintViolation } from '#kernel/events/store-port'
import { found, reject } from '#kernel/lib/rejection'
import type { Vault } from '#kernel/vault/vault'
import { staffSessions } from '../auth/decider.ts'
import { staffAccounts, staffRoster } from '../staff/decider.ts'
import type { Role } from './permissions.ts'
import { staffRealm } from './staff-realm.ts'

export type RunInUnit = <Result>(work: (unit: UnitOfWork) => Promise<Result>) => Promise<Result>

export interface NewStaff {
  readonly email: string
  readonly name: string
  readonly roles: readonly Role[]
  readonly password: string
}

/** @throws Rejection 400 for the address or the password · 409 EMAIL_TAKEN */
export async function addStaff(
  run: RunInUnit,
  vault: Vault,
  { email, name, roles, password }: NewStaff,
): Promise<{ id: string }> {
  const accepted = address.safeParse(email)
  if (!accepted.success) return reject('invalid', 'email is not a valid e-mail address', 'EMAIL_INVALID')
  await checkNewPassword(password, { withTotp: false, forbidden: [accepted.data, name] })
  const emailKey = await emailKeyOf(vault, accepted.data)
  const passwordHash = await hashPassword(password)
  return run(async (unit) => {
    const staffId = unit.newId()
    const person = { staffId, email: accepted.data, emailKey, name, roles: [...roles], passwordHash }
    await unit.decide(staffAccounts, staffId, 'AddStaff', person)
    await unit.decide(staffRoster, undefined, 'Enrol', { staffId, roles })
    return { id: staffId }
  }).catch(rejectTakenEmail)
}

export function rejectTakenEmail(error: unknown): never {
  if (!(error instanceof UniqueConstraintViolation)) throw error
  return reject('conflict', 'A member of staff already has this e-mail address', 'EMAIL_TAKEN')
}

export interface ResetPasswordDependencies {
  readonly commands: CommandRunner
  readonly vault: Vault
  /** The database with the attempt counters. */
  readonly pool: Pool
}

const ON_THE_HOST: CommandContext = { actor: { type: 'SYSTEM', id: 'daybook' }, requestId: 'staff reset-password' }

/**
 * Ends all sessions and lifts every lock; the second factor stays. An invited member of staff
 * becomes active.
 * @returns the failed attempts that were counted against the account
 * @throws Rejection 404 for an unknown address · 400 for the password
 */
export async function resetStaffPassword(
  { commands, vault, pool }: ResetPasswordDependencies,
  email: string,
  password: string,
): Promise<LiftedLocks> {
  const run: RunInUnit = (work) => commands.run(ON_THE_HOST, work)
  const person = found(await run(async (unit) => staffRealm.accountByEmailKey(unit, await emailKeyOf(vault, email))))
  const { id, totp, name } = person
  await checkNewPassword(password, { withTotp: totp !== undefined, forbidden: [person.email, name] })
  const passwordHash = await hashPassword(password)
  await run(async (unit) => {
    await unit.decide(staffAccounts, id, 'ResetPassword', { passwordHash })
    const { roles } = (await unit.load(staffAccounts, id))!
    await unit.decide(staffRoster, undefined, 'Enrol', { staffId: id, roles })
    await unit.decide(staffSessions, id, 'EndAllSessions', { reason: 'PASSWORD_RESET' })
  })
  return liftLocks(pool, staffRealm, person)
}
