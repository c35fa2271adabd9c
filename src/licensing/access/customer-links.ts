/** One-time links by which a customer chooses a password. Mailed to his address and never shown to anybody else. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { HandlerContext } from '#kernel/http/route'
import { hashSecret } from '#kernel/credentials/secret-token'
import type { Vault } from '#kernel/vault/vault'
import { requireShopPages } from '../shop/page-links.ts'
import { shopAccounts } from '../shop/accounts/decider.ts'
import type { LinkPurpose } from '../shop/accounts/events.ts'

export interface CustomerLink {
  readonly customerId: string
  readonly linkId: string
  readonly purpose: LinkPurpose
}

/** 256 bits in base64url. The same link has the same token, so it need not be kept. */
export const linkToken = (vault: Vault, { customerId, linkId, purpose }: CustomerLink): Promise<string> =>
  vault.hmac('shop-links', `${purpose}/${customerId}/${linkId}`)

export const LINK_TOKEN = /^[A-Za-z0-9_-]{43}$/

async function newLink(unit: UnitOfWork, vault: Vault, customerId: string, purpose: LinkPurpose) {
  const linkId = unit.newId()
  const tokenHash = hashSecret(await linkToken(vault, { customerId, linkId, purpose }))
  return { customerId, linkId, purpose, tokenHash }
}

/**
 * Has a link mailed at the wish of who sells to the customer: for RESET it holds for ten minutes, for VERIFY for a day. Ask `needLinks`
 * first, in the route.
 */
export async function requestLink(
  unit: UnitOfWork,
  vault: Vault,
  customerId: string,
  purpose: LinkPurpose,
): Promise<void> {
  await unit.decide(shopAccounts, customerId, 'RequestLink', await newLink(unit, vault, customerId, purpose))
}

/** The same where anybody may have asked. The two before it stay good. Within five minutes of the last, none follows. */
export async function requestLinkAnonymously(
  unit: UnitOfWork,
  vault: Vault,
  customerId: string,
  purpose: LinkPurpose,
): Promise<void> {
  await unit.decide(shopAccounts, customerId, 'AskForLink', await newLink(unit, vault, customerId, purpose))
}

/** @throws Rejection 503 SHOP_NOT_CONFIGURED without SHOP_URL · 409 MAIL_NOT_CONFIGURED without a way to send mails */
export async function requireLinkDelivery(call: Pick<HandlerContext, 'service' | 'requireMail'>): Promise<void> {
  requireShopPages(call)
  await call.requireMail()
}
