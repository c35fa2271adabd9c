import { key, nullable, oneOf, readModel, sealedText, text, time } from '#kernel/read-model'
import type { RowOf } from '#kernel/read-model'
import type { CUSTOMER_STATUSES } from '#licensing/customers/events'
import { customerEvents } from '#licensing/customers/events'

const subject = ({ id }: { id: string }): string => `customer/${id}`

const columns = {
  id: key,
  email: sealedText('email', subject),
  /** An address is found by its HMAC, because the address itself is ciphertext here. */
  emailKey: text,
  name: nullable(sealedText('name', subject)),
  company: nullable(sealedText('company', subject)),
  status: oneOf<(typeof CUSTOMER_STATUSES)[number]>(),
  createdAt: time,
}

export type CustomerRow = RowOf<typeof columns>

export const customerTable = readModel('customers', 1, columns, ['(created_at, id)', '(email_key)']).from(
  customerEvents,
  {
    CustomerRegistered: (table, { customerId, ...customer }, { at }) =>
      table.insert({ ...customer, id: customerId, status: 'ACTIVE', createdAt: at }),
  },
)
