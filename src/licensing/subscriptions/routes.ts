import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { inState } from '#kernel/http/in-state'
import { listReply, pagination } from '#kernel/http/pagination'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { reasonSchema } from '#kernel/lib/display-text'
import { flag } from '#kernel/lib/flag'
import { anyOneOf } from '#kernel/lib/given-fields'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { findRow } from '#kernel/projections/lookup'
import { subscriptionStatusAt, subscriptionTable, subscriptionsAt } from '#projections/licensing/subscriptions'
import type { SubscriptionRow } from '#projections/licensing/subscriptions'
import { staff, staffOrToken } from '../access/access.ts'
import { HistoryReply, historyQuery, recordHistory } from '../audit/record-history.ts'
import { BILLING_CYCLES } from '../licenses/events.ts'
import { slug } from '../plans/events.ts'
import { currentSigningKey } from '../signing-keys/signing-key.ts'
import { changeSubscription, previewChange } from '../workflows/subscriptions/change.ts'
import { decideSubscription, simulateCommand } from '../workflows/subscriptions/decide.ts'
import { referenceHmac } from '../workflows/subscriptions/issue-license.ts'
import { PREVIEW_TOKEN_CHARACTERS_MAX, verifyPreviewToken } from '../workflows/subscriptions/preview-token.ts'
import { sellSubscription } from '../workflows/subscriptions/sell.ts'
import { subscriptions } from './decider.ts'
import { PRORATIONS, SUBSCRIPTION_STATUSES } from './events.ts'
import {
  ACTIVE_SUBSCRIPTION,
  CHANGEABLE_SUBSCRIPTION,
  LEAVING_SUBSCRIPTION,
  LIVE_SUBSCRIPTION,
  PAUSED_SUBSCRIPTION,
} from './term-rules.ts'
import { toSubscriptionReply, subscriptionVersion, Subscription, Preview } from './views.ts'

const SEATS_MAX = 1_000_000

const seats = z.int().min(1).max(SEATS_MAX)

const NewSubscription = z.strictObject({
  customerId: uuid,
  planSlug: slug,
  seats: seats.default(1).meta({ examples: [5] }),
  billingCycle: z.enum(BILLING_CYCLES).default('YEARLY'),
  status: z.enum(['ACTIVE', 'TRIALING']).default('ACTIVE'),
  currentPeriodEnd: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('In the future, at most ten years ahead; one billing cycle from now if absent.'),
  issueLicense: z.boolean().default(true),
})

const change = {
  planSlug: slug.optional(),
  seats: seats.optional(),
  billingCycle: z.enum(BILLING_CYCLES).optional(),
  effective: z.enum(['now', 'period_end']).default('now'),
  proration: z
    .enum(PRORATIONS)
    .default('prorate')
    .describe(
      'prorate: the difference for the rest of the period is added to the next invoice; invoice: it is due at once; none: it is neither charged nor credited.',
    ),
}

const CHANGED = ['planSlug', 'seats', 'billingCycle'] as const
const NO_CHANGE_MESSAGE = 'must name planSlug, seats or billingCycle'

/** Changes that customers may request for their own subscription and staff for any. */
export const SubscriptionChange = anyOneOf(
  z.strictObject({ ...change, previewToken: z.string().max(PREVIEW_TOKEN_CHARACTERS_MAX).optional() }),
  CHANGED,
  NO_CHANGE_MESSAGE,
)

export const PreviewRequest = anyOneOf(z.strictObject(change), CHANGED, NO_CHANGE_MESSAGE)

const reason = reasonSchema(500).describe('Stored in plain text in the audit trail. Do not put personal data in it.')

const Cancellation = z.strictObject({
  mode: z.enum(['now', 'period_end']),
  reason: reason.optional(),
  comment: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .optional()
    .describe('The customer’s own words; erased with the customer.'),
})

const Reason = z.strictObject({ reason: reason.optional() }).default({})

const subscriptionList = pagination({
  filters: {
    customerId: uuid.optional(),
    status: z.enum(SUBSCRIPTION_STATUSES).optional(),
    planSlug: z.string().max(64).optional(),
    reference: z.string().max(200).optional(),
  },
  sort: ['createdAt', 'currentPeriodEnd'],
})

/** Runs a decision and returns the resulting subscription. */
const decideAndReply = (run: HandlerContext['run'], id: string, decide: (unit: UnitOfWork) => Promise<unknown>) =>
  run(async (unit) => {
    await decide(unit)
    return toSubscriptionReply((await unit.load(subscriptions, id))!, unit.at)
  })

