/**
 * Stripe (https://docs.stripe.com/api), by its own package. Card data never reaches this
 * installation.
 */
import { Stripe } from 'stripe'
import { reject } from '#kernel/lib/rejection'
import { unixSeconds } from '#kernel/lib/timestamps'
import { isLiveKey } from '../../config/stripe-secrets.ts'
import type { ReportedDispute } from '../payments/decider.ts'
import { ProviderUnavailable } from '../payments/provider.ts'
import type {
  ChargeRequest,
  CheckoutPageRequest,
  ProviderNotice,
  PaymentProvider,
  RefundRequest,
  ProviderReport,
} from '../payments/provider.ts'

export interface StripeSettings {
  readonly secretKey: string
  /** `whsec_…` of the endpoint that sends to /api/webhooks/payments/stripe. */
  readonly webhookSecret: string
  /** Another server with Stripe's protocol; absent: Stripe's own. */
  readonly apiBase?: URL | undefined
}

const TIMEOUT_MS = 15_000
const RETRIES = 1
/** Objects read per list, newest first; each purchase has its own Stripe customer. */
const LISTED = 100
/** Stripe's own tolerance: older notices are treated as replays. */
const SIGNED_SECONDS_MAX = 300

/** Notices that may concern a payment; all others are ignored. */
const KINDS = /^(checkout\.session|payment_intent|refund|charge\.dispute)\.|^charge\.refund/

export function stripeProvider({ secretKey, webhookSecret, apiBase }: StripeSettings): PaymentProvider {
  const stripe = new Stripe(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    ...(apiBase ? hostOf(apiBase) : {}),
  })
  return {
    name: 'stripe',
    createCheckout: (ask) => translateStripeErrors(() => checkout(stripe, ask)),
    closeCheckout: (ref) => translateStripeErrors(() => closeCheckout(stripe, ref)),
    charge: (ask) => translateStripeErrors(() => charge(stripe, ask)),
    refund: (ask) => translateStripeErrors(() => refund(stripe, ask)),
    verifyWebhook: (body, signature, now) =>
      verifyNotice(stripe, { body, signature, now, webhookSecret, isLive: isLiveKey(secretKey) }),
    fetchReport: (ref) => translateStripeErrors(() => fetchReport(stripe, ref)),
  }
}

function hostOf({ protocol, hostname, port }: URL) {
  const scheme = protocol === 'http:' ? ('http' as const) : ('https' as const)
  return { host: hostname, protocol: scheme, ...(port === '' ? {} : { port }) }
}

async function checkout(stripe: Stripe, ask: CheckoutPageRequest): Promise<{ ref: string; url: string }> {
  const { paymentId, amount, description, email, returnUrl, cancelUrl, expiresAt } = ask
  const metadata = { payment_id: paymentId }
  const currency = ask.currency.toLowerCase()
  const what: Stripe.Checkout.SessionCreateParams =
    amount === 0
      ? { mode: 'setup', currency, setup_intent_data: { metadata } }
      : {
          mode: 'payment',
          line_items: [
            { quantity: 1, price_data: { currency, unit_amount: amount, product_data: { name: description } } },
          ],
          payment_intent_data: { setup_future_usage: 'off_session', metadata },
          // Otherwise a customer abroad may pay in another currency, which is not the amount
          // requested.
          adaptive_pricing: { enabled: false },
        }
  const session = await stripe.checkout.sessions.create(
    {
      ...what,
      customer_creation: 'always',
      customer_email: email,
      client_reference_id: paymentId,
      metadata,
      success_url: returnUrl,
      cancel_url: cancelUrl,
      expires_at: unixSeconds(expiresAt),
    },
    { idempotencyKey: `checkout-${paymentId}` },
  )
  if (session.url === null) throw new ProviderUnavailable('Stripe returned no URL for the checkout')
  return { ref: session.id, url: session.url }
}

async function closeCheckout(stripe: Stripe, ref: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(ref)
  } catch (error) {
    // The session is closed or paid already.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
  }
}

/**
 * Stripe forgets idempotency keys after a day (https://docs.stripe.com/api/idempotent_requests), so
 * an existing charge is looked up first.
 */
