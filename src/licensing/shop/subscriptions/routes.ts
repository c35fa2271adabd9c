import { z } from 'zod'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { pagination, listReply } from '#kernel/http/pagination'
import { found } from '#kernel/lib/rejection'
import { subscriptionsAt, subscriptionStatusAt } from '#projections/licensing/subscriptions'
import type { SubscriptionRow } from '#projections/licensing/subscriptions'
import { changeSubscription, previewChange, refuseShopChange } from '../../workflows/subscriptions/change.ts'
import { decideSubscription, simulateCommand } from '../../workflows/subscriptions/decide.ts'
import { customer } from '../../access/access.ts'
import { customerOf } from '../../access/customer-caller.ts'
import { BILLING_CYCLES } from '../../licenses/events.ts'
import { slug } from '../../plans/events.ts'
import { PREVIEW_TOKEN_CHARACTERS_MAX, verifyPreviewToken } from '../../workflows/subscriptions/preview-token.ts'
import { currentSigningKey } from '../../signing-keys/signing-key.ts'
import { subscriptions } from '../../subscriptions/decider.ts'
import { SUBSCRIPTION_STATUSES } from '../../subscriptions/events.ts'
import { Payment } from '../../payments/views.ts'
import { paymentList, paymentsFor } from '../../subscriptions/payments/views.ts'
import { Preview, toSubscriptionReply, Subscription } from '../../subscriptions/views.ts'

/** A reference is the word of whoever sold it, in his own books. */
const OwnSubscription = Subscription.omit({ reference: true })

/** Under which the provider keeps a payment is nobody's but the operator's to look up. */
const OwnPaymentEntry = Payment.omit({ providerRef: true })
const OwnPayment = OwnPaymentEntry.extend({ refunds: z.array(OwnPaymentEntry) })

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
const hasChange = (ask: { planSlug?: unknown; seats?: unknown; billingCycle?: unknown }): boolean =>
  [ask.planSlug, ask.seats, ask.billingCycle].some((term) => term !== undefined)
const NO_CHANGE_MESSAGE = 'must name planSlug, seats or billingCycle'
const PreviewRequest = z.strictObject(change).refine(hasChange, NO_CHANGE_MESSAGE)
const Change = z
  .strictObject({ ...change, previewToken: z.string().max(PREVIEW_TOKEN_CHARACTERS_MAX).optional() })
  .refine(hasChange, NO_CHANGE_MESSAGE)

/** What a change costs is due at once, and what it saves is credited: not for the customer to choose. */
const IMMEDIATE_PRORATION = { proration: 'invoice' } as const

/** Said in clear, so it is one of a few words; the customer's own are his, and sealed. */
const CANCELLATION_REASONS = ['TOO_EXPENSIVE', 'MISSING_FEATURES', 'UNUSED', 'SWITCHED', 'OTHER'] as const

const Cancellation = z.strictObject({
  mode: z.enum(['now', 'period_end']),
  reason: z.enum(CANCELLATION_REASONS).optional(),
  comment: z.string().trim().min(1).max(2_000).optional(),
})

/** @throws Rejection 404 for what does not exist and for what is another's, alike */
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
      return ownList.list<SubscriptionRow>(rows, query, {
        status: (some, status: SubscriptionRow['status']) => some.where(subscriptionStatusAt(now), '=', status),
      })
    },
  }),

  route('GET /api/shop/subscriptions/:id', {
    does: 'Read a subscription of mine.',
    access: customer,
    reply: OwnSubscription,
    handle: (call) => ownSubscription(call, call.params.id),
  }),

  route('GET /api/shop/subscriptions/:id/payments', {
    does: 'List what was charged and credited for a subscription of mine, newest first, with what was given back of each.',
    access: customer,
    query: paymentList.query,
    reply: listReply(OwnPayment),
    async handle(call) {
      const { id } = await ownSubscription(call, call.params.id)
      return paymentsFor(call.read, id, call.query)
    },
  }),

  route('POST /api/shop/subscriptions/:id/change-preview', {
    does: 'What a change would come to: the terms before and after, the money, the license. Nothing is recorded. Its previewToken keeps the price for ten minutes.',
    access: customer,
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
    does: 'Change plan, seats or billing cycle, now or at the end of the period. What it costs is due at once, what it saves is credited. Another plan brings a new license, whose key panels fetch by themselves. A previewToken keeps the price of its preview.',
    access: customer,
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
    does: 'Cancel at once, which revokes the license and frees its slots, or at the end of the period, with which the license then ends without grace. With dryRun=true nothing is recorded: the answer is what it would become.',
    access: customer,
    query: z.strictObject({ dryRun: z.stringbool().default(false) }),
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
