/**
 * One-time links of accounts: to verify an address, to choose a password. The secret is derived and stored nowhere; it stands behind
 * the link's `#`, so that no server, proxy or log sees it before it is sent on purpose. It leads to the configured address alone.
 */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { DataOf } from '#kernel/events/event'
import type { HandlerContext } from '#kernel/http/route'
import { deriveSecret, hashSecret } from '#kernel/credentials/secret-token'
import type { Vault } from '#kernel/vault/vault'
import { configuration, effectivePanelUrl } from '../config/effective-config.ts'
import { UserLinkAsked, userLinkRequestEvents } from '../auth/events.ts'
import { users } from '../users/decider.ts'
import type { ActingUser } from '../users/decider.ts'
import type { LinkPurpose } from '../users/events.ts'

interface UserLinkRef {
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
export const userLinkUrl = async (
  { vault, service }: Pick<HandlerContext, 'vault' | 'service'>,
  { userLinkId, purpose }: UserLinkRef,
): Promise<string> => {
  const { environment, decided } = service(configuration)
  const panelUrl = effectivePanelUrl(environment, await decided())
  return `${panelUrl}/${PAGES[purpose]}#token=${await linkSecret(vault, userLinkId)}`
}

const withHash = async (vault: Vault, link: UserLinkRef) => ({
  ...link,
  linkHash: hashSecret(await linkSecret(vault, link.userLinkId)),
})

/**
 * Has a link mailed that anybody may have asked for. The two before it stay good. Asked for again within five minutes, none
 * follows.
 */
export async function requestUserLink(
  unit: UnitOfWork,
  vault: Vault,
  { userId, ...link }: UserLinkRef & { userId: string },
) {
  await unit.decide(users, userId, 'AskForLink', await withHash(vault, link))
}

/**
 * Makes a link at the wish of an administrator. A RESET link holds for ten minutes, an INVITE link for a day.
 * @param mailed the reaction `user-links` sends it; else it is answered to the administrator, once, and voids those answered before
 */
export async function createUserLink(
  unit: UnitOfWork,
  vault: Vault,
  { userId, by, mailed, ...link }: UserLinkRef & { userId: string; mailed: boolean; by: ActingUser },
): Promise<void> {
  await unit.decide(users, userId, 'MakeLinkFor', { ...(await withHash(vault, link)), mailed, by })
}

type LinkRequest = Pick<DataOf<typeof UserLinkAsked>, 'purpose' | 'emailKey' | 'isMuted'>

/** That somebody asked for one with an address, whether it has an account or not. */
export function recordLinkRequest(unit: UnitOfWork, ask: LinkRequest): void {
  const day = unit.at.toISOString().slice(0, 10)
  unit.appendEvent(userLinkRequestEvents, undefined, UserLinkAsked({ userLinkId: unit.newId(), day, ...ask }))
}
