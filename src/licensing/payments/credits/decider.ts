import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { reject } from '#kernel/lib/rejection'
import { AMOUNT_MAX } from '../events.ts'
import { CreditGranted, CreditReturned, CreditSpent, creditEvents } from './events.ts'

type CreditSpentData = DataOf<typeof CreditSpent>

export interface Credit {
  /** Remaining credit, by currency. */
  readonly balances: Readonly<Record<string, number>>
  /** Credit that payments have used, so that it is returned once. */
  readonly spentOn: Readonly<Record<string, CreditSpentData>>
}

const balanceOf = ({ balances }: Credit, currency: string): number => balances[currency] ?? 0

const moved = (credit: Credit, { currency, amount }: { currency: string; amount: number }): Credit => ({
  ...credit,
  balances: { ...credit.balances, [currency]: balanceOf(credit, currency) + amount },
})

const NONE: Credit = { balances: {}, spentOn: {} }

export const credits = decider(creditEvents, {
  initial: NONE,
  evolve: {
    CreditGranted: moved,
    CreditSpent: (credit, spent): Credit => {
      const { balances } = moved(credit, { ...spent, amount: -spent.amount })
      return { balances, spentOn: { ...credit.spentOn, [spent.paymentId]: spent } }
    },
    CreditReturned: (credit, returned): Credit => {
      const { [returned.paymentId]: _returned, ...spentOn } = credit.spentOn
      return { ...moved(credit, returned), spentOn }
    },
  },
  commands: {
    GrantCredit: (credit, ask: DataOf<typeof CreditGranted>) => {
      if (balanceOf(credit, ask.currency) + ask.amount > AMOUNT_MAX)
        reject('conflict', `A customer’s credit is at most ${AMOUNT_MAX}: grant less`, 'CREDIT_TOO_LARGE')
      return [CreditGranted(ask)]
    },
    /** Spends up to the requested amount, possibly nothing. */
    SpendCredit: (credit, ask: CreditSpentData) => {
      const amount = Math.min(balanceOf(credit, ask.currency), ask.amount)
      return amount > 0 ? [CreditSpent({ ...ask, amount })] : []
    },
    /** Repeating it changes nothing. */
    ReturnCredit: (credit, { paymentId }: { paymentId: string }) => {
      const spent = credit.spentOn[paymentId]
      return spent ? [CreditReturned(spent)] : []
    },
  },
})
