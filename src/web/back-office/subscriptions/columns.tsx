import { Link } from 'wouter'
import type { getAdminSubscriptions } from '#api-client/licensing/subscriptions'
import type { DataOf } from '#api-client/operation'
import type { ItemOf } from '#api-client/paging'
import { State } from '../../kit/controls.tsx'
import type { Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'

export type Subscription = ItemOf<DataOf<typeof getAdminSubscriptions>>

export const SUBSCRIPTION_COLUMNS: readonly Column<Subscription>[] = [
  {
    label: 'Subscription',
    of: ({ id, planSlug, reference }) => (
      <>
        <Link href={`/console/subscriptions/${id}`}>{planSlug}</Link>
        {reference !== null && <span className="soft"> {reference}</span>}
      </>
    ),
  },
  {
    label: 'State',
    of: ({ status, cancelAtPeriodEnd }) => (
      <>
        <State of={status} />
        {cancelAtPeriodEnd && <span className="soft small"> ends with its period</span>}
      </>
    ),
  },
  { label: 'Seats', isNumber: true, of: ({ seats }) => seats },
  { label: 'Billing', of: ({ billingCycle }) => wordOf(billingCycle) },
  {
    label: 'Period ends',
    sort: 'currentPeriodEnd',
    of: ({ currentPeriodEnd }) => <Time at={currentPeriodEnd} />,
  },
]
