/**
 * One-time links that let a customer set a password. A link is mailed to the customer's address and
 * never returned in a reply.
 */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { hashSecret } from '#kernel/credentials/secret-token'
import type { HandlerContext } from '#kernel/http/route'
import type { Vault } from '#kernel/vault/vault'
import { shopAccounts } from '../shop/accounts/decider.ts'
import type { LinkPurpose } from '../shop/accounts/events.ts'
import { requireShopPages } from '../shop/page-links.ts'

export interface CustomerLink {
  readonly customerId: string
  readonly linkId: string
  readonly purpose: LinkPurpose
}

/** 256 bits in base64url. The token is derived from the link, so it is not stored. */
export const linkToken = (vault: Vault, { customerId, linkId, purpose }: CustomerLink): Promise<string> =>
  vault.hmac('shop-links', `${purpose}/${customerId}/${linkId}`)

export const LINK_TOKEN = /^[A-Za-z0-9_-]{43}$/

async function newLink(unit: UnitOfWork, vault: Vault, customerId: string, purpose: LinkPurpose) {
  const linkId = unit.newId()
  const tokenHash = hashSecret(await linkToken(vault, { customerId, linkId, purpose }))
  return { customerId, linkId, purpose, tokenHash }
}

/**
 * Mails a link on request of staff. A RESET link is valid for ten minutes, a VERIFY link for a day.
 * The route calls `requireLinkDelivery` first.
 */
export async function requestLink(
  unit: UnitOfWork,
  vault: Vault,
  customerId: string,
  purpose: LinkPurpose,
): Promise<void> {
  await unit.decide(shopAccounts, customerId, 'RequestLink', await newLink(unit, vault, customerId, purpose))
}

/**
 * Mails a link on an anonymous request. The two previous links stay valid. Sends nothing within
 * five minutes of the last link.
 */
export async function requestLinkAnonymously(
  unit: UnitOfWork,
  vault: Vault,
  customerId: string,
  purpose: LinkPurpose,
): Promise<void> {
  await unit.decide(shopAccounts, customerId, 'AskForLink', await newLink(unit, vault, customerId, purpose))
}

/**
 * @throws Rejection 503 SHOP_NOT_CONFIGURED without SHOP_URL · 409 MAIL_NOT_CONFIGURED without mail
 * settings
 */
export async function requireLinkDelivery(call: Pick<HandlerContext, 'service' | 'requireMail'>): Promise<void> {
  requireShopPages(call)
  await call.requireMail()
}
