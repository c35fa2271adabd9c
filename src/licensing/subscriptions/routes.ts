import type { Kysely } from 'kysely'
import { z } from 'zod'
import { route } from '#kernel/http/route'
import { listing, pageOf } from '#kernel/listing'
import { found } from '#kernel/rejection'
import type { Vault } from '#kernel/vault'
import { subscriptionTable } from '#projections/licensing/subscriptions'
import type { SubscriptionRow } from '#projections/licensing/subscriptions'
import { staffOrToken } from '../identity/access.ts'
import { referenceHmac } from '../issuing.ts'
import { BILLING_CYCLES } from '../licenses/events.ts'
import { PRORATIONS, SUBSCRIPTION_STATUSES } from './events.ts'

const instant = z.iso.datetime()

const ScheduledChange = z.object({
  planSlug: z.string().optional(),
  seats: z.int().optional(),
  billingCycle: z.enum(BILLING_CYCLES).optional(),
  proration: z.enum(PRORATIONS),
  effectiveAt: instant,
})

export const Subscription = z.object({
  id: z.uuid(),
  customerId: z.uuid(),
  planSlug: z.string(),
  planVersion: z.int(),
  status: z.enum(SUBSCRIPTION_STATUSES),
  seats: z.int(),
  billingCycle: z.enum(BILLING_CYCLES),
  currentPeriodStart: instant,
  currentPeriodEnd: instant,
  trialEndsAt: instant.nullable(),
  cancelAtPeriodEnd: z.boolean(),
  cancelledAt: instant.nullable(),
  maxActivations: z.int(),
  reference: z.string().nullable(),
  scheduledChange: ScheduledChange.nullable(),
  /** The license that nobody revoked. */
  licenseId: z.uuid().nullable(),
})

const Id = z.object({ id: z.uuid().toLowerCase() })

const subscriptionList = listing({
  filters: {
    customerId: z.uuid().optional(),
    status: z.enum(SUBSCRIPTION_STATUSES).optional(),
    planSlug: z.string().max(64).optional(),
    reference: z.string().max(200).optional(),
  },
  sort: ['createdAt', 'currentPeriodEnd'],
})

/** All that a customer was ever sold, oldest first. */
export async function subscriptionsOf(
  { read, vault }: { read: Kysely<any>; vault: Vault },
  customerId: string,
): Promise<z.output<typeof Subscription>[]> {
  const all = subscriptionTable.in(read).selectAll().where('customerId', '=', customerId)
  const rows = await all.orderBy('createdAt').orderBy('id').execute()
  return await subscriptionTable.open(vault, rows)
}

export const subscriptionRoutes = [
  route('GET /api/admin/subscriptions', {
    does: 'List subscriptions. `reference` finds the one that was provisioned under it: a whole reference, case-sensitive.',
    access: staffOrToken('subscriptions:view'),
    query: subscriptionList.query,
    reply: pageOf(Subscription),
    handle: async ({ read, vault, query }) => {
      const referenceKey = await referenceHmac(vault, query.reference ?? '')
      const page = await subscriptionList.list<SubscriptionRow>(subscriptionTable.in(read).selectAll(), query, {
        reference: (rows) => rows.where('referenceKey', '=', referenceKey),
      })
      return { ...page, items: await subscriptionTable.open(vault, page.items) }
    },
  }),

  route('GET /api/admin/subscriptions/:id', {
    does: 'Read a subscription.',
    access: staffOrToken('subscriptions:view'),
    params: Id,
    reply: Subscription,
    handle: async ({ read, vault, params }) => {
      const row = found(await subscriptionTable.in(read).selectAll().where('id', '=', params.id).executeTakeFirst())
      const [subscription] = await subscriptionTable.open(vault, [row])
      return subscription!
    },
  }),
]
