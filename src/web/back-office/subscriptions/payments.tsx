import { postAdminPaymentsByIdRefund } from '#api-client/licensing/payments'
import { getAdminSubscriptionsByIdPayments } from '#api-client/licensing/subscriptions'
import type { DataOf } from '#api-client/operation'
import type { ItemOf } from '#api-client/paging'
import { Action } from '../../kit/action.tsx'
import { State } from '../../kit/controls.tsx'
import { money } from '../../kit/money.ts'
import { RecordTable } from '../../kit/table.tsx'
import type { Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'

type Payment = ItemOf<DataOf<typeof getAdminSubscriptionsByIdPayments>>

export const PAYMENT_COLUMNS: readonly Column<Payment>[] = [
  { label: 'Payment', of: ({ type, invoiceNumber }) => invoiceNumber ?? wordOf(type) },
  { label: 'Amount', isNumber: true, of: ({ amount, currency }) => money(amount, currency) },
  { label: 'State', of: ({ status }) => <State of={status} /> },
  { label: 'By', of: ({ provider }) => wordOf(provider) },
  { label: 'Paid', of: ({ paidAt }) => <Time at={paidAt} absent="not yet" /> },
  { label: 'Returned', of: ({ refunds }) => <Refunds of={refunds} /> },
  { label: 'Disputed', of: ({ disputes }) => <Disputes of={disputes} /> },
  { label: 'Refund', of: (payment) => <Refund payment={payment} /> },
]

/** The charges and credits of a subscription, each with what was returned and what is disputed. */
export const PaymentTable = ({ subscriptionId }: { readonly subscriptionId: string }) => (
  <RecordTable
    operation={getAdminSubscriptionsByIdPayments}
    caption="Payments of this subscription"
    input={{ params: { id: subscriptionId } }}
    keyOf={({ id }) => id}
    columns={PAYMENT_COLUMNS}
    empty={<p className="soft">Nothing was charged, paid or credited yet.</p>}
  />
)

const None = () => <span className="soft">–</span>

const Refunds = ({ of }: { readonly of: Payment['refunds'] }) =>
  of.length === 0 ? (
    <None />
  ) : (
    of.map(({ id, amount, currency, status }) => (
      <div key={id} className="row">
        {money(amount, currency)} <State of={status} />
      </div>
    ))
  )

const Disputes = ({ of }: { readonly of: Payment['disputes'] }) =>
  of.length === 0 ? (
    <None />
  ) : (
    of.map(({ id, amount, currency, status, reason, openedAt }) => (
      <div key={id} className="row">
        {money(amount, currency)} <State of={status} />
        <span className="soft small">
          {wordOf(reason)}, <Time at={openedAt} />
        </span>
      </div>
    ))
  )

const Refund = ({ payment, payment: { id, amount, currency, provider } }: { readonly payment: Payment }) => (
  <Action
    operation={postAdminPaymentsByIdRefund}
    input={{ params: { id } }}
    label="Refund"
    title={`Refund ${money(amount, currency)}`}
    about={<p>Without an amount, all that is left of it is returned, by {wordOf(provider)}.</p>}
    labels={{ amount: `Amount in ${currency}`, byHand: 'The money is returned by hand' }}
    currency={currency}
    submit="Refund"
    record={payment}
    done="The refund is recorded"
  />
)
