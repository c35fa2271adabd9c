import { z } from 'zod'
import { email } from '#kernel/credentials/email-address'
import { UniqueConstraintViolation } from '#kernel/events/store-port'
import { listReply, pagination } from '#kernel/http/pagination'
import { route } from '#kernel/http/route'
import { nameSchema, reasonSchema } from '#kernel/lib/display-text'
import { reject } from '#kernel/lib/rejection'
import { isUuid, normalizeUuid } from '#kernel/lib/uuid'
import { sql } from '#kernel/projections/read-model'
import { customerTable } from '#projections/licensing/customers'
import type { CustomerRow } from '#projections/licensing/customers'
import { effectiveStatusAt, licenseTable } from '#projections/licensing/licenses'
import { subscriptionTable } from '#projections/licensing/subscriptions'
import { staff, staffOrToken } from '../access/access.ts'
import { requestLink, requireLinkDelivery } from '../access/customer-links.ts'
import { requireStaffStepUp } from '../access/staff-caller.ts'
import { eraseCustomer, emailKeyOf } from '../workflows/erase-customer.ts'
import { Customer, CustomerExport, exportCustomer, numberOf, readCustomer } from '../workflows/export-customer.ts'
import { setCustomerStatus } from '../workflows/subscriptions/set-customer-status.ts'
import { customers, requireActiveCustomer } from './decider.ts'
import { CUSTOMER_STATUSES } from './events.ts'

/** activeLicenses: those in effect, in their grace included. */
const CustomerWithCounts = Customer.extend({ counts: z.object({ subscriptions: z.int(), activeLicenses: z.int() }) })

const personal = nameSchema(200).nullable().default(null)

const NewCustomer = z.strictObject({ email, name: personal, company: personal })

const StatusChange = z.strictObject({
  status: z.enum(['ACTIVE', 'SUSPENDED']),
  reason: reasonSchema(500).nullable().default(null),
})

const Erasure = z.strictObject({ confirmEmail: z.string().min(1).max(320) })

const customerList = pagination({
  filters: { status: z.enum(CUSTOMER_STATUSES).optional(), q: z.string().max(320).overwrite(normalizeUuid).optional() },
  sort: ['createdAt'],
})

export const customerRoutes = [
  route('GET /api/admin/customers', {
    does: 'List customers. `q` finds a whole e-mail address, in any spelling of it, or an id: addresses are stored as ciphertext, so parts of one cannot be searched.',
    access: staffOrToken('customers:view'),
    query: customerList.query,
    reply: listReply(Customer),
    handle: async ({ read, vault, run, query }) => {
      const { q } = query
      const emailKey = await emailKeyOf(vault, q ?? '')
      const id = q === undefined || isUuid(q) ? q : await run((unit) => unit.holderOf('customerEmail', emailKey))
      const page = await customerList.list<CustomerRow>(customerTable.queryIn(read).selectAll(), query, {
        q: (rows) => (id === undefined ? rows.where(sql<boolean>`false`) : rows.where('id', '=', id)),
      })
      return { ...page, items: await customerTable.open(vault, page.items) }
    },
  }),

  route('GET /api/admin/customers/:id', {
    does: 'Read a customer, with the number of his subscriptions and of his licenses in effect.',
    access: staffOrToken('customers:view'),
    reply: CustomerWithCounts,
    handle: async ({ read, vault, params: { id }, now }) => {
      const customer = await readCustomer({ read, vault }, id)
      const [number, activeLicenses] = await Promise.all([
        numberOf(subscriptionTable.queryIn(read).where('customerId', '=', id)),
        numberOf(
          licenseTable
            .queryIn(read)
            .where('customerId', '=', id)
            .where(effectiveStatusAt(now), 'in', ['ACTIVE', 'GRACE']),
        ),
      ])
      return { ...customer, counts: { subscriptions: number, activeLicenses } }
    },
  }),

  route('POST /api/admin/customers', {
    does: 'Create a customer. His address, in any spelling of it, is nobody else’s.',
    access: staffOrToken('customers:manage'),
    status: 201,
    body: NewCustomer,
    reply: Customer,
    async handle({ run, vault, body }) {
      const emailKey = await emailKeyOf(vault, body.email)
      return run(async (unit) => {
        const customerId = unit.newId()
        await unit.decide(customers, customerId, 'RegisterCustomer', { customerId, emailKey, ...body })
        return (await unit.load(customers, customerId))!
      }).catch((error: unknown) => {
        if (!(error instanceof UniqueConstraintViolation)) throw error
        return reject('conflict', 'A customer has this e-mail address already', 'EMAIL_TAKEN')
      })
    },
  }),

  route('PATCH /api/admin/customers/:id/status', {
    does: 'Suspend a customer, so that none of his licenses counts and nothing is sold to him, or activate him again. The reason is kept in clear in the audit trail, so it should name nobody.',
    access: staffOrToken('customers:manage'),
    body: StatusChange,
    reply: Customer,
    handle: ({ run, params: { id }, body }) =>
      run(async (unit) => {
        await setCustomerStatus(unit, id, body)
        return (await unit.load(customers, id))!
      }),
  }),

  route('POST /api/admin/customers/:id/reset-password', {
    does: 'Mail a customer a link by which he sets a password, also a first one. It works once, for ten minutes, and is shown to nobody else.',
    access: staffOrToken('customers:manage'),
    status: 202,
    async handle(call) {
      const { id } = call.params
      await call.run(async (unit) => {
        requireActiveCustomer(await unit.look(customers, id))
        await requireLinkDelivery(call)
        await requestLink(unit, call.vault, id, 'RESET')
      })
    },
  }),

  route('POST /api/admin/customers/:id/erase', {
    does: 'Erase a customer for good. His subscriptions are cancelled, his licenses revoked, and the key is destroyed that everything personal about him is sealed with: it reads ERASED from then on, and his address is anybody’s again. `confirmEmail` is his address, in any spelling. Erasing again changes nothing.',
    access: staff('customers:manage'),
    body: Erasure,
    status: 202,
    guard: requireStaffStepUp,
    async handle(call) {
      await eraseCustomer(call, call.params.id, call.body.confirmEmail)
    },
  }),

  route('GET /api/admin/customers/:id/export', {
    does: 'Everything that is kept about a customer: his record, subscriptions, licenses (without their keys), instances, payments, invoices and the audit entries that name them. Every export is recorded in the audit trail before it is answered.',
    access: staff('customers:manage'),
    reply: CustomerExport,
    handle: (call) => exportCustomer(call, call.params.id),
  }),
]
