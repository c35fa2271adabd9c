/** Creates the first account. Without a token, the first client that reaches the port would own the host. */
import { hash, timingSafeEqual } from 'node:crypto'
import { ANONYMOUS_ACTOR } from '#kernel/auth/realm'
import type { CommandRunner } from '#kernel/commands/command-runner'
import { deriveSecret } from '#kernel/credentials/secret-token'
import type { Vault } from '#kernel/vault/vault'
import { isRosterEmpty, userRoster } from '../users/decider.ts'

/** 238 bits. Derived and not stored, so that it is the same in every process and after every restart. */
const tokenOf = async (vault: Vault): Promise<string> =>
  deriveSecret('u', await vault.key('setup-token'), 'first account')

/** Shown to the operator of the host. Undefined once an account exists, because the token is then invalid. */
export async function setupToken({
  commands,
  vault,
}: {
  readonly commands: CommandRunner
  readonly vault: Vault
}): Promise<string | undefined> {
  const context = { actor: ANONYMOUS_ACTOR, requestId: 'setup' }
  const roster = await commands.run(context, (unit) => unit.look(userRoster))
  return isRosterEmpty(roster) ? tokenOf(vault) : undefined
}

/** Compares in constant time. */
export async function isSetupToken(vault: Vault, text: string): Promise<boolean> {
  const digest = (secret: string) => hash('sha256', secret, 'buffer')
  return timingSafeEqual(digest(text), digest(await tokenOf(vault)))
}