async function charge(stripe: Stripe, ask: ChargeRequest): Promise<ProviderReport | undefined> {
  const { paymentId, attempt, amount, currency, description, customerRef, methodRef } = ask
  const before = await stripe.paymentIntents.list({ customer: customerRef, limit: LISTED })
  const isThis = ({ metadata }: Stripe.PaymentIntent): boolean =>
    metadata['payment_id'] === paymentId && metadata['attempt'] === String(attempt)
  const made = before.data.find(isThis)
  if (made) return reportOfIntent(made)
  try {
    const intent = await stripe.paymentIntents.create(
      {
        amount,
        currency: currency.toLowerCase(),
        customer: customerRef,
        payment_method: methodRef,
        off_session: true,
        confirm: true,
        description,
        metadata: { payment_id: paymentId, attempt: String(attempt) },
      },
      { idempotencyKey: `charge-${paymentId}-${attempt}` },
    )
    return reportOfIntent(intent)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeInvalidRequestError)
      return { what: 'failed', paymentId, attempt, code: codeOf(error) }
    throw error
  }
}

/** `card_declined/insufficient_funds`: Stripe's codes, which hold no personal data. */
const codeOf = ({
  code,
  decline_code: why,
}: {
  code?: string | undefined
  decline_code?: string | undefined
}): string => [code ?? 'refused', ...(why ? [why] : [])].join('/')

async function refund(stripe: Stripe, { paymentId, refundId, providerRef, amount }: RefundRequest) {
  const before = await stripe.refunds.list({ payment_intent: providerRef, limit: LISTED })
  const known = before.data.find(({ metadata }) => metadata?.['refund_id'] === refundId)
  if (known) return reportOfRefund(known)
  try {
    const made = await stripe.refunds.create(
      { payment_intent: providerRef, amount, metadata: { payment_id: paymentId, refund_id: refundId } },
      { idempotencyKey: `refund-${refundId}` },
    )
    return reportOfRefund(made)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError)
      return { what: 'refundFailed', paymentId, refundId, code: codeOf(error) } as const
    throw error
  }
}

/** By the prefix of its id. */
async function fetchReport(stripe: Stripe, ref: string): Promise<ProviderReport | undefined> {
  try {
    if (ref.startsWith('cs_'))
      return reportOfSession(
        await stripe.checkout.sessions.retrieve(ref, { expand: ['payment_intent', 'setup_intent'] }),
      )
    if (ref.startsWith('pi_')) return reportOfIntent(await stripe.paymentIntents.retrieve(ref))
    if (ref.startsWith('re_')) return reportOfRefund(await stripe.refunds.retrieve(ref))
    if (/^(dp|du)_/.test(ref))
      return reportOfDispute(await stripe.disputes.retrieve(ref, { expand: ['payment_intent'] }))
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return undefined
    throw error
  }
  return undefined
}

const idOf = (object: string | { readonly id: string } | null): string | undefined =>
  typeof object === 'string' ? object : object?.id

function billingOf(customer: Parameters<typeof idOf>[0], method: Parameters<typeof idOf>[0]) {
  const customerRef = idOf(customer)
  const methodRef = idOf(method)
  return customerRef !== undefined && methodRef !== undefined ? { customerRef, methodRef } : undefined
}

function reportOfSession(session: Stripe.Checkout.Session): ProviderReport | undefined {
  const paymentId = session.metadata?.['payment_id']
  if (paymentId === undefined) return undefined
  if (session.status === 'expired') return { what: 'expired', paymentId }
  if (session.status !== 'complete') return undefined
  const { payment_intent: intent, setup_intent: setup } = session
  if (session.mode === 'setup') {
    const method = typeof setup === 'string' ? null : (setup?.payment_method ?? null)
    const currency = (session.currency ?? '').toUpperCase()
    return { what: 'paid', paymentId, amount: 0, currency, ref: null, billing: billingOf(session.customer, method) }
  }
  return typeof intent === 'string' || intent === null ? undefined : reportOfIntent(intent)
}

