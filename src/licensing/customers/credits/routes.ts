import { z } from 'zod'
import { inState } from '#kernel/http/in-state'
import { listReply, pagination } from '#kernel/http/pagination'
import { route } from '#kernel/http/route'
import { reasonSchema } from '#kernel/lib/display-text'
import { found } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import { customerTable } from '#projections/licensing/customers'
import { CREDIT_KINDS, creditTable, paymentTable } from '#projections/licensing/payments'
import { staff } from '../../access/access.ts'
import { AMOUNT_MAX, currency, minorUnits } from '../../payments/events.ts'
import { Payment } from '../../payments/views.ts'
import { grantCredit } from '../../workflows/billing/request-payment.ts'
import { Customer } from '../../workflows/export-customer.ts'
import { UNERASED_CUSTOMER, customers, requireUnerasedCustomer } from '../decider.ts'

const NewCredit = z.strictObject({
  amount: minorUnits.min(1).max(AMOUNT_MAX),
  currency: currency.default('EUR'),
  reason: reasonSchema(500),
})

const CreditEntry = z
  .object({
    id: z.uuid(),
    kind: z.enum(CREDIT_KINDS),
    /** Below 0: it was spent. */
    amount: minorUnits,
    currency: z.string(),
    /** Of granted credit its own record, else the payment that used it. */
    paymentId: z.uuid(),
    /** ERASED if the customer was erased. */
    reason: z.string().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'CreditEntry' })

const creditList = pagination({ filters: { kind: z.enum(CREDIT_KINDS).optional() }, sort: ['createdAt'] })

export const creditRoutes = [
  route('GET /api/admin/customers/:id/credits', {
    does: 'List what was granted to a customer as credit, spent on payments and returned, newest first.',
    access: staff('payments:view'),
    query: creditList.query,
    reply: listReply(CreditEntry),
    async handle({ read, vault, params: { id }, query }) {
      found(await findRow(read, customerTable, { id }))
      const page = await creditList.list(creditTable.queryIn(read).selectAll().where('customerId', '=', id), query)
      return { ...page, items: await creditTable.open(vault, page.items) }
    },
  }),

  route('POST /api/admin/customers/:id/credits', {
    does: 'Grant a customer credit, in minor units. It pays the customer’s next charges in that currency.',
    access: staff('payments:manage'),
    from: inState(Customer, UNERASED_CUSTOMER),
    status: 201,
    body: NewCredit,
    reply: Payment,
    stepUp: true,
    async handle({ run, read, params: { id: customerId }, body, waitForReadModels }) {
      const paymentId = await run(async (unit) => {
        requireUnerasedCustomer(await unit.load(customers, customerId))
        return grantCredit(unit, { ...body, customerId, subscriptionId: null })
      })
      await waitForReadModels()
      return found(await findRow(read, paymentTable, { id: paymentId }))
    },
  }),
]
