import { z } from 'zod'
import { inState } from '#kernel/http/in-state'
import { pagination, listReply } from '#kernel/http/pagination'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { flag } from '#kernel/lib/flag'
import { anyOneOf } from '#kernel/lib/given-fields'
import { found } from '#kernel/lib/rejection'
import { subscriptionsAt, subscriptionStatusAt } from '#projections/licensing/subscriptions'
import type { SubscriptionRow } from '#projections/licensing/subscriptions'
import { customer } from '../../access/access.ts'
import { customerOf } from '../../access/customer-caller.ts'
import { BILLING_CYCLES } from '../../licenses/events.ts'
import { Payment } from '../../payments/views.ts'
import { slug } from '../../plans/events.ts'
import { currentSigningKey } from '../../signing-keys/signing-key.ts'
import { subscriptions } from '../../subscriptions/decider.ts'
import { SUBSCRIPTION_STATUSES } from '../../subscriptions/events.ts'
import { paymentList, paymentsFor } from '../../subscriptions/payments/views.ts'
import { CHANGEABLE_SUBSCRIPTION, LIVE_SUBSCRIPTION } from '../../subscriptions/term-rules.ts'
import { Preview, subscriptionVersion, toSubscriptionReply, Subscription } from '../../subscriptions/views.ts'
import { changeSubscription, previewChange, refuseShopChange } from '../../workflows/subscriptions/change.ts'
import { decideSubscription, simulateCommand } from '../../workflows/subscriptions/decide.ts'
import { PREVIEW_TOKEN_CHARACTERS_MAX, verifyPreviewToken } from '../../workflows/subscriptions/preview-token.ts'

/** Without the reference, which belongs to the seller's own books. */
const OwnSubscription = Subscription.omit({ reference: true }).meta({ id: 'OwnSubscription' })

/** Without the provider's id of the payment, which only the operator needs. */
const OwnPaymentEntry = Payment.omit({ providerRef: true }).meta({ id: 'OwnPaymentEntry' })
const OwnPayment = OwnPaymentEntry.extend({ refunds: z.array(OwnPaymentEntry) }).meta({ id: 'OwnPayment' })

const ownList = pagination({
  filters: { status: z.enum(SUBSCRIPTION_STATUSES).optional(), planSlug: z.string().max(64).optional() },
  sort: ['createdAt', 'currentPeriodEnd'],
})

const SEATS_MAX = 1_000_000

const change = {
  planSlug: slug.optional(),
  seats: z.int().min(1).max(SEATS_MAX).optional(),
  billingCycle: z.enum(BILLING_CYCLES).optional(),
  effective: z.enum(['now', 'period_end']).default('now'),
}
const CHANGED = ['planSlug', 'seats', 'billingCycle'] as const
const NO_CHANGE_MESSAGE = 'must name planSlug, seats or billingCycle'
const PreviewRequest = anyOneOf(z.strictObject(change), CHANGED, NO_CHANGE_MESSAGE)
const Change = anyOneOf(
  z.strictObject({ ...change, previewToken: z.string().max(PREVIEW_TOKEN_CHARACTERS_MAX).optional() }),
  CHANGED,
  NO_CHANGE_MESSAGE,
)

/** A customer cannot choose the proration: extra cost is due at once, and savings become credit. */
const IMMEDIATE_PRORATION = { proration: 'invoice' } as const

/** The reason is stored in plain text, so it is one of these codes; the customer's own words are sealed. */
const CANCELLATION_REASONS = ['TOO_EXPENSIVE', 'MISSING_FEATURES', 'UNUSED', 'SWITCHED', 'OTHER'] as const

const Cancellation = z.strictObject({
  mode: z.enum(['now', 'period_end']),
  reason: z.enum(CANCELLATION_REASONS).optional(),
  comment: z.string().trim().min(1).max(2_000).optional(),
})

