import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { answer, route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { normalizeUuid, isUuid } from '#kernel/lib/uuid'
import { email, normalisedEmail } from '#kernel/credentials/email-address'
import { pagination, listReply } from '#kernel/http/pagination'
import { nameSchema, reasonSchema } from '#kernel/lib/display-text'
import { liftLocks } from '#kernel/auth/verify-credentials'
import { found, reject } from '#kernel/lib/rejection'
import { sql } from '#kernel/projections/read-model'
import { UniqueConstraintViolation } from '#kernel/events/store-port'
import { auditTrail } from '#projections/audit-trail'
import type { AuditRow } from '#projections/audit-trail'
import type { Vault } from '#kernel/vault/vault'
import { wideRead } from '#kernel/projections/wide-reads'
import { customerTable, panelSubjects } from '#projections/licensing/customers'
import type { CustomerRow } from '#projections/licensing/customers'
import { effectiveStatusAt, licenseTable } from '#projections/licensing/licenses'
import { subscriptionTable } from '#projections/licensing/subscriptions'
import { auditedRead } from '../audit/audited-read.ts'
import { decideSubscription } from '../workflows/subscriptions/decide.ts'
import { staff, staffOrToken } from '../access/access.ts'
import { requireLinkDelivery, requestLink } from '../access/customer-links.ts'
import { customerRealm, endShopSessions } from '../access/customer-realm.ts'
import { requireStaffStepUp } from '../access/staff-caller.ts'
import { Instance, instancesOf } from '../instances/routes.ts'
import { Invoice, allInvoicesOf } from '../workflows/billing/read-invoices.ts'
import { License, licensesOf } from '../licenses/routes.ts'
import { PaymentWithRefunds, paymentsOf } from '../payments/routes.ts'
import { Subscription, subscriptionsOf } from '../subscriptions/routes.ts'
import { setCustomerStatus } from '../workflows/subscriptions/set-customer-status.ts'
import { requireActiveCustomer, customers } from './decider.ts'
import { CUSTOMER_STATUSES, CustomerExported, customerExports, erasedSubjects } from './events.ts'

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

/** Without addresses and names of those who acted: these are other people's. */
const Entry = z.object({
  position: z.int(),
  at: z.iso.datetime(),
  actor: z.object({ type: z.string(), id: z.string() }),
  action: z.string(),
  subject: z.object({ type: z.string(), id: z.string() }),
  sentence: z.string(),
  meta: z.record(z.string(), z.json()),
})

export const CustomerExport = z.object({
  exportedAt: z.iso.datetime(),
  customer: Customer,
  subscriptions: z.array(Subscription),
  licenses: z.array(License),
  instances: z.array(Instance),
  payments: z.array(PaymentWithRefunds),
  invoices: z.array(Invoice),
  /** Newest first. Of very many only the newest are here: `auditTotal` says how many there are. */
  audit: z.array(Entry),
  auditTotal: z.int(),
})

const personal = nameSchema(200).nullable().default(null)

const NewCustomer = z.strictObject({ email, name: personal, company: personal })

const StatusChange = z.strictObject({
  status: z.enum(['ACTIVE', 'SUSPENDED']),
  reason: reasonSchema(500).nullable().default(null),
})

const Erasure = z.strictObject({ confirmEmail: z.string().min(1).max(320) })

/** More of them have been written by a machine that asks the same for ever. */
const AUDIT_ENTRIES_MAX = 10_000

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

const emailKeyOf = (vault: Vault, email: string): Promise<string> => vault.hmac('pepper', normalisedEmail(email))

/** @throws Rejection 404 */
async function readCustomer({ read, vault }: { read: Kysely<any>; vault: Vault }, id: string): Promise<CustomerRow> {
  const row = found(await customerTable.queryIn(read).selectAll().where('id', '=', id).executeTakeFirst())
  const [customer] = await customerTable.open(vault, [row])
  return customer!
}

/** @throws Rejection 404 for an unknown customer, 400 for another address */
export async function eraseCustomer(
  { run, read, vault, telemetry }: Pick<HandlerContext, 'run' | 'read' | 'vault' | 'telemetry'>,
  id: string,
  confirmEmail: string,
): Promise<void> {
  const emailKey = await emailKeyOf(vault, confirmEmail)
  await run((unit) => erase(unit, id, emailKey))
  // After the event, since a key cannot be brought back; whoever does not live to do it leaves it to the erasure loop.
  await vault.erase([...erasedSubjects(id), ...(await panelSubjects(read, id))])
  // Guesses at the password were counted by the address, which may be another customer's next.
  await liftLocks(telemetry, customerRealm, { id, emailKey })
}

/** Everything that is kept about a customer. Recorded before it is answered. @throws Rejection 404 */
export async function exportCustomer(
  { run, read, vault, now }: Pick<HandlerContext, 'run' | 'read' | 'vault' | 'now'>,
  id: string,
) {
  const customer = await readCustomer({ read, vault }, id)
  const [sold, licenses, instances] = await Promise.all([
    subscriptionsOf({ read, vault, now }, id),
    licensesOf(read, id, now),
    instancesOf({ read, vault }, id, now),
  ])
  const [payments, invoices] = await Promise.all([paymentsOf(read, id), allInvoicesOf(read, id)])
  const trail = await entriesAbout(read, [id, ...[...sold, ...licenses, ...instances].map((each) => each.id)])
  await auditedRead(run, async (unit) => unit.appendEvent(customerExports, id, CustomerExported({ customerId: id })))
  const kept = { customer, subscriptions: sold, licenses, instances, payments, invoices, ...trail }
  const bundle = { exportedAt: now.toISOString(), ...kept }
  return answer(bundle, 200, {
    'Cache-Control': 'no-store',
    'Content-Disposition': `attachment; filename="customer-${id}.json"`,
  })
}

/** One append: nobody sees a customer who is erased and yet licensed. Whoever sells to him meanwhile makes it start again. */
async function erase(unit: UnitOfWork, id: string, emailKey: string): Promise<void> {
  const { subscriptionIds } = found(await unit.load(customers, id))
  await unit.decide(customers, id, 'EraseCustomer', { emailKey })
  await endShopSessions(unit, id, 'ERASED')
  for (const each of subscriptionIds)
    await decideSubscription(unit, each, 'CancelSubscription', { reason: 'customer erased' })
}

async function entriesAbout(read: Kysely<any>, ids: readonly string[]) {
  const about = auditTrail.queryIn(read).where(sql<boolean>`ids && ${sql.val(ids)}::text[]`)
  const [auditTotal, rows] = await wideRead(async (): Promise<[number, AuditRow[]]> => [
    await numberOf(about),
    await about.selectAll().orderBy('position', 'desc').limit(AUDIT_ENTRIES_MAX).execute(),
  ])
  const audit = rows.map(({ actorType, actorId, subjectType, subjectId, details, ...entry }) => ({
    ...entry,
    actor: { type: actorType, id: actorId },
    subject: { type: subjectType, id: subjectId },
    meta: details,
  }))
  return { audit, auditTotal }
}

async function numberOf(rows: ReturnType<typeof subscriptionTable.queryIn>): Promise<number> {
  const { number } = await rows.select(({ fn }) => fn.countAll().as('number')).executeTakeFirstOrThrow()
  return Number(number)
}
