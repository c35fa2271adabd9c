import { z } from 'zod'
import { enforceLimit } from '#kernel/auth/caller-limits'
import { route } from '#kernel/http/route'
import { customer } from '../../access/access.ts'
import { customerOf } from '../../access/customer-caller.ts'
import { CHECKOUT_LIMIT } from '../../access/customer-limits.ts'
import { BILLING_CYCLES } from '../../licenses/events.ts'
import { slug } from '../../plans/events.ts'
import { Checkout, readCheckout, openCheckout } from '../../workflows/billing/checkout.ts'
import { requireShopPages } from '../page-links.ts'

const Order = z.strictObject({
  planSlug: slug,
  seats: z.int().min(1).max(1_000_000).default(1),
  billingCycle: z.enum(BILLING_CYCLES).default('YEARLY'),
})

export const checkoutRoutes = [
  route('POST /api/shop/checkout', {
    does: 'Buy a plan. Returns the payment page; the license follows the payment. Free plans start at once. Unpaid checkouts end after 23 hours.',
    access: customer,
    status: 201,
    body: Order,
    reply: z.object({ id: z.uuid(), checkoutUrl: z.string() }),
    async handle(call) {
      const { customerId } = customerOf(call.caller)
      const pages = requireShopPages(call)
      await enforceLimit(call, CHECKOUT_LIMIT, customerId)
      const back = { returnUrl: `${pages}/checkout/done`, cancelUrl: `${pages}/checkout/cancelled` }
      return openCheckout(call, { ...call.body, ...back, customerId })
    },
  }),

  route('GET /api/shop/checkout/:id', {
    does: 'Read the state of my checkout: waiting, paid or expired. A payment after its expiry is refunded.',
    access: customer,
    reply: Checkout,
    handle: (call) => readCheckout(call, customerOf(call.caller).customerId, call.params.id),
  }),
]
