import { z } from 'zod'
import { ownAccount } from '#kernel/auth/refresh'
import type { StateOf } from '#kernel/events/decider'
import type { RecordVersion } from '#kernel/http/record-version'
import { route } from '#kernel/http/route'
import { nameSchema } from '#kernel/lib/display-text'
import { found } from '#kernel/lib/rejection'
import { customer } from '../../access/access.ts'
import { customerOf } from '../../access/customer-caller.ts'
import { customerRealm, shopProfile } from '../../access/customer-realm.ts'
import { customers } from '../../customers/decider.ts'
import { Profile } from './views.ts'

const written = nameSchema(200).nullable()

const version: RecordVersion = {
  decider: customers,
  keyOf: ({ caller }) => customerOf(caller).customerId,
  shown: ({ name, company }: NonNullable<StateOf<typeof customers>>) => ({ name, company }),
}

export const meRoutes = [
  route('GET /api/shop/me', {
    does: 'Read my account.',
    access: customer,
    version: version,
    reply: Profile,
    handle: async (call) => shopProfile(await ownAccount(customerRealm, call)),
  }),

  route('PATCH /api/shop/me', {
    does: 'Change my name or company; null removes the value.',
    access: customer,
    version: version,
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
