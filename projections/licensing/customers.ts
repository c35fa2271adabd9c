import { ipSealField } from '#kernel/events/codec'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { key, nullable, oneOf, readModel, sealedText, sql, timestamptz } from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import type { CUSTOMER_STATUSES } from '#licensing/customers/events'
import { customerEvents, customerSubject, erasedSubjects } from '#licensing/customers/events'
import { licenseTable } from './licenses.ts'

const subject = ({ id }: { id: string }): string => customerSubject(id)

const columns = {
  id: key,
  email: sealedText('email', subject),
  name: nullable(sealedText('name', subject)),
  company: nullable(sealedText('company', subject)),
  status: oneOf<(typeof CUSTOMER_STATUSES)[number]>(),
  createdAt: timestamptz,
}

export type CustomerRow = RowOf<typeof columns>

export const customerTable = readModel('customers', 3, columns, ['(created_at, id)', "(id) WHERE status = 'ERASED'"])
  .from(customerEvents, {
    CustomerRegistered: (table, { customerId, emailKey: _sealed, ...customer }, { at }) =>
      table.insert({ ...customer, id: customerId, status: 'ACTIVE', createdAt: at }),
    CustomerChanged: (table, { customerId, name, company }) => table.update({ id: customerId }, { name, company }),
    CustomerSuspended: (table, { customerId }) => table.update({ id: customerId }, { status: 'SUSPENDED' }),
    CustomerActivated: (table, { customerId }) => table.update({ id: customerId }, { status: 'ACTIVE' }),
    CustomerErased: (table, { customerId }) => table.update({ id: customerId }, { status: 'ERASED' }),
  })
  .forGate()

const KEYS_AT_ONCE = 100

/**
 * Erased customers whose data keys still exist, because the erasing process died before it
 * destroyed them. Returns subjects of the vault.
 */
export async function undestroyedKeys(read: ReadDatabase): Promise<string[]> {
  const erased = customerTable.queryIn(read).select('id').where('status', '=', 'ERASED')
  const rows = await erased
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM vault.data_key WHERE subject = 'customer/' || customers.id AND wrapped IS NULL)`,
    )
    .limit(KEYS_AT_ONCE)
    .execute()
  return rows.length > 0 ? rows.flatMap(({ id }) => erasedSubjects(id)) : undestroyedPanelKeys(read)
}

/**
 * The vault subjects whose keys seal the addresses of the customer's panels: the actor is the
 * license.
 */
const panelSubject = (licenseId: string): string => ipSealField({ type: 'LICENSE', id: licenseId }).subject

export async function panelSubjects(read: ReadDatabase, customerId: string): Promise<string[]> {
  const rows = await licenseTable.queryIn(read).select('id').where('customerId', '=', customerId).execute()
  return rows.map(({ id }) => panelSubject(id))
}

async function undestroyedPanelKeys(read: ReadDatabase): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT licenses.id FROM read.customers
    JOIN read.licenses ON licenses.customer_id = customers.id
    WHERE customers.status = 'ERASED'
      AND NOT EXISTS (SELECT FROM vault.data_key WHERE subject = 'license/' || licenses.id AND wrapped IS NULL)
    LIMIT ${KEYS_AT_ONCE}`.execute(read)
  return rows.map(({ id }) => panelSubject(id))
}
