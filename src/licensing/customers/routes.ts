import { z } from 'zod'
import { route } from '#kernel/http/route'
import { normalisedEmail } from '#kernel/identity/email'
import { listing, pageOf } from '#kernel/listing'
import { found } from '#kernel/rejection'
import { customerTable } from '#projections/licensing/customers'
import type { CustomerRow } from '#projections/licensing/customers'
import { effectiveStatusAt, licenseTable } from '#projections/licensing/licenses'
import { subscriptionTable } from '#projections/licensing/subscriptions'
import { staffOrToken } from '../identity/access.ts'
import { CUSTOMER_STATUSES } from './events.ts'

const Customer = z.object({
  id: z.uuid(),
  /** ERASED, like name and company, when the customer was erased. */
  email: z.string(),
  name: z.string().nullable(),
  company: z.string().nullable(),
  status: z.enum(CUSTOMER_STATUSES),
  createdAt: z.iso.datetime(),
})

/** activeLicenses: those in effect, in their grace included. */
const CustomerWithCounts = Customer.extend({ counts: z.object({ subscriptions: z.int(), activeLicenses: z.int() }) })

const Id = z.object({ id: z.uuid().toLowerCase() })
const isUuid = (text: string): boolean => z.uuid().safeParse(text).success

const customerList = listing({
  filters: { status: z.enum(CUSTOMER_STATUSES).optional(), q: z.string().max(320).optional() },
  sort: ['createdAt'],
})

export const customerRoutes = [
  route('GET /api/admin/customers', {
    does: 'List customers. `q` finds a whole e-mail address, in any spelling of it, or an id: addresses are stored as ciphertext, so parts of one cannot be searched.',
    access: staffOrToken('customers:view'),
    query: customerList.query,
    reply: pageOf(Customer),
    handle: async ({ read, vault, query }) => {
      const emailKey = await vault.hmac('pepper', normalisedEmail(query.q ?? ''))
      const page = await customerList.list<CustomerRow>(customerTable.in(read).selectAll(), query, {
        q: (rows, q: string) => (isUuid(q) ? rows.where('id', '=', q) : rows.where('emailKey', '=', emailKey)),
      })
      return { ...page, items: await customerTable.open(vault, page.items) }
    },
  }),

  route('GET /api/admin/customers/:id', {
    does: 'Read a customer, with the number of his subscriptions and of his licenses in effect.',
    access: staffOrToken('customers:view'),
    params: Id,
    reply: CustomerWithCounts,
    handle: async ({ read, vault, params: { id }, now }) => {
      const row = found(await customerTable.in(read).selectAll().where('id', '=', id).executeTakeFirst())
      const [customer] = await customerTable.open(vault, [row])
      const [subscriptions, activeLicenses] = await Promise.all([
        numberOf(subscriptionTable.in(read).where('customerId', '=', id)),
        numberOf(
          licenseTable.in(read).where('customerId', '=', id).where(effectiveStatusAt(now), 'in', ['ACTIVE', 'GRACE']),
        ),
      ])
      return { ...customer!, counts: { subscriptions, activeLicenses } }
    },
  }),
]

async function numberOf(rows: ReturnType<typeof subscriptionTable.in>): Promise<number> {
  const { number } = await rows.select(({ fn }) => fn.countAll().as('number')).executeTakeFirstOrThrow()
  return Number(number)
}
