/** A promise of a price: any caller who presents it within ten minutes gets the change as previewed. */
import { hash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { reject } from '#kernel/lib/rejection'
import type { Vault } from '#kernel/vault/vault'
import { unrevokedLicense } from '../../subscriptions/license-rules.ts'
import type { Subscription } from '../../subscriptions/term-rules.ts'
import type { TermsChangeRequest } from './change.ts'

const PROMISE_MS = 600_000
export const PREVIEW_TOKEN_CHARACTERS_MAX = 2_000

const PricePromise = z.strictObject({
  subscriptionId: z.string(),
  change: z.string(),
  /** The version of the new plan. */
  planVersion: z.int(),
  state: z.string(),
  at: z.iso.datetime(),
})
export type PricePromise = z.output<typeof PricePromise>

/** The token contains no secret: it is signed, not sealed. */
export async function createPreviewToken(
  vault: Vault,
  {
    subscription,
    ask,
    planVersion,
    at,
  }: { subscription: Subscription; ask: TermsChangeRequest; planVersion: number; at: Date },
): Promise<string> {
  const promised: PricePromise = {
    subscriptionId: subscription.id,
    change: canonicalChange(ask),
    planVersion,
    state: stateHashOf(subscription),
    at: at.toISOString(),
  }
  const text = Buffer.from(JSON.stringify(promised)).toString('base64url')
  return `${text}.${await macOf(vault, text)}`
}

/** @throws Rejection 400 for a token that this installation has not signed */
export async function verifyPreviewToken(vault: Vault, token: string): Promise<PricePromise> {
  const [text = '', mac = ''] = token.split('.')
  const expected = Buffer.from(await macOf(vault, text))
  const given = Buffer.from(mac)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return rejectPreviewToken()
  return PricePromise.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
}

/**
 * @throws Rejection 400 for the token of another change, 409 if it is too old or the subscription
 * has changed since
 */
export function refuseInvalidPromise(
  promised: PricePromise,
  subscription: Subscription,
  ask: TermsChangeRequest,
  at: Date,
): void {
  if (promised.subscriptionId !== subscription.id || promised.change !== canonicalChange(ask)) rejectPreviewToken()
  if (at.getTime() - Date.parse(promised.at) > PROMISE_MS)
    rejectStalePreview('The preview is more than ten minutes old')
  if (promised.state !== stateHashOf(subscription)) rejectStalePreview('The subscription has changed since the preview')
}

const rejectPreviewToken = (): never =>
  reject('invalid', 'previewToken belongs to another change: request a preview of this one', 'PREVIEW_TOKEN_INVALID')
const rejectStalePreview = (why: string): never =>
  reject('conflict', `${why}: request another preview`, 'PREVIEW_STALE')

const macOf = (vault: Vault, text: string): Promise<string> => vault.hmac('preview-token', text)

const canonicalChange = ({ planSlug, seats, billingCycle, proration, effective }: TermsChangeRequest): string =>
  JSON.stringify([planSlug ?? null, seats ?? null, billingCycle ?? null, proration, effective])

/** A hash over everything that determines the price and the effect of a change. */
function stateHashOf(subscription: Subscription): string {
  const { status, planSlug, planVersion, seats, billingCycle, currentPeriodStart, currentPeriodEnd } = subscription
  const { trialEndsAt, billed, scheduledChange, cancellation, maxActivations } = subscription
  const license = unrevokedLicense(subscription)?.id ?? null
  const terms = [status, planSlug, planVersion, seats, billingCycle, maxActivations, license]
  const times = [currentPeriodStart, currentPeriodEnd, trialEndsAt, scheduledChange, cancellation?.endsAt ?? null]
  const text = JSON.stringify([terms, times, billed])
  return hash('sha256', text, 'base64url')
}