export const subscriptionRoutes = [
  route('POST /api/admin/subscriptions', {
    does: 'Create a subscription for a customer. It gets a license at once unless issueLicense is false.',
    access: staffOrToken('subscriptions:manage'),
    status: 201,
    body: NewSubscription,
    reply: Subscription,
    handle: ({ run, baseUrl, body: { issueLicense, ...sale } }) =>
      run(async (unit) =>
        toSubscriptionReply(await sellSubscription(unit, sale, issueLicense ? baseUrl : undefined), unit.at),
      ),
  }),

  route('PATCH /api/admin/subscriptions/:id', {
    does: 'Change plan, seats or billing cycle, now or at the end of the period. A previewToken keeps the previewed price.',
    access: staffOrToken('subscriptions:manage'),
    version: subscriptionVersion,
    from: inState(Subscription, CHANGEABLE_SUBSCRIPTION),
    body: SubscriptionChange,
    reply: Subscription,
    handle: async ({ run, vault, baseUrl: iss, params: { id }, body: { previewToken, ...ask } }) => {
      const promised = previewToken === undefined ? undefined : await verifyPreviewToken(vault, previewToken)
      return run(async (unit) =>
        toSubscriptionReply(await changeSubscription(unit, id, ask, { iss, promised }), unit.at),
      )
    },
  }),

  route('POST /api/admin/subscriptions/:id/change-preview', {
    does: 'Preview a change: terms, money and license. Nothing is recorded. Its previewToken keeps the price for ten minutes.',
    access: staffOrToken('subscriptions:view'),
    from: inState(Subscription, CHANGEABLE_SUBSCRIPTION),
    body: PreviewRequest,
    reply: Preview,
    handle: ({ run, vault, params: { id }, body }) => run((unit) => previewChange(unit, vault, id, body)),
  }),

  route('POST /api/admin/subscriptions/:id/cancel', {
    does: 'Cancel now, which revokes the license, or at the end of the period, without grace. With dryRun=true nothing is recorded.',
    access: staffOrToken('subscriptions:manage'),
    from: inState(Subscription, LIVE_SUBSCRIPTION),
    query: z.strictObject({ dryRun: flag.default(false) }),
    body: Cancellation,
    reply: Subscription,
    handle: ({ run, params: { id }, query, body: { mode, ...ask } }) =>
      run(async (unit) => {
        const asked = { ...ask, kid: (await currentSigningKey(unit)).kid }
        const command = mode === 'now' ? 'CancelSubscription' : 'ScheduleCancellation'
        if (query.dryRun)
          return toSubscriptionReply(
            simulateCommand(unit, found(await unit.look(subscriptions, id)), command, asked),
            unit.at,
          )
        await decideSubscription(unit, id, command, asked)
        return toSubscriptionReply((await unit.load(subscriptions, id))!, unit.at)
      }),
  }),

  route('POST /api/admin/subscriptions/:id/uncancel', {
    does: 'Withdraw a pending cancellation. The license keeps its earlier end.',
    access: staff('subscriptions:manage'),
    from: inState(Subscription, LEAVING_SUBSCRIPTION),
    body: Reason,
    reply: Subscription,
    handle: ({ run, params: { id }, body }) =>
      decideAndReply(run, id, async (unit) => {
        const { kid } = await currentSigningKey(unit)
        return decideSubscription(unit, id, 'WithdrawCancellation', { ...body, kid })
      }),
  }),

  route('POST /api/admin/subscriptions/:id/pause', {
    does: 'Pause an active subscription. Its license is suspended until it is resumed; the end of the period does not move.',
    access: staff('subscriptions:manage'),
    from: inState(Subscription, ACTIVE_SUBSCRIPTION),
    body: Reason,
    reply: Subscription,
    handle: ({ run, params: { id }, body }) =>
      decideAndReply(run, id, (unit) => decideSubscription(unit, id, 'PauseSubscription', body)),
  }),

  route('POST /api/admin/subscriptions/:id/resume', {
    does: 'Resume a paused subscription.',
    access: staff('subscriptions:manage'),
    from: inState(Subscription, PAUSED_SUBSCRIPTION),
    body: Reason,
    reply: Subscription,
    handle: ({ run, params: { id }, body }) =>
      decideAndReply(run, id, (unit) => decideSubscription(unit, id, 'ResumeSubscription', body)),
  }),

  route('GET /api/admin/subscriptions', {
    does: 'List subscriptions. `reference` finds the subscription of a provisioning call; it must match in full, with the same case.',
    access: staffOrToken('subscriptions:view'),
    query: subscriptionList.query,
    reply: listReply(Subscription),
    handle: async ({ read, vault, now, query }) => {
      const referenceKey = await referenceHmac(vault, query.reference ?? '')
      const page = await subscriptionList.list(subscriptionsAt(read, now), query, {
        status: (rows, status: SubscriptionRow['status']) => rows.where(subscriptionStatusAt(now), '=', status),
        reference: (rows) => rows.where('referenceKey', '=', referenceKey),
      })
      return { ...page, items: await subscriptionTable.open(vault, page.items) }
    },
  }),

  route('GET /api/admin/subscriptions/:id', {
    does: 'Read a subscription.',
    access: staffOrToken('subscriptions:view'),
    version: subscriptionVersion,
    reply: Subscription,
    handle: async ({ read, vault, now, params }) => {
      const row = found(await subscriptionsAt(read, now).where('id', '=', params.id).executeTakeFirst())
      const [subscription] = await subscriptionTable.open(vault, [row])
      return subscription!
    },
  }),

  route('GET /api/admin/subscriptions/:id/history', {
    does: 'List the events of a subscription, newest first. Those of its licenses and payments are not among them.',
    access: staff('subscriptions:view'),
    query: historyQuery,
    reply: HistoryReply,
    handle: async (call) => {
      found(await findRow(call.read, subscriptionTable, { id: call.params.id }))
      return recordHistory(call)
    },
  }),
]
