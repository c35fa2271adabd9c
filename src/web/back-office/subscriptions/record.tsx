import { useParams } from 'wouter'
import { getAdminSubscriptionsById, getAdminSubscriptionsByIdHistory } from '#api-client/licensing/subscriptions'
import { Fact, Facts, Part, State } from '../../kit/controls.tsx'
import { RecordPage } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswer } from '../../session/context.tsx'
import { RecordHistory } from '../records/history.tsx'
import { IdLink } from '../records/id-link.tsx'
import { SubscriptionActions } from './actions.tsx'
import type { Subscription } from './columns.tsx'
import { SubscriptionLicenses, SubscriptionPayments } from './holdings.tsx'

export default function SubscriptionRecord() {
  const { id } = useParams<{ id: string }>()
  const subscription = useAnswer(getAdminSubscriptionsById, { params: { id } })
  return (
    <RecordPage
      kind="Subscription"
      parent={{ to: '/console/subscriptions', title: 'Subscriptions' }}
      answer={subscription}
      title={({ planSlug, reference }) => (reference === null ? planSlug : `${planSlug}, ${reference}`)}
      state={({ status }) => <State of={status} />}
      actions={(data) => <SubscriptionActions subscription={data} />}
    >
      {(data) => (
        <>
          <div className="columns">
            <Terms of={data} />
            <Period of={data} />
          </div>
          {data.scheduledChange && <Scheduled change={data.scheduledChange} />}
          <SubscriptionLicenses subscription={data} />
          <SubscriptionPayments subscription={data} />
          <RecordHistory id={id} operation={getAdminSubscriptionsByIdHistory} />
        </>
      )}
    </RecordPage>
  )
}

const Terms = ({ of }: { readonly of: Subscription }) => (
  <Part title="Terms">
    <Facts>
      <Fact label="Plan">
        {of.planSlug}, version {of.planVersion}
      </Fact>
      <Fact label="Seats">{of.seats}</Fact>
      <Fact label="Billing">{wordOf(of.billingCycle)}</Fact>
      <Fact label="Panels">at most {of.maxActivations}</Fact>
      <Fact label="Reference">{of.reference}</Fact>
      <Fact label="Customer">
        <IdLink kind="customer" id={of.customerId} isWhole />
      </Fact>
      <Fact label="License">{of.licenseId && <IdLink kind="license" id={of.licenseId} isWhole />}</Fact>
    </Facts>
  </Part>
)

const Period = ({ of }: { readonly of: Subscription }) => (
  <Part title="Period">
    <Facts>
      <Fact label="Began">
        <Time at={of.currentPeriodStart} />
      </Fact>
      <Fact label="Ends">
        <Time at={of.currentPeriodEnd} />
      </Fact>
      {of.trialEndsAt && (
        <Fact label="Trial ends">
          <Time at={of.trialEndsAt} />
        </Fact>
      )}
      {of.cancelledAt && (
        <Fact label="Cancelled">
          <Time at={of.cancelledAt} />
        </Fact>
      )}
      <Fact label="Then">{thenOf(of)}</Fact>
    </Facts>
  </Part>
)

function thenOf({ status, cancelAtPeriodEnd, scheduledChange }: Subscription): string | undefined {
  if (status === 'CANCELLED' || status === 'EXPIRED') return undefined
  if (cancelAtPeriodEnd) return 'It ends: it is cancelled for the end of its period'
  return scheduledChange ? 'It goes on, with the terms below' : 'It goes on, if it is paid'
}

const Scheduled = ({ change }: { readonly change: NonNullable<Subscription['scheduledChange']> }) => (
  <Part title="Scheduled change">
    <Facts>
      <Fact label="Takes effect">
        <Time at={change.effectiveAt} />
      </Fact>
      {change.planSlug && <Fact label="Plan">{change.planSlug}</Fact>}
      {change.seats && <Fact label="Seats">{change.seats}</Fact>}
      {change.billingCycle && <Fact label="Billing">{wordOf(change.billingCycle)}</Fact>}
      <Fact label="The difference">{wordOf(change.proration)}</Fact>
    </Facts>
  </Part>
)
