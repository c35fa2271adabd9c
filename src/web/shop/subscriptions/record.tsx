import { Link, useParams } from 'wouter'
import {
  getShopSubscriptionsById,
  getShopSubscriptionsByIdPayments,
  postShopSubscriptionsByIdCancel,
} from '#api-client/licensing/shop'
import { Action } from '../../kit/action.tsx'
import { Fact, Facts, Part, State, Value } from '../../kit/controls.tsx'
import { money } from '../../kit/money.ts'
import { RecordPage } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswer } from '../../session/context.tsx'
import { ChangeSubscription } from './change.tsx'

export default function MySubscription() {
  const { id } = useParams<{ id: string }>()
  const subscription = useAnswer(getShopSubscriptionsById, { params: { id } })
  return (
    <RecordPage
      kind="Subscription"
      parent={{ to: '/shop/subscriptions', title: 'Subscriptions' }}
      answer={subscription}
      title={({ planSlug }) => planSlug}
      state={({ status }) => <State of={status} />}
      actions={(data) => (
        <>
          <ChangeSubscription subscription={data} />
          <Action
            operation={postShopSubscriptionsByIdCancel}
            input={{ params: { id } }}
            label="Cancel"
            tone="bad"
            about={<p>At the end of the period, or at once: then the license ends with it.</p>}
            submit="Cancel the subscription"
            record={data}
            done="The subscription is cancelled"
          />
        </>
      )}
    >
      {(data) => (
        <>
          <Facts>
            <Fact label="Seats">{data.seats}</Fact>
            <Fact label="Cycle">{wordOf(data.billingCycle)}</Fact>
            <Fact label="Period">
              <Time at={data.currentPeriodStart} /> to <Time at={data.currentPeriodEnd} />
            </Fact>
            {data.trialEndsAt && (
              <Fact label="Trial ends">
                <Time at={data.trialEndsAt} />
              </Fact>
            )}
            {data.cancelAtPeriodEnd && <Fact label="Afterwards">It ends with this period.</Fact>}
            {data.scheduledChange && (
              <Fact label="Scheduled change">
                <Value of={data.scheduledChange} />
              </Fact>
            )}
            {data.licenseId && (
              <Fact label="License">
                <Link href={`/shop/licenses/${data.licenseId}`}>Open it</Link>
              </Fact>
            )}
          </Facts>
          <Part title="Payments">
            <RecordTable
              operation={getShopSubscriptionsByIdPayments}
              caption="Payments of this subscription"
              input={{ params: { id } }}
              keyOf={(payment) => payment.id}
              columns={[
                { label: 'Paid', of: ({ paidAt }) => <Time at={paidAt} /> },
                { label: 'Kind', of: ({ type }) => wordOf(type) },
                { label: 'State', of: ({ status }) => <State of={status} /> },
                { label: 'Invoice', of: ({ invoiceNumber }) => invoiceNumber },
                { label: 'Amount', isNumber: true, of: ({ amount, currency }) => money(amount, currency) },
              ]}
              empty={<p className="soft">Nothing was paid yet.</p>}
            />
          </Part>
        </>
      )}
    </RecordPage>
  )
}
