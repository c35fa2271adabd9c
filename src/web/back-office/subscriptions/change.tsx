/** A change of terms: previewed beside the present, then made at the price that the preview promised. */
import {
  patchAdminSubscriptionsById,
  postAdminSubscriptionsByIdChangePreview,
} from '#api-client/licensing/subscriptions'
import type { DataOf } from '#api-client/operation'
import { Fact, Facts, Notice } from '../../kit/controls.tsx'
import { money } from '../../kit/money.ts'
import { PreviewedAction } from '../../kit/previewed-action.tsx'
import { exactTime, Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'
import type { Subscription } from './columns.tsx'

type Preview = DataOf<typeof postAdminSubscriptionsByIdChangePreview>

export const ChangeTerms = ({ subscription }: { readonly subscription: Subscription }) => {
  const { id, planSlug, seats, billingCycle } = subscription
  const input = { params: { id } }
  return (
    <PreviewedAction
      operation={patchAdminSubscriptionsById}
      input={input}
      label="Change"
      title="Change the terms"
      done="The subscription is changed"
      record={subscription}
      preview={{
        operation: postAdminSubscriptionsByIdChangePreview,
        input,
        initial: { planSlug, seats, billingCycle },
        onlyChanges: true,
        order: ['planSlug', 'seats', 'billingCycle', 'effective', 'proration'],
        labels: { planSlug: 'Plan', effective: 'When', proration: 'The difference' },
      }}
      shown={(preview) => <Consequences of={preview} />}
      promised={({ previewToken }) => ({ previewToken })}
    />
  )
}

function Consequences({ of }: { readonly of: Preview }) {
  const { current, next, lines, dueNow, creditAmount, nextInvoice, license, effectiveAt } = of
  const sum = (amount: number): string => money(amount, next.currency)
  return (
    <>
      <Offers current={current} next={next} />
      <Facts>
        {lines.map(({ label, amount }) => (
          <Fact key={label} label={label}>
            {sum(amount)}
          </Fact>
        ))}
        <Fact label="Due now">
          <strong>{sum(dueNow)}</strong>
        </Fact>
        {creditAmount > 0 && <Fact label="Credit">{sum(creditAmount)}</Fact>}
        <Fact label="Next invoice">
          {sum(nextInvoice.amount)}, <Time at={nextInvoice.date} />
        </Fact>
        <Fact label="Takes effect">{exactTime(effectiveAt)}</Fact>
        <Fact label="License">{license.willReissue ? 'A new key replaces the present one' : 'The key stays'}</Fact>
      </Facts>
      {license.slotsOverBy > 0 && (
        <Notice tone="warn">
          <p>More panels run than the new terms allow: {license.slotsOverBy} of them would lose their slot.</p>
        </Notice>
      )}
      <p className="soft small">This price is kept for a short time. After it, show again what follows.</p>
    </>
  )
}

const ROWS: readonly (readonly [string, (offer: Preview['next']) => string | number])[] = [
  ['Plan', ({ planSlug, planVersion }) => `${planSlug}, version ${planVersion}`],
  ['Seats', ({ seats }) => seats],
  ['Billing', ({ billingCycle }) => wordOf(billingCycle)],
  ['Price', ({ price, currency }) => money(price, currency)],
  ['Panels', ({ maxActivations }) => maxActivations],
  ['Period ends', ({ currentPeriodEnd }) => exactTime(currentPeriodEnd)],
]

const Offers = ({ current, next }: Pick<Preview, 'current' | 'next'>) => (
  <table className="table">
    <caption className="only-read">The present terms and the new ones</caption>
    <thead>
      <tr>
        <th scope="col">Term</th>
        <th scope="col">Now</th>
        <th scope="col">Then</th>
      </tr>
    </thead>
    <tbody>
      {ROWS.map(([label, of]) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          <td data-label="Now">{of(current)}</td>
          <td data-label="Then">{of(current) === of(next) ? <span className="soft">the same</span> : of(next)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
