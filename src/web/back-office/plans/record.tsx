import { useParams } from 'wouter'
import { getAdminPlansById } from '#api-client/licensing/plans'
import { Fact, Facts, Part } from '../../kit/controls.tsx'
import { RecordPage } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { useAnswer } from '../../session/context.tsx'
import { RecordHistory } from '../records/history.tsx'
import { PlanActions } from './actions.tsx'
import type { Plan } from './actions.tsx'
import { PlanFeatures } from './features.tsx'
import { PlanState } from './list.tsx'
import { price } from './price.tsx'
import { PlanVersions } from './versions.tsx'

export default function PlanRecord() {
  const { id } = useParams<{ id: string }>()
  return (
    <RecordPage
      kind="Plan"
      parent={{ to: '/console/plans', title: 'Plans' }}
      answer={useAnswer(getAdminPlansById, { params: { id } })}
      title={({ name }) => name}
      state={(plan) => <PlanState plan={plan} />}
      actions={(plan) => <PlanActions plan={plan} />}
    >
      {(plan) => (
        <>
          <div className="columns">
            <Terms plan={plan} />
            <Limits plan={plan} />
          </div>
          <PlanFeatures of={plan.features} />
          <PlanVersions id={id} />
          <RecordHistory id={id} />
        </>
      )}
    </RecordPage>
  )
}

const Terms = ({ plan }: { readonly plan: Plan }) => (
  <Part title="Terms">
    <Facts>
      <Fact label="Slug">
        <code>{plan.slug}</code>
      </Fact>
      <Fact label="A month">{price(plan, 'priceMonthly')}</Fact>
      <Fact label="A year">{price(plan, 'priceYearly')}</Fact>
      <Fact label="In the shop">{plan.public ? 'yes, while it is open' : 'no'}</Fact>
      <Fact label="Trial">{days(plan.trialDays)}</Fact>
      <Fact label="Version">{plan.version}</Fact>
      <Fact label="Created">
        <Time at={plan.createdAt} />
      </Fact>
    </Facts>
  </Part>
)

const Limits = ({ plan }: { readonly plan: Plan }) => (
  <Part title="What its licenses allow">
    <Facts>
      <Fact label="Panels">{plan.maxActivations}</Fact>
      <Fact label="Seats">{plan.maxSeats ?? 'unlimited'}</Fact>
      <Fact label="Grace">{days(plan.graceDays)}</Fact>
      <Fact label="Offline">{days(plan.offlineDays)}</Fact>
      <Fact label="Heartbeat">every {duration(plan.heartbeatSeconds)}</Fact>
      <Fact label="Slot of a silent panel">
        {plan.reclaimStaleAfterDays === 0 ? 'kept' : `freed after ${days(plan.reclaimStaleAfterDays)}`}
      </Fact>
    </Facts>
  </Part>
)

const days = (number: number): string => (number === 0 ? 'none' : number === 1 ? '1 day' : `${number} days`)

const UNITS = [
  ['hour', 3_600],
  ['minute', 60],
] as const

/** In the largest unit that needs no fraction. */
function duration(seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds % each === 0) ?? (['second', 1] as const)
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size)
}
