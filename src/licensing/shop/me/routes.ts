import { z } from 'zod'
import { ownAccount } from '#kernel/auth/refresh'
import { recordVersion } from '#kernel/http/record-version'
import { route } from '#kernel/http/route'
import { nameSchema } from '#kernel/lib/display-text'
import { found } from '#kernel/lib/rejection'
import { customer } from '../../access/access.ts'
import { customerOf } from '../../access/customer-caller.ts'
import { customerRealm, shopProfile } from '../../access/customer-realm.ts'
import { customers } from '../../customers/decider.ts'
import { Profile } from './views.ts'

const written = nameSchema(200).nullable()

const version = recordVersion(Profile.pick({ name: true, company: true }), (unit, { caller }) =>
  unit.look(customers, customerOf(caller).customerId),
)

export const meRoutes = [
  route('GET /api/shop/me', {
    does: 'Read my account.',
    access: customer,
    version,
    reply: Profile,
    handle: async (call) => shopProfile(await ownAccount(customerRealm, call)),
  }),

  route('PATCH /api/shop/me', {
    does: 'Change my name or company; null removes the value.',
    access: customer,
    version,
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
