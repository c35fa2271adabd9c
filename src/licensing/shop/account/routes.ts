import { z } from 'zod'
import { enforceLimit } from '#kernel/auth/caller-limits'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { customer } from '../../access/access.ts'
import { customerOf } from '../../access/customer-caller.ts'
import { EXPORT_LIMIT } from '../../access/customer-limits.ts'
import { eraseCustomer } from '../../workflows/erase-customer.ts'
import { CustomerExport, exportCustomer } from '../../workflows/export-customer.ts'

async function ownExport(call: HandlerContext) {
  const { customerId } = customerOf(call.caller)
  await enforceLimit(call, EXPORT_LIMIT, customerId)
  return exportCustomer(call, customerId)
}

export const accountRoutes = [
  route('POST /api/shop/account/export', {
    does: 'Export everything stored about me. Needs a proof of my identity from the last five minutes.',
    access: customer,
    reply: CustomerExport,
    stepUp: true,
    shownOnce: Object.keys(CustomerExport.shape),
    showAgain: async (call) => (await ownExport(call)).body,
    handle: ownExport,
  }),

  route('DELETE /api/shop/account', {
    does: 'Erase my account for good; `confirmEmail` is my address. Invoices stay by law. Needs a proof of identity from the last five minutes.',
    access: customer,
    body: z.strictObject({ confirmEmail: z.string().min(1).max(320) }),
    status: 202,
    stepUp: true,
    async handle(call) {
      await eraseCustomer(call, customerOf(call.caller).customerId, call.body.confirmEmail)
    },
  }),
]
