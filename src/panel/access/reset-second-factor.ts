/**
 * Command of the host's operator for an account that is locked or has lost its second factor, when no
 * administrator can help. The audit trail records the system as the actor.
 */
import type { Pool } from 'pg'
import { emailKeyOf } from '#kernel/auth/sign-in'
import { liftLocks } from '#kernel/auth/verify-credentials'
import type { LiftedLocks } from '#kernel/auth/verify-credentials'
import type { CommandRunner } from '#kernel/commands/command-runner'
import { found } from '#kernel/lib/rejection'
import type { Vault } from '#kernel/vault/vault'
import { users } from '../users/decider.ts'
import { endUserSessions, userRealm } from './user-realm.ts'

const HOST_CONTEXT = { actor: { type: 'SYSTEM', id: 'daybook' }, requestId: 'host' }

export interface ResetSecondFactorDependencies {
  readonly commands: CommandRunner
  readonly vault: Vault
  /** Connects to the database of the attempt counters. */
  readonly pool: Pool
}

export interface SecondFactorReset extends LiftedLocks {
  /** Whether the account had a second factor. If so, its sessions were ended too. */
  readonly hadSecondFactor: boolean
}

/**
 * Removes a second factor, and with it the sessions, and lifts the delays and locks of the account.
 * @returns what was done
 * @throws Rejection 404 for an unknown address
 */
export async function resetSecondFactor(
  { commands, vault, pool }: ResetSecondFactorDependencies,
  email: string,
): Promise<SecondFactorReset> {
  const emailKey = await emailKeyOf(vault, email)
  const { id, hadSecondFactor } = await commands.run(HOST_CONTEXT, async (unit) => {
    const userId = found(await unit.holderOf('userEmail', emailKey))
    if (!(await unit.load(users, userId))?.totp) return { id: userId, hadSecondFactor: false }
    await unit.decide(users, userId, 'ResetTotp', {})
    await endUserSessions(unit, userId, 'TOTP_CHANGED')
    return { id: userId, hadSecondFactor: true }
  })
  return { hadSecondFactor, ...(await liftLocks(pool, userRealm, { id, emailKey })) }
}
