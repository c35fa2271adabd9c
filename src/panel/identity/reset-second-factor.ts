/** For whoever has lost his second factor and whom nobody else can help: done on the host, audited as done by the system. */
import type { Pool } from 'pg'
import type { CommandRunner } from '#kernel/command'
import { Attempts } from '#kernel/identity/attempts'
import { codeTry } from '#kernel/realm/credentials'
import { emailKeyOf } from '#kernel/realm/signing-in'
import { found } from '#kernel/rejection'
import type { Vault } from '#kernel/vault'
import { users } from '../users/decider.ts'
import { endUserSessions } from './user-realm.ts'

const ON_THE_HOST = { actor: { type: 'SYSTEM', id: 'daybook' }, requestId: 'host' }

export interface ResetParts {
  readonly commands: CommandRunner
  readonly vault: Vault
  /** For the counter of wrong codes, which a block would outlive it by. */
  readonly service: Pool
}

/** Ends his sessions too. @throws Rejection 404 for an unknown address · 409 for an account without a second factor */
export async function resetSecondFactor({ commands, vault, service }: ResetParts, email: string): Promise<void> {
  const emailKey = await emailKeyOf(vault, email)
  const userId = await commands.run(ON_THE_HOST, async (unit) => {
    const id = found(await unit.holderOf('userEmail', emailKey))
    await unit.decide(users, id, 'ResetTotp', {})
    await endUserSessions(unit, id, 'TOTP_CHANGED')
    return id
  })
  await new Attempts(service).reset(codeTry({ id: userId }))
}
