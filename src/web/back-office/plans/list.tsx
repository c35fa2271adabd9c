import { Link } from 'wouter'
import { getAdminPlans } from '#api-client/licensing/plans'
import { ButtonLink, Empty, ToneText } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { ExportMenu } from '../exports/export-menu.tsx'
import { NewPlan } from './actions.tsx'
import { price } from './price.tsx'

export default function Plans() {
  return (
    <Page
      title="Plans"
      actions={
        <>
          <ExportMenu resource="plans" />
          <ButtonLink to="/console/plans/compare">Compare</ButtonLink>
          <NewPlan />
        </>
      }
    >
      <RecordTable
        operation={getAdminPlans}
        caption="Plans"
        filters={['q', 'active']}
        labels={{ active: 'Open for subscriptions' }}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Plan', sort: 'name', of: ({ id, name }) => <Link href={`/console/plans/${id}`}>{name}</Link> },
          { label: 'Slug', sort: 'slug', of: ({ slug }) => <code>{slug}</code> },
          { label: 'State', of: (plan) => <PlanState plan={plan} /> },
          { label: 'A month', isNumber: true, of: (plan) => price(plan, 'priceMonthly') },
          { label: 'A year', isNumber: true, of: (plan) => price(plan, 'priceYearly') },
          { label: 'Panels', isNumber: true, of: ({ maxActivations }) => maxActivations },
          { label: 'Features', isNumber: true, of: ({ features }) => features.length },
        ]}
        empty={
          <Empty>
            A plan says what a subscription costs and what its licenses allow. Nothing can be sold without one.
          </Empty>
        }
      />
    </Page>
  )
}

interface PlanStateProps {
  readonly plan: { readonly active: boolean; readonly public: boolean }
}

export function PlanState({ plan }: PlanStateProps) {
  if (!plan.active) return <ToneText tone="quiet">Closed</ToneText>
  return <ToneText tone="good">{plan.public ? 'Open, in the shop' : 'Open'}</ToneText>
}
