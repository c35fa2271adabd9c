import { useId, useState } from 'react'
import { getAdminSubscriptions, getAdminSubscriptionsByIdPayments } from '#api-client/licensing'
import { Part } from '../../kit/controls.tsx'
import { wordOf } from '../../kit/words.ts'
import { useCan, useList } from '../../session/context.tsx'
import type { Subscription } from '../subscriptions/columns.tsx'
import { PaymentTable } from '../subscriptions/payments.tsx'

/** Payments are listed by subscription: of one at a time, of the newest first. */
export function CustomerPayments({ id }: { readonly id: string }) {
  const can = useCan()
  return can(getAdminSubscriptions) && can(getAdminSubscriptionsByIdPayments) ? <Payments id={id} /> : null
}

function Payments({ id }: { readonly id: string }) {
  const { items } = useList(getAdminSubscriptions, { query: { customerId: id } })
  const [chosen, choose] = useState<string>()
  const shown = items.find((each) => each.id === chosen) ?? items[0]
  if (!shown) return null
  return (
    <Part title="Payments">
      {items.length > 1 && <ChooseSubscription of={items} chosen={shown.id} choose={choose} />}
      <PaymentTable subscriptionId={shown.id} />
    </Part>
  )
}

interface ChooseSubscriptionProps {
  readonly of: readonly Subscription[]
  readonly chosen: string
  readonly choose: (id: string) => void
}

function ChooseSubscription({ of: items, chosen, choose }: ChooseSubscriptionProps) {
  const field = useId()
  return (
    <div className="field narrow">
      <label htmlFor={field}>Subscription</label>
      <select id={field} className="input" value={chosen} onChange={({ target }) => choose(target.value)}>
        {items.map(({ id, planSlug, reference, status }) => (
          <option key={id} value={id}>
            {[planSlug, reference, wordOf(status)].filter(Boolean).join(' · ')}
          </option>
        ))}
      </select>
    </div>
  )
}
