import { Link } from 'wouter'
import { getShopSubscriptions } from '#api-client/licensing/shop'
import { ButtonLink, Empty, State } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'

export default function MySubscriptions() {
  return (
    <Page title="Subscriptions">
      <RecordTable
        operation={getShopSubscriptions}
        caption="My subscriptions"
        keyOf={({ id }) => id}
        columns={[
          { label: 'Plan', of: ({ id, planSlug }) => <Link href={`/shop/subscriptions/${id}`}>{planSlug}</Link> },
          { label: 'State', of: ({ status }) => <State of={status} /> },
          { label: 'Seats', isNumber: true, of: ({ seats }) => seats },
          { label: 'Cycle', of: ({ billingCycle }) => wordOf(billingCycle) },
          { label: 'Period ends', of: ({ currentPeriodEnd }) => <Time at={currentPeriodEnd} /> },
        ]}
        empty={
          <Empty action={<ButtonLink to="/shop/plans">See the plans</ButtonLink>}>You have no subscription.</Empty>
        }
      />
    </Page>
  )
}
