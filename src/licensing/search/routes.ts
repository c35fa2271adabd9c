import { z } from 'zod'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { normalizeUuid } from '#kernel/lib/uuid'
import { findRow } from '#kernel/projections/lookup'
import { customerTable } from '#projections/licensing/customers'
import { instanceTable } from '#projections/licensing/instances'
import { licenseTable } from '#projections/licensing/licenses'
import { invoiceTable, paymentTable } from '#projections/licensing/payments'
import { subscriptionTable } from '#projections/licensing/subscriptions'
import { staff } from '../access/access.ts'
import type { Permission } from '../access/permissions.ts'
import { emailKeyOf } from '../workflows/erase-customer.ts'
import { referenceHmac } from '../workflows/subscriptions/issue-license.ts'

/** As the subjects of audit entries are called. */
const KINDS = ['customer', 'subscription', 'license', 'instance'] as const

const Found = z.object({ kind: z.enum(KINDS), id: z.uuid() }).meta({ id: 'FoundRecord' })

type SearchContext = Pick<HandlerContext, 'read' | 'vault' | 'run'>

interface Search {
  readonly kind: (typeof KINDS)[number]
  readonly needs: readonly Permission[]
  /** @returns the id of the record */
  readonly by: (call: SearchContext, q: string) => Promise<string | null | undefined>
}

/** A payment and an invoice belong to a subscription; granted credit belongs to the customer alone. */
const SEARCHES: readonly Search[] = [
  {
    kind: 'customer',
    needs: ['customers:view'],
    by: async ({ read }, id) => (await findRow(read, customerTable, { id }))?.id,
  },
  {
    kind: 'customer',
    needs: ['customers:view'],
    by: async ({ run, vault }, email) => {
      const emailKey = await emailKeyOf(vault, email)
      return run((unit) => unit.holderOf('customerEmail', emailKey))
    },
  },
  {
    kind: 'subscription',
    needs: ['subscriptions:view'],
    by: async ({ read }, id) => (await findRow(read, subscriptionTable, { id }))?.id,
  },
  {
    kind: 'subscription',
    needs: ['subscriptions:view'],
    by: async ({ read, vault }, reference) => {
      const referenceKey = await referenceHmac(vault, reference)
      return (await findRow(read, subscriptionTable, { referenceKey }))?.id
    },
  },
  {
    kind: 'license',
    needs: ['licenses:view'],
    by: async ({ read }, id) => (await findRow(read, licenseTable, { id }))?.id,
  },
  {
    kind: 'license',
    needs: ['licenses:view'],
    by: async ({ read }, keyId) => (await findRow(read, licenseTable, { keyId }))?.id,
  },
  {
    kind: 'instance',
    needs: ['instances:view'],
    by: async ({ read }, id) => (await findRow(read, instanceTable, { id }))?.id,
  },
  {
    kind: 'subscription',
    needs: ['payments:view', 'subscriptions:view'],
    by: async ({ read }, id) => (await findRow(read, paymentTable, { id }))?.subscriptionId,
  },
  {
    kind: 'subscription',
    needs: ['payments:view', 'subscriptions:view'],
    by: async ({ read }, number) => (await findRow(read, invoiceTable, { number }))?.subscriptionId,
  },
]

export const searchRoutes = [
  route('GET /api/admin/search', {
    does: 'Find what the caller may view by a whole id, key id, e-mail address, reference, or the id or invoice number of a payment.',
    access: staff('customers:view'),
    query: z.strictObject({ q: z.string().trim().min(1).max(320).overwrite(normalizeUuid) }),
    reply: z.object({ items: z.array(Found) }),
    async handle({ caller, query: { q }, ...call }) {
      const allowed = SEARCHES.filter(({ needs }) => needs.every((permission) => caller.can(permission)))
      const found = await Promise.all(allowed.map(async ({ kind, by }) => ({ kind, id: await by(call, q) })))
      return { items: found.flatMap(({ kind, id }) => (id ? [{ kind, id }] : [])) }
    },
  }),
]