function reportOfIntent(intent: Stripe.PaymentIntent): ProviderReport | undefined {
  const { payment_id: paymentId, attempt } = intent.metadata
  if (paymentId === undefined) return undefined
  if (intent.status === 'succeeded')
    return {
      what: 'paid',
      paymentId,
      amount: intent.amount_received,
      currency: intent.currency.toUpperCase(),
      ref: intent.id,
      billing: billingOf(intent.customer, intent.payment_method),
    }
  const isOver = ['requires_payment_method', 'requires_action', 'canceled'].includes(intent.status)
  if (attempt === undefined || !isOver) return undefined
  return { what: 'failed', paymentId, attempt: Number(attempt), code: codeOf(intent.last_payment_error ?? {}) }
}

function reportOfRefund({
  id: ref,
  status,
  metadata,
  failure_reason: reason,
}: Stripe.Refund): ProviderReport | undefined {
  const { payment_id: paymentId, refund_id: refundId } = metadata ?? {}
  if (paymentId === undefined || refundId === undefined) return undefined
  if (status === 'failed' || status === 'canceled')
    return { what: 'refundFailed', paymentId, refundId, code: reason ?? status }
  return status === 'succeeded' ? { what: 'refunded', paymentId, refundId, ref } : undefined
}

/**
 * An appeal follows a dispute that is already lost. A prevented dispute was refunded by the card
 * network.
 */
const OUTCOMES: Readonly<Record<string, ReportedDispute['status']>> = {
  won: 'WON',
  lost: 'LOST',
  prevented: 'LOST',
  appeal_needs_response: 'LOST',
  appeal_under_review: 'LOST',
  warning_closed: 'DROPPED',
}

function reportOfDispute(dispute: Stripe.Dispute): ProviderReport | undefined {
  const { id: providerRef, payment_intent: intent, amount, reason } = dispute
  const paymentId = typeof intent === 'string' ? undefined : intent?.metadata['payment_id']
  const ref = idOf(intent)
  if (paymentId === undefined || ref === undefined) return undefined
  const currency = dispute.currency.toUpperCase()
  const status = OUTCOMES[dispute.status] ?? 'OPEN'
  const holdsRefunds = status === 'OPEN' && !dispute.is_charge_refundable
  return { what: 'disputed', paymentId, ref, dispute: { providerRef, amount, currency, reason, status, holdsRefunds } }
}

interface SignedNotice {
  readonly body: Buffer
  readonly signature: string | undefined
  readonly now: Date
  readonly webhookSecret: string
  /** The mode of the configured key. */
  readonly isLive: boolean
}

/**
 * A key of one mode cannot read objects of the other. The rejection makes the notice appear as
 * failed in Stripe's dashboard.
 */
function verifyNotice(stripe: Stripe, signed: SignedNotice): ProviderNotice {
  const { id, type, data, livemode } = parseSignedEvent(stripe, signed)
  if (livemode === !signed.isLive)
    reject(
      'invalid',
      `This notice is of ${livemode ? 'live' : 'test'} mode, but STRIPE_SECRET_KEY belongs to the other mode: set a key of this mode`,
      'OTHER_MODE',
    )
  const ref = 'id' in data.object ? data.object.id : undefined
  return { id, kind: type, ref: KINDS.test(type) ? ref : undefined }
}

function parseSignedEvent(stripe: Stripe, { body, signature, now, webhookSecret }: SignedNotice): Stripe.Event {
  try {
    return stripe.webhooks.constructEvent(
      body,
      signature ?? '',
      webhookSecret,
      SIGNED_SECONDS_MAX,
      undefined,
      now.getTime(),
    )
  } catch {
    return reject(
      'invalid',
      'The signature is not the payment provider’s: check STRIPE_WEBHOOK_SECRET',
      'BAD_SIGNATURE',
    )
  }
}

/** A card's refusal is an answer. Every other error means that the outcome is unknown. */
async function translateStripeErrors<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    // Codes only: the provider's messages may repeat what was sent.
    if (error instanceof Stripe.errors.StripeError)
      throw new ProviderUnavailable(`Stripe: ${error.type} ${error.code ?? ''} ${error.statusCode ?? ''}`.trim())
    throw error
  }
}
