/**
 * One-time links of accounts, to verify an address or to choose a password. The secret is derived and
 * not stored. It is in the link's fragment (`#`), so that no server, proxy or log sees it when the page
 * is opened. Links use only the configured URL of the panel.
 */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { deriveSecret, hashSecret } from '#kernel/credentials/secret-token'
import type { DataOf } from '#kernel/events/event'
import type { HandlerContext } from '#kernel/http/route'
import type { Vault } from '#kernel/vault/vault'
import { userLinkRequestEvents } from '../auth/events.ts'
import { configuration, effectivePanelUrl } from '../config/effective-config.ts'
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

/** URL for a mail, or for the answer if the installation sends no mail. */
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
 * Requests a mail with a link; the request may be anonymous. The two links before it stay valid. A
 * second request within five minutes sends no mail.
 */
export async function requestUserLink(
  unit: UnitOfWork,
  vault: Vault,
  { userId, ...link }: UserLinkRef & { userId: string },
) {
  await unit.decide(users, userId, 'AskForLink', await withHash(vault, link))
}

/**
 * Creates a link for an administrator. A RESET link is valid for ten minutes, an INVITE link for one day.
 * @param mailed the reaction `user-links` mails it; else it is returned to the administrator once and
 * voids the links returned earlier
 */
export async function createUserLink(
  unit: UnitOfWork,
  vault: Vault,
  { userId, by, mailed, ...link }: UserLinkRef & { userId: string; mailed: boolean; by: ActingUser },
): Promise<void> {
  await unit.decide(users, userId, 'MakeLinkFor', { ...(await withHash(vault, link)), mailed, by })
}

type LinkRequest = Pick<DataOf<typeof userLinkRequestEvents.UserLinkAsked>, 'purpose' | 'emailKey' | 'isMuted'>

/** Records that a link was requested for an address, whether it has an account or not. */
export function recordLinkRequest(unit: UnitOfWork, ask: LinkRequest): void {
  const day = unit.at.toISOString().slice(0, 10)
  unit.appendEvent(
    userLinkRequestEvents,
    undefined,
    userLinkRequestEvents.UserLinkAsked({ userLinkId: unit.newId(), day, ...ask }),
  )
}
