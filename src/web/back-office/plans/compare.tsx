import { Link } from 'wouter'
import { getAdminPlans } from '#api-client/licensing/plans'
import { Comparison } from '../../kit/comparison.tsx'
import { Empty, Value } from '../../kit/controls.tsx'
import { ListFoot } from '../../kit/filters.tsx'
import { Page } from '../../kit/page.tsx'
import { useList } from '../../session/context.tsx'
import { useFeatureNames } from './feature-names.tsx'
import { PlanState } from './list.tsx'
import { price } from './price.tsx'

export default function ComparePlans() {
  const plans = useList(getAdminPlans, { query: { sort: 'slug' } })
  const nameOf = useFeatureNames(true)
  const { items } = plans
  const keys = [...new Set(items.flatMap(({ features }) => features.map(({ key }) => key)))].toSorted()
  return (
    <Page title="Plans beside each other" parent={{ to: '/console/plans', title: 'Plans' }}>
      {items.length === 0 && !plans.isLoading && !plans.error && <Empty>There is no plan to compare yet.</Empty>}
      {items.length > 0 && (
        <Comparison
          caption="Plans and their features"
          heads={items.map(({ id, name }) => ({ key: id, head: <Link href={`/console/plans/${id}`}>{name}</Link> }))}
          rows={[
            { key: 'state', label: 'State', cells: items.map((plan) => <PlanState key={plan.id} plan={plan} />) },
            { key: 'month', label: 'A month', cells: items.map((plan) => price(plan, 'priceMonthly')) },
            { key: 'year', label: 'A year', cells: items.map((plan) => price(plan, 'priceYearly')) },
            { key: 'panels', label: 'Panels', cells: items.map(({ maxActivations }) => maxActivations) },
            { key: 'seats', label: 'Seats', cells: items.map(({ maxSeats }) => maxSeats ?? 'unlimited') },
            ...keys.map((key) => ({
              key: `feature ${key}`,
              label: nameOf(key),
              cells: items.map(({ id, features }) => (
                <Value key={id} of={features.find((feature) => feature.key === key)?.value} />
              )),
            })),
          ]}
        />
      )}
      <ListFoot list={plans} />
    </Page>
  )
}
