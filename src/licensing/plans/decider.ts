import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { fits } from '#kernel/lib/record-states'
import type { States } from '#kernel/lib/record-states'
import { found, reject } from '#kernel/lib/rejection'
import { PlanActivated, PlanChanged, PlanCreated, PlanDeactivated, planEvents } from './events.ts'
import { VERSIONED } from './rules.ts'
import type { PlanVersion, PlanTerms, Plan } from './rules.ts'

export const OPEN_PLAN = { active: [true] } as const satisfies States<Plan>
export const CLOSED_PLAN = { active: [false] } as const satisfies States<Plan>

export const plans = decider(planEvents, {
  initial: undefined as Plan | undefined,
  evolve: {
    PlanCreated: (_none, { planId, ...plan }, at) => ({
      ...plan,
      id: planId,
      version: 1,
      versions: { 1: planVersionOf(plan) },
      createdAt: at.toISOString(),
    }),
    PlanChanged: (plan, { changes, version }) => {
      const changed = { ...plan!, ...changes, version }
      return { ...changed, versions: { ...plan!.versions, [version]: planVersionOf(changed) } }
    },
    PlanActivated: (plan) => ({ ...plan!, active: true }),
    PlanDeactivated: (plan) => ({ ...plan!, active: false }),
  },
  commands: {
    CreatePlan: (_none, ask: DataOf<typeof PlanCreated>) => [PlanCreated(withConsistentPrices(ask))],
    ChangePlan: (plan, ask: Partial<PlanTerms>) => {
      const { id, version, versions: _versions, ...terms } = found(plan)
      const changes = changedTerms(terms, withConsistentPrices(ask))
      if (Object.keys(changes).length === 0) return []
      const edited = VERSIONED.some((term) => term in changes)
      return [PlanChanged({ planId: id, changes, version: edited ? version + 1 : version })]
    },
    ActivatePlan: (plan, _ask: object) => {
      const known = found(plan)
      return fits(known, CLOSED_PLAN) ? [PlanActivated({ planId: known.id })] : []
    },
    DeactivatePlan: (plan, _ask: object) => {
      const known = found(plan)
      return fits(known, OPEN_PLAN) ? [PlanDeactivated({ planId: known.id })] : []
    },
  },
})

const planVersionOf = ({ currency, priceMonthly, priceYearly, free, features }: PlanTerms): PlanVersion => ({
  currency,
  priceMonthly,
  priceYearly,
  free,
  features,
})

type PriceTerms = Partial<Pick<PlanTerms, 'free' | 'priceMonthly' | 'priceYearly'>>

/**
 * Making a plan free removes its prices; setting a price ends free.
 * @throws Rejection 400 for both at once
 */
function withConsistentPrices<Terms extends PriceTerms>(terms: Terms): Terms {
  const { free, priceMonthly, priceYearly } = terms
  const hasPrice = typeof priceMonthly === 'number' || typeof priceYearly === 'number'
  if (free && hasPrice) reject('invalid', 'A plan is free or has prices, not both: send one of them', 'FREE_WITH_PRICE')
  if (free) return { ...terms, priceMonthly: null, priceYearly: null }
  return hasPrice ? { ...terms, free: false } : terms
}

const changedTerms = (now: PlanTerms, ask: Partial<PlanTerms>): Partial<PlanTerms> =>
  Object.fromEntries(
    Object.entries(ask).filter(
      ([term, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(now[term as keyof PlanTerms]),
    ),
  )
