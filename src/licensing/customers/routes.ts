import { z } from 'zod'
import { email } from '#kernel/credentials/email-address'
import { UniqueConstraintViolation } from '#kernel/events/store-port'
import { inState } from '#kernel/http/in-state'
import { listReply, pagination } from '#kernel/http/pagination'
import { recordVersion } from '#kernel/http/record-version'
import { route } from '#kernel/http/route'
import { nameSchema, reasonSchema } from '#kernel/lib/display-text'
import { found, reject } from '#kernel/lib/rejection'
import { isUuid, normalizeUuid } from '#kernel/lib/uuid'
import { countRows } from '#kernel/projections/count-rows'
import { findRow } from '#kernel/projections/lookup'
import { sql } from '#kernel/projections/read-model'
import { changeOf } from '#kernel/resource/change-of'
import { customerTable } from '#projections/licensing/customers'
import { effectiveStatusAt, licenseTable } from '#projections/licensing/licenses'
import { creditBalances } from '#projections/licensing/payments'
import { subscriptionTable } from '#projections/licensing/subscriptions'
import { staff, staffOrToken } from '../access/access.ts'
import { requestLink, requireLinkDelivery } from '../access/customer-links.ts'
import { HistoryReply, historyQuery, recordHistory } from '../audit/record-history.ts'
import { minorUnits } from '../payments/events.ts'
import { eraseCustomer, emailKeyOf } from '../workflows/erase-customer.ts'
import { Customer, CustomerExport, exportCustomer, readCustomer } from '../workflows/export-customer.ts'
import { setCustomerStatus } from '../workflows/subscriptions/set-customer-status.ts'
import { ACTIVE_CUSTOMER, UNERASED_CUSTOMER, customers, requireActiveCustomer } from './decider.ts'
import { CUSTOMER_STATUSES } from './events.ts'

/** activeLicenses: those in effect, grace included. */
const CustomerWithCounts = Customer.extend({
  counts: z.object({ subscriptions: z.int(), activeLicenses: z.int() }),
  /** What is left of the credit, by currency; null for callers who may not view payments. */
  credit: z.array(z.object({ currency: z.string(), amount: minorUnits })).nullable(),
})

const personal = nameSchema(200).nullable().default(null)

const NewCustomer = z.strictObject({
  email,
  name: personal.meta({ examples: ['Grace Hopper'] }),
  company: personal.meta({ examples: ['Example Ltd'] }),
})

const CustomerChange = changeOf({ name: personal, company: personal }, 'Give name or company')

const StatusChange = z.strictObject({
  status: z.enum(['ACTIVE', 'SUSPENDED']),
  reason: reasonSchema(500).nullable().default(null),
})

const Erasure = z.strictObject({ confirmEmail: z.string().min(1).max(320) })

const customerList = pagination({
  filters: { status: z.enum(CUSTOMER_STATUSES).optional(), q: z.string().max(320).overwrite(normalizeUuid).optional() },
  sort: ['createdAt'],
})

/** Of the account. Its subscriptions are records of their own. */
const version = recordVersion(Customer, (unit, { params }) => unit.look(customers, params['id']))

export const customerRoutes = [
  route('GET /api/admin/customers', {
    does: 'List customers. `q` finds an id or a whole e-mail address in any spelling; parts cannot be searched, because addresses are encrypted.',
    access: staffOrToken('customers:view'),
    query: customerList.query,
    reply: listReply(Customer),
    handle: async ({ read, vault, run, query }) => {
      const { q } = query
      const emailKey = await emailKeyOf(vault, q ?? '')
      const id = q === undefined || isUuid(q) ? q : await run((unit) => unit.holderOf('customerEmail', emailKey))
      const page = await customerList.list(customerTable.queryIn(read).selectAll(), query, {
        q: (rows) => (id === undefined ? rows.where(sql<boolean>`false`) : rows.where('id', '=', id)),
      })
      return { ...page, items: await customerTable.open(vault, page.items) }
    },
  }),

  route('GET /api/admin/customers/:id', {
    does: 'Read a customer, with the number of subscriptions and of licenses in effect, and the credit.',
    access: staffOrToken('customers:view'),
    version,
    reply: CustomerWithCounts,
    handle: async ({ read, vault, params: { id }, now, caller }) => {
      const customer = await readCustomer({ read, vault }, id)
      const [credit, number, activeLicenses] = await Promise.all([
        caller.can('payments:view') ? creditBalances(read, id) : null,
        countRows(subscriptionTable.queryIn(read).where('customerId', '=', id)),
        countRows(
          licenseTable
            .queryIn(read)
            .where('customerId', '=', id)
            .where(effectiveStatusAt(now), 'in', ['ACTIVE', 'GRACE']),
        ),
      ])
      return { ...customer, counts: { subscriptions: number, activeLicenses }, credit }
    },
  }),

  route('POST /api/admin/customers', {
    does: 'Create a customer. No other customer may have the address, in any spelling.',
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
        return reject('conflict', 'A customer with this e-mail address already exists', 'EMAIL_TAKEN')
      })
    },
  }),

  route('PATCH /api/admin/customers/:id', {
    does: 'Change the name or company of an active customer; null removes the value.',
    access: staffOrToken('customers:manage'),
    version,
    from: inState(Customer, ACTIVE_CUSTOMER),
    body: CustomerChange,
    reply: Customer,
    handle: ({ run, params: { id }, body }) =>
      run(async (unit) => {
        await unit.decide(customers, id, 'ChangeCustomer', body)
        return (await unit.load(customers, id))!
      }),
  }),

  route('PATCH /api/admin/customers/:id/status', {
    does: 'Suspend a customer or activate one again. While suspended, no license is valid and no sale is possible.',
    access: staffOrToken('customers:manage'),
    version,
    from: inState(Customer, UNERASED_CUSTOMER),
    body: StatusChange,
    reply: Customer,
    handle: ({ run, params: { id }, body }) =>
      run(async (unit) => {
        await setCustomerStatus(unit, id, body)
        return (await unit.load(customers, id))!
      }),
  }),

  route('POST /api/admin/customers/:id/reset-password', {
    does: 'Mail a customer a one-time link to set a password, also a first one. The link is valid for ten minutes.',
    access: staffOrToken('customers:manage'),
    from: inState(Customer, ACTIVE_CUSTOMER),
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
    does: 'Erase a customer: end subscriptions and licenses, destroy the data key. `confirmEmail` is the address. Repeating changes nothing.',
    access: staff('customers:manage'),
    from: inState(Customer, UNERASED_CUSTOMER),
    body: Erasure,
    status: 202,
    stepUp: true,
    async handle(call) {
      await eraseCustomer(call, call.params.id, call.body.confirmEmail)
    },
  }),

  route('GET /api/admin/customers/:id/export', {
    does: 'Export everything stored about a customer, related audit entries included. The export is recorded before it is returned.',
    access: staff('customers:manage'),
    reply: CustomerExport,
    handle: (call) => exportCustomer(call, call.params.id),
  }),

  route('GET /api/admin/customers/:id/history', {
    does: 'List the events of a customer, newest first. Those of subscriptions, licenses and payments are not among them.',
    access: staff('customers:view'),
    query: historyQuery,
    reply: HistoryReply,
    handle: async (call) => {
      found(await findRow(call.read, customerTable, { id: call.params.id }))
      return recordHistory(call)
    },
  }),
]
