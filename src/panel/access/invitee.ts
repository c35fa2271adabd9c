/** Recipient of a membership: an account, or an invited address without an account yet. */
import type { z } from 'zod'
import { emailKeyOf } from '#kernel/auth/sign-in'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { email } from '#kernel/credentials/email-address'
import { exactlyOneOf } from '#kernel/lib/given-fields'
import { reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import type { Vault } from '#kernel/vault/vault'
import { users } from '../users/decider.ts'

/** The body that names one. */
export const inviteeInput = { email: email.optional(), userId: uuid.optional() }
type InviteeInput = Readonly<Record<keyof typeof inviteeInput, string | undefined>>

/** Such a body. */
export const withOneInvitee = <Shape extends typeof inviteeInput>(body: z.ZodObject<Shape, z.core.$strict>) =>
  exactlyOneOf(body, ['email', 'userId'], 'Give either email or userId')

interface Invitee {
  readonly userId: string | null
  readonly invited: { readonly emailKey: string; readonly email: string } | null
}

/** @throws Rejection 400 UNKNOWN_USER */
export async function resolveInvitee(
  unit: UnitOfWork,
  vault: Vault,
  { email, userId: given }: Partial<InviteeInput>,
): Promise<Invitee> {
  if (email === undefined) return { userId: await requireAccount(unit, given!), invited: null }
  const emailKey = await emailKeyOf(vault, email)
  const userId = await userWithVerifiedEmail(unit, emailKey)
  return userId === undefined ? { userId: null, invited: { emailKey, email } } : { userId, invited: null }
}

/** The account that has proven the address, if any. */
async function userWithVerifiedEmail(unit: UnitOfWork, emailKey: string): Promise<string | undefined> {
  const userId = await unit.holderOf('userEmail', emailKey)
  const user = userId === undefined ? undefined : await unit.look(users, userId)
  return user?.isVerified ? userId : undefined
}

async function requireAccount(unit: UnitOfWork, userId: string): Promise<string> {
  if (!(await unit.look(users, userId))) reject('invalid', 'No account has this userId', 'UNKNOWN_USER')
  return userId
}
