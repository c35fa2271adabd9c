import { z } from 'zod'
import { ownAccount } from '#kernel/auth/refresh'
import { route } from '#kernel/http/route'
import { nameSchema } from '#kernel/lib/display-text'
import { found } from '#kernel/lib/rejection'
import { customer } from '../../access/access.ts'
import { customerOf } from '../../access/customer-caller.ts'
import { customerRealm, shopProfile } from '../../access/customer-realm.ts'
import { customers } from '../../customers/decider.ts'
import { Profile } from './views.ts'

const written = nameSchema(200).nullable()

export const meRoutes = [
  route('GET /api/shop/me', {
    does: 'Read my account.',
    access: customer,
    reply: Profile,
    handle: async (call) => shopProfile(await ownAccount(customerRealm, call)),
  }),

  route('PATCH /api/shop/me', {
    does: 'Change my name or company; null removes the value.',
    access: customer,
    body: z.strictObject({ name: written.optional(), company: written.optional() }),
    reply: Profile,
    handle: async ({ run, caller, body }) => {
      const { customerId } = customerOf(caller)
      return run(async (unit) => {
        await unit.decide(customers, customerId, 'ChangeCustomer', body)
        return shopProfile(found(await customerRealm.account(unit, customerId)))
      })
    },
  }),
]
