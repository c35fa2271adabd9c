import { getShopPlans, postShopCheckout } from '#api-client/licensing/shop'
import type { DataOf } from '#api-client/operation'
import type { ItemOf } from '#api-client/paging'
import { Action } from '../../kit/action.tsx'
import { ButtonLink, Empty, Fact, Facts, Part } from '../../kit/controls.tsx'
import { money } from '../../kit/money.ts'
import { Failed, Page } from '../../kit/page.tsx'
import { labelOf } from '../../kit/words.ts'
import { useList, useSessionState } from '../../session/context.tsx'

type Plan = ItemOf<DataOf<typeof getShopPlans>>

export default function Plans() {
  const plans = useList(getShopPlans, {})
  return (
    <Page title="Plans">
      {plans.error && <Failed of={plans.error} again={plans.again} />}
      {!plans.isLoading && !plans.error && plans.items.length === 0 && <Empty>No plan is offered at this time.</Empty>}
      <div className="columns">
        {plans.items.map((plan) => (
          <Part key={plan.slug} title={plan.name} actions={<Buy plan={plan} />}>
            <Prices plan={plan} />
          </Part>
        ))}
      </div>
    </Page>
  )
}

function Buy({ plan: { slug, name, free, trialDays } }: { readonly plan: Plan }) {
  const { phase } = useSessionState()
  if (phase === 'out') return <ButtonLink to="/shop/register">Make an account to buy</ButtonLink>
  return (
    <Action
      operation={postShopCheckout}
      fixed={{ planSlug: slug }}
      label={free ? 'Start' : 'Buy'}
      title={name}
      tone="main"
      about={<p>{free ? 'This plan costs nothing and starts at once.' : paid(trialDays)}</p>}
      submit={free ? 'Start' : 'Go to the payment'}
      done="Going on"
      onDone={({ checkoutUrl }) => location.assign(checkoutUrl)}
    />
  )
}

const paid = (trialDays: number): string =>
  trialDays > 0
    ? `The first ${trialDays} days are free. The license follows the payment.`
    : 'The license follows the payment.'

const Prices = ({ plan }: { readonly plan: Plan }) => (
  <Facts>
    {plan.free && <Fact label="Price">Free</Fact>}
    {plan.priceMonthly !== null && <Fact label="A month">{money(plan.priceMonthly, plan.currency)}</Fact>}
    {plan.priceYearly !== null && <Fact label="A year">{money(plan.priceYearly, plan.currency)}</Fact>}
    {plan.trialDays > 0 && <Fact label="Trial">{plan.trialDays} days</Fact>}
    <Fact label="Panels">{plan.maxActivations}</Fact>
    <Fact label="Seats">{plan.maxSeats ?? 'any number'}</Fact>
    {plan.features.map(({ key, value }) => (
      <Fact key={key} label={labelOf(key)}>
        {typeof value === 'boolean' ? (value ? 'Included' : 'Not included') : value}
      </Fact>
    ))}
  </Facts>
)
