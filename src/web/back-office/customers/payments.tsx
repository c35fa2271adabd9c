/** The money of a customer. A part that the person may not see is absent. */
import { getAdminCustomersByIdCredits } from '#api-client/licensing/customers'
import { getAdminInvoices } from '#api-client/licensing/invoices'
import { getAdminPayments } from '#api-client/licensing/payments'
import { Fact, Figures, Part } from '../../kit/controls.tsx'
import { money } from '../../kit/money.ts'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'
import { useCan } from '../../session/context.tsx'
import { INVOICE_COLUMNS } from '../invoices/columns.tsx'
import { PAYMENT_COLUMNS } from '../subscriptions/payments.tsx'

interface OfCustomer {
  readonly id: string
}

export function CustomerPayments({ id }: OfCustomer) {
  const can = useCan()
  if (!can(getAdminPayments)) return null
  return (
    <Part title="Payments">
      <RecordTable
        operation={getAdminPayments}
        caption="Payments of this customer"
        input={{ query: { customerId: id } }}
        keyOf={(payment) => payment.id}
        columns={PAYMENT_COLUMNS}
        empty={<p className="soft">Nothing was charged, paid or credited yet.</p>}
      />
    </Part>
  )
}

export function CustomerInvoices({ id }: OfCustomer) {
  const can = useCan()
  if (!can(getAdminInvoices)) return null
  return (
    <Part title="Invoices">
      <RecordTable
        operation={getAdminInvoices}
        caption="Invoices of this customer"
        input={{ query: { customerId: id } }}
        keyOf={(invoice) => invoice.id}
        columns={INVOICE_COLUMNS}
        empty={<p className="soft">No invoice was issued yet. Each payment gets one.</p>}
      />
    </Part>
  )
}

interface CreditProps extends OfCustomer {
  readonly balance: readonly { readonly currency: string; readonly amount: number }[] | null
}

/** What is left, and how it came to that. */
export function CustomerCredit({ id, balance }: CreditProps) {
  const can = useCan()
  if (!can(getAdminCustomersByIdCredits)) return null
  return (
    <Part title="Credit">
      {balance !== null && balance.length > 0 && (
        <Figures>
          {balance.map(({ currency, amount }) => (
            <Fact key={currency} label={`Left in ${currency}`}>
              {money(amount, currency)}
            </Fact>
          ))}
        </Figures>
      )}
      <RecordTable
        operation={getAdminCustomersByIdCredits}
        caption="Credit of this customer"
        input={{ params: { id } }}
        keyOf={(entry) => entry.id}
        columns={[
          { label: 'Entry', of: ({ kind }) => wordOf(kind) },
          { label: 'Amount', isNumber: true, of: ({ amount, currency }) => money(amount, currency) },
          { label: 'Reason', of: ({ reason }) => reason ?? <span className="soft">–</span> },
          { label: 'When', of: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={<p className="soft">No credit was granted. Credit pays the next charges in its currency.</p>}
      />
    </Part>
  )
}