/** @throws Rejection 404, the same for unknown ids and for other customers' subscriptions */
export async function ownSubscription(
  { read, caller, now }: Pick<HandlerContext, 'read' | 'caller' | 'now'>,
  id: string,
): Promise<SubscriptionRow> {
  const { customerId } = customerOf(caller)
  const one = subscriptionsAt(read, now).where('id', '=', id).where('customerId', '=', customerId)
  return found(await one.executeTakeFirst())
}

export const shopSubscriptionRoutes = [
  route('GET /api/shop/subscriptions', {
    does: 'List my subscriptions.',
    access: customer,
    query: ownList.query,
    reply: listReply(OwnSubscription),
    handle: ({ read, caller, now, query }) => {
      const rows = subscriptionsAt(read, now).where('customerId', '=', customerOf(caller).customerId)
      return ownList.list(rows, query, {
        status: (some, status: SubscriptionRow['status']) => some.where(subscriptionStatusAt(now), '=', status),
      })
    },
  }),

  route('GET /api/shop/subscriptions/:id', {
    does: 'Read one of my subscriptions.',
    access: customer,
    version: subscriptionVersion,
    reply: OwnSubscription,
    handle: (call) => ownSubscription(call, call.params.id),
  }),

  route('GET /api/shop/subscriptions/:id/payments', {
    does: 'List the charges and credits of my subscription, newest first, each with its refunds.',
    access: customer,
    query: paymentList.query,
    reply: listReply(OwnPayment),
    async handle(call) {
      const { id } = await ownSubscription(call, call.params.id)
      return paymentsFor(call.read, id, call.query)
    },
  }),

  route('POST /api/shop/subscriptions/:id/change-preview', {
    does: 'Preview a change: terms, money and license. Nothing is recorded. Its previewToken keeps the price for ten minutes.',
    access: customer,
    from: inState(OwnSubscription, CHANGEABLE_SUBSCRIPTION),
    body: PreviewRequest,
    reply: Preview,
    async handle(call) {
      const { id } = await ownSubscription(call, call.params.id)
      const ask = { ...call.body, ...IMMEDIATE_PRORATION }
      return call.run(async (unit) => {
        await refuseShopChange(unit, id, ask)
        return previewChange(unit, call.vault, id, ask)
      })
    },
  }),

  route('PATCH /api/shop/subscriptions/:id', {
    does: 'Change plan, seats or billing cycle, now or at the end of the period. A previewToken keeps the previewed price.',
    access: customer,
    version: subscriptionVersion,
    from: inState(OwnSubscription, CHANGEABLE_SUBSCRIPTION),
    body: Change,
    reply: OwnSubscription,
    async handle(call) {
      const { run, vault, baseUrl: iss, body } = call
      const { id } = await ownSubscription(call, call.params.id)
      const { previewToken, ...terms } = body
      const ask = { ...terms, ...IMMEDIATE_PRORATION }
      const promised = previewToken === undefined ? undefined : await verifyPreviewToken(vault, previewToken)
      return run(async (unit) => {
        await refuseShopChange(unit, id, ask, promised)
        return toSubscriptionReply(await changeSubscription(unit, id, ask, { iss, promised }), unit.at)
      })
    },
  }),

  route('POST /api/shop/subscriptions/:id/cancel', {
    does: 'Cancel now, which revokes the license, or at the end of the period, without grace. With dryRun=true nothing is recorded.',
    access: customer,
    from: inState(OwnSubscription, LIVE_SUBSCRIPTION),
    query: z.strictObject({ dryRun: flag.default(false) }),
    body: Cancellation,
    reply: OwnSubscription,
    async handle(call) {
      const { id } = await ownSubscription(call, call.params.id)
      const { mode, ...ask } = call.body
      return call.run(async (unit) => {
        const asked = { ...ask, kid: (await currentSigningKey(unit)).kid }
        const command = mode === 'now' ? 'CancelSubscription' : 'ScheduleCancellation'
        if (call.query.dryRun)
          return toSubscriptionReply(
            simulateCommand(unit, found(await unit.look(subscriptions, id)), command, asked),
            unit.at,
          )
        await decideSubscription(unit, id, command, asked)
        return toSubscriptionReply((await unit.load(subscriptions, id))!, unit.at)
      })
    },
  }),
]
