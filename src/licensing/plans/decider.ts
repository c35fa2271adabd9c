import type { z } from 'zod'
import { decider } from '#kernel/decider'
import type { DataOf } from '#kernel/event'
import { found } from '#kernel/rejection'
import { PlanActivated, PlanChanged, PlanCreated, PlanDeactivated, planEvents } from './events.ts'
import type { planTerms } from './events.ts'

export type PlanTerms = { [Term in keyof typeof planTerms]: z.output<(typeof planTerms)[Term]> }

export interface Plan extends PlanTerms {
  readonly id: string
  readonly slug: string
  readonly active: boolean
  readonly version: number
  readonly createdAt: string
}

/** Edits of these make a new version; live subscriptions keep the one they were sold. */
const VERSIONED: readonly (keyof PlanTerms)[] = ['currency', 'priceMonthly', 'priceYearly', 'features']

export const plans = decider(planEvents, {
  initial: undefined as Plan | undefined,
  evolve: {
    PlanCreated: (_none, { planId, ...plan }, at) => ({
      ...plan,
      id: planId,
      version: 1,
      createdAt: at.toISOString(),
    }),
    PlanChanged: (plan, { changes, version }) => ({ ...plan!, ...changes, version }),
    PlanActivated: (plan) => ({ ...plan!, active: true }),
    PlanDeactivated: (plan) => ({ ...plan!, active: false }),
  },
  commands: {
    CreatePlan: (_none, ask: DataOf<typeof PlanCreated>) => [PlanCreated(ask)],
    ChangePlan: (plan, ask: Partial<PlanTerms>) => {
      const { id, version, ...terms } = found(plan)
      const changes = differing(terms, ask)
      if (Object.keys(changes).length === 0) return []
      const edited = VERSIONED.some((term) => term in changes)
      return [PlanChanged({ planId: id, changes, version: edited ? version + 1 : version })]
    },
    ActivatePlan: (plan, _ask: object) => {
      const { id, active } = found(plan)
      return active ? [] : [PlanActivated({ planId: id })]
    },
    DeactivatePlan: (plan, _ask: object) => {
      const { id, active } = found(plan)
      return active ? [PlanDeactivated({ planId: id })] : []
    },
  },
})

const differing = (now: PlanTerms, ask: Partial<PlanTerms>): Partial<PlanTerms> =>
  Object.fromEntries(
    Object.entries(ask).filter(
      ([term, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(now[term as keyof PlanTerms]),
    ),
  )
