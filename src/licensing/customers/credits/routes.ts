import { z } from 'zod'
import { route } from '#kernel/http/route'
import { reasonSchema } from '#kernel/lib/display-text'
import { found, reject } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import { paymentTable } from '#projections/licensing/payments'
import { staff } from '../../access/access.ts'
import { AMOUNT_MAX, currency, minorUnits } from '../../payments/events.ts'
import { Payment } from '../../payments/views.ts'
import { grantCredit } from '../../workflows/billing/request-payment.ts'
import { customers } from '../decider.ts'

const NewCredit = z.strictObject({
  amount: minorUnits.min(1).max(AMOUNT_MAX),
  currency: currency.default('EUR'),
  reason: reasonSchema(500),
})

export const creditRoutes = [
  route('POST /api/admin/customers/:id/credits', {
    does: 'Grant a customer credit, in minor units. It pays the customer’s next charges in that currency.',
    access: staff('payments:manage'),
    status: 201,
    body: NewCredit,
    reply: Payment,
    stepUp: true,
    async handle({ run, read, params: { id: customerId }, body, waitForReadModels }) {
      const paymentId = await run(async (unit) => {
        if (found(await unit.load(customers, customerId)).status === 'ERASED')
          reject('conflict', 'The customer is erased', 'CUSTOMER_ERASED')
        return grantCredit(unit, { ...body, customerId, subscriptionId: null })
      })
      await waitForReadModels()
      return found(await findRow(read, paymentTable, { id: paymentId }))
    },
  }),
]
