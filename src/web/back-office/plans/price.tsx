import type { ReactNode } from 'react'
import { money } from '../../kit/money.ts'

interface Prices {
  readonly currency: string
  readonly priceMonthly: number | null
  readonly priceYearly: number | null
  readonly free: boolean
}

/** What a cycle costs; a dash for a cycle that is not offered. */
export function price(plan: Prices, cycle: 'priceMonthly' | 'priceYearly'): ReactNode {
  if (plan.free) return 'free'
  const amount = plan[cycle]
  return amount === null ? <span className="soft">–</span> : money(amount, plan.currency)
}
