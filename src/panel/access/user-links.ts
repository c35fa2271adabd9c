/**
 * One-time links of accounts: to verify an address, to choose a password. The secret is derived and stored nowhere; it stands behind
 * the link's `#`, so that no server, proxy or log sees it before it is sent on purpose. It leads to the configured address alone.
 */
import type { Unit } from '#kernel/commands/command-runner'
import type { DataOf } from '#kernel/events/event'
import type { Call } from '#kernel/http/route'
import { deriveSecret, hashSecret } from '#kernel/credentials/secret-token'
import type { Vault } from '#kernel/vault/vault'
import { configuration, panelUrlInForce } from '../config/effective-config.ts'
import { UserLinkAsked, userLinkAskEvents } from '../auth/events.ts'
import { users } from '../users/decider.ts'
import type { Acting } from '../users/decider.ts'
import type { LinkPurpose } from '../users/events.ts'

interface Link {
  readonly userLinkId: string
  readonly purpose: LinkPurpose
}

const PAGES: Readonly<Record<LinkPurpose, string>> = {
  VERIFY: 'verify-email',
  RESET: 'reset-password',
  INVITE: 'reset-password',
}

export const linkSecret = async (vault: Vault, userLinkId: string): Promise<string> =>
  deriveSecret('l', await vault.key('user-link'), userLinkId)

/** What is mailed, or answered where no mail is sent. */
export const userLink = async (
  { vault, given }: Pick<Call, 'vault' | 'given'>,
  { userLinkId, purpose }: Link,
): Promise<string> => {
  const { environment, decided } = given(configuration)
  const panelUrl = panelUrlInForce(environment, await decided())
  return `${panelUrl}/${PAGES[purpose]}#token=${await linkSecret(vault, userLinkId)}`
}

const withHash = async (vault: Vault, link: Link) => ({
  ...link,
  linkHash: hashSecret(await linkSecret(vault, link.userLinkId)),
})

/**
 * Has a link mailed that anybody may have asked for. The two before it stay good. Asked for again within five minutes, none
 * follows.
 */
export async function askForUserLink(unit: Unit, vault: Vault, { userId, ...link }: Link & { userId: string }) {
  await unit.decide(users, userId, 'AskForLink', await withHash(vault, link))
}

/**
 * Makes a link at the wish of an administrator. A RESET link holds for ten minutes, an INVITE link for a day.
 * @param mailed the reaction `user-links` sends it; else it is answered to the administrator, once, and voids those answered before
 */
export async function makeUserLink(
  unit: Unit,
  vault: Vault,
  { userId, by, mailed, ...link }: Link & { userId: string; mailed: boolean; by: Acting },
): Promise<void> {
  await unit.decide(users, userId, 'MakeLinkFor', { ...(await withHash(vault, link)), mailed, by })
}

type Ask = Pick<DataOf<typeof UserLinkAsked>, 'purpose' | 'emailKey' | 'isMuted'>

/** That somebody asked for one with an address, whether it has an account or not. */
export function noteAsked(unit: Unit, ask: Ask): void {
  const day = unit.at.toISOString().slice(0, 10)
  unit.record(userLinkAskEvents, undefined, UserLinkAsked({ userLinkId: unit.newId(), day, ...ask }))
}
