import type { Kysely } from 'kysely'
import { z } from 'zod'
import { route } from '#kernel/http/route'
import { listing, pageOf } from '#kernel/listing'
import { found } from '#kernel/rejection'
import { subscriptionTable } from '#projections/licensing/subscriptions'
import type { SubscriptionRow } from '#projections/licensing/subscriptions'
import { customer } from '../../identity/access.ts'
import { customerOf } from '../../identity/customer-caller.ts'
import { SUBSCRIPTION_STATUSES } from '../../subscriptions/events.ts'
import { Subscription } from '../../subscriptions/routes.ts'

/** A reference is the word of whoever sold it, in his own books. */
export const OwnSubscription = Subscription.omit({ reference: true })

const Id = z.object({ id: z.uuid().toLowerCase() })

const ownList = listing({
  filters: { status: z.enum(SUBSCRIPTION_STATUSES).optional(), planSlug: z.string().max(64).optional() },
  sort: ['createdAt', 'currentPeriodEnd'],
})

/** @throws Rejection 404 for what does not exist and for what is another's, alike */
export async function ownSubscription(read: Kysely<any>, customerId: string, id: string): Promise<SubscriptionRow> {
  const one = subscriptionTable.in(read).selectAll().where('id', '=', id).where('customerId', '=', customerId)
  return found(await one.executeTakeFirst())
}

export const shopSubscriptionRoutes = [
  route('GET /api/shop/subscriptions', {
    does: 'List my subscriptions.',
    access: customer,
    query: ownList.query,
    reply: pageOf(OwnSubscription),
    handle: ({ read, caller, query }) =>
      ownList.list<SubscriptionRow>(
        subscriptionTable.in(read).selectAll().where('customerId', '=', customerOf(caller).customerId),
        query,
      ),
  }),

  route('GET /api/shop/subscriptions/:id', {
    does: 'Read a subscription of mine.',
    access: customer,
    params: Id,
    reply: OwnSubscription,
    handle: ({ read, caller, params }) => ownSubscription(read, customerOf(caller).customerId, params.id),
  }),
]
