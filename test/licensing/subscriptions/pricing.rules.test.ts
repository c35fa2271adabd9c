/** The cost of a change in the middle of a period. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Plan } from '#licensing/plans/rules'
import { subscriptions } from '#licensing/subscriptions/decider'
import { SubscriptionPaymentFailed, SubscriptionRenewed } from '#licensing/subscriptions/events'
import { carriedOver, halfEven, priceOf } from '#licensing/subscriptions/pricing-rules'
import { cycleAfter } from '#licensing/subscriptions/term-rules'
import type { TermsChange, Subscription } from '#licensing/subscriptions/term-rules'
import { AT, given } from '#test/support/decider-spec'
import {
  aPlan,
  subscriptionCreated,
  days,
  inDays,
  licenseIssued,
  LICENSE_ID,
  SUBSCRIPTION_ID,
} from '../../support/licensing/examples.ts'

const YEAR_DAYS = 365
const team = aPlan({ priceYearly: 36_500, priceMonthly: 3_100 })
const big = aPlan({ slug: 'big', version: 1, priceYearly: 73_000, priceMonthly: 6_200 })
const license = { licenseId: '', keyId: '', kid: 'kid', k: '', iss: '' }
const actor = { type: 'STAFF', id: 'somebody' }

const sold = (more: object = {}): Subscription =>
  given(subscriptions, [subscriptionCreated({ seats: 1, ...more }), licenseIssued()]).state

interface Asking {
  readonly plan?: Plan
  readonly present?: Plan
  readonly pricedAt?: Date
}

function changed(
  state: Subscription,
  change: Partial<TermsChange>,
  at: Date,
  { plan = team, present = team, pricedAt }: Asking = {},
) {
  const ask = { change: { proration: 'prorate' as const, ...change }, plan, present, license, pricedAt }
  const events = subscriptions.commands.ChangeSubscription(state, ask, { at, actor })
  const after = events.reduce((one: Subscription, each) => subscriptions.evolve(one, each, at)!, state)
  return { events, after, settlement: after.billed.at(-1) ?? settlementIn(events) }
}

const settlementIn = (events: readonly { type: string; data: any }[]) =>
  events.find(({ type }) => type === 'SubscriptionChanged')?.data.settlement

describe('a price', () => {
  it('is that of the version that was sold, for every seat', () => {
    const plan = aPlan({
      version: 4,
      priceYearly: 99_999,
      versions: { 3: { currency: 'EUR', priceMonthly: 1_900, priceYearly: 19_000, free: false, features: [] } },
    })
    const terms = { planVersion: 3, billingCycle: 'YEARLY' as const, seats: 5 }
    expect(priceOf(plan, terms)).toEqual({ currency: 'EUR', amount: 95_000 })
    expect(priceOf(plan, { ...terms, billingCycle: 'MONTHLY' })).toEqual({ currency: 'EUR', amount: 9_500 })
  })

  it('is refused where it is beyond what is ever paid', () => {
    const dear = aPlan({ priceYearly: 1_000_000_000 })
    const terms = { planVersion: 3, billingCycle: 'YEARLY' as const }
    expect(priceOf(dear, { ...terms, seats: 1_000 }).amount).toBe(1_000_000_000_000)
    expect(() => priceOf(dear, { ...terms, seats: 1_001 })).toThrow(
      'The price is too large: reduce the seats or the price of the plan',
    )
  })
})

it('rounds half a unit to the even one, and everything else to the nearest', () => {
  const rounded = [-5n, -3n, -1n, 1n, 3n, 5n].map((numerator) => halfEven(numerator, 2n))
  expect(rounded).toEqual([-2n, -2n, 0n, 0n, 2n, 2n])
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
      fc.bigInt({ min: 1n, max: 10n ** 13n }),
      (top, bottom) => {
        const off = halfEven(top, bottom) * bottom - top
        const twice = (off < 0n ? -off : off) * 2n
        expect(twice <= bottom).toBe(true)
        if (twice === bottom) expect(halfEven(top, bottom) % 2n).toBe(0n)
      },
    ),
  )
})

describe('a change in the middle of a period', () => {
  const day = (number: number) => days(number)

  it('costs the difference for the rest of it', () => {
    const { settlement, after } = changed(sold(), { seats: 3 }, day(65))
    expect(settlement).toEqual({
      proration: 'prorate',
      currency: 'EUR',
      before: 36_500,
      after: 109_500,
      from: inDays(65),
      total: 60_000,
      lines: [
        { label: 'Unused time: team, 1 seat, yearly', amount: -30_000 },
        { label: 'Remaining time: team, 3 seats, yearly', amount: 90_000 },
      ],
      amount: 60_000,
      due: 'next_invoice',
      carried: 60_000,
    })
    expect(carriedOver(after)).toBe(60_000)
  })

  it('is due at once when it is to be invoiced', () => {
    const { settlement, after } = changed(sold(), { seats: 3, proration: 'invoice' }, day(65))
    expect(settlement).toMatchObject({ amount: 60_000, due: 'now' })
    expect(carriedOver(after)).toBe(0)
  })

  it('is credited where it costs less', () =>
    expect(changed(sold({ seats: 3 }), { seats: 1 }, day(65)).settlement).toMatchObject({ amount: -60_000 }))

  it('sets off what was left for the next invoice before anything is credited', () => {
    const { after } = changed(sold(), { seats: 3 }, day(65))
    const { settlement, after: back } = changed(after, { seats: 2 }, day(65))
    expect(settlement).toMatchObject({ total: -30_000, amount: 0, carried: 30_000 })
    expect(carriedOver(back)).toBe(30_000)
    const cheap = { plan: aPlan({ ...big, free: true, versions: {} }) }
    expect(changed(back, { planSlug: 'big' }, day(65), cheap).settlement).toMatchObject({
      total: -60_000,
      amount: -30_000,
      carried: 0,
    })
  })

  it('is due with the period that it begins, and so is what was left for the next invoice', () => {
    const { after } = changed(sold(), { seats: 3 }, day(65))
    expect(changed(after, { billingCycle: 'MONTHLY' }, day(65)).settlement).toMatchObject({
      amount: -90_000 + 60_000 + 9_300,
      due: 'now',
      carried: 0,
      lines: [
        { label: 'Unused time: team, 3 seats, yearly', amount: -90_000 },
        { label: 'Changes of the period before', amount: 60_000 },
        { label: 'A new period: team, 3 seats, monthly', amount: 9_300 },
      ],
    })
  })

  it('leaves nothing for a next invoice that is not written: whoever cancels owes it now', () => {
    const { after } = changed(sold(), { seats: 3 }, day(65))
    const events = subscriptions.commands.ScheduleCancellation(after, { kid: 'kid' })
    expect(events[0]!.data).toMatchObject({ carried: 60_000 })
    expect(carriedOver(events.reduce((one: Subscription, each) => subscriptions.evolve(one, each, AT)!, after))).toBe(0)
  })

  it('brings the price of another plan', () =>
    expect(changed(sold(), { planSlug: 'big' }, day(65), { plan: big }).settlement).toMatchObject({
      before: 36_500,
      after: 73_000,
      amount: 30_000,
    }))

  it('begins a new period with another cycle, and credits what is left of the old one', () => {
    const { settlement, events } = changed(sold(), { billingCycle: 'MONTHLY' }, day(65))
    expect(settlement).toMatchObject({
      amount: 3_100 - 30_000,
      due: 'now',
      lines: [
        { label: 'Unused time: team, 1 seat, yearly', amount: -30_000 },
        { label: 'A new period: team, 1 seat, monthly', amount: 3_100 },
      ],
    })
    expect(events.map(({ type }) => type)).toContain('SubscriptionRenewed')
  })

  it('costs nothing without proration, and gives nothing to whoever changes back', () => {
    const { after, settlement } = changed(sold(), { seats: 3, proration: 'none' }, day(65))
    expect(settlement).toMatchObject({ amount: 0, before: 36_500, after: 36_500, lines: [] })
    expect(changed(after, { seats: 1 }, day(100)).settlement).toMatchObject({ amount: 0, lines: [] })
  })

  it('without proration but with another cycle costs a whole new period', () =>
    expect(changed(sold(), { billingCycle: 'MONTHLY', proration: 'none' }, day(65)).settlement).toMatchObject({
      amount: 3_100,
      lines: [{ label: 'A new period: team, 1 seat, monthly', amount: 3_100 }],
    }))

  it('costs nothing during a trial, which nobody has paid for', () => {
    const { settlement, after } = changed(sold({ status: 'TRIALING', trialEndsAt: inDays(30) }), { seats: 3 }, day(5))
    expect(settlement).toMatchObject({ amount: 0, lines: [] })
    expect(after.billed).toEqual([])
  })

  it('is refused while a charge is outstanding: nobody is credited what he has not paid', () => {
    const failed = SubscriptionPaymentFailed({ ...whose(), attempt: 1, nextAttemptAt: null })
    const state = given(subscriptions, [subscriptionCreated({ seats: 5 }), licenseIssued(), failed])
      .state as Subscription
    expect(() => changed(state, { seats: 1 }, day(5))).toThrow('A charge is outstanding')
    expect(changed(state, { seats: 1, proration: 'none' }, day(5)).settlement).toMatchObject({ amount: 0 })
  })

  it('is refused where the other plan is sold in another currency', () => {
    const dollars = aPlan({ ...big, currency: 'USD', versions: {} })
    expect(() => changed(sold(), { planSlug: 'big' }, day(5), { plan: dollars })).toThrow(
      'The plan is sold in USD, the subscription in EUR: change it at the end of the period',
    )
  })

  it('is settled as of the moment that its price was promised for', () => {
    const pricedAt = day(65)
    const at = new Date(pricedAt.getTime() + 599_000)
    expect(changed(sold(), { seats: 3 }, at, { pricedAt }).settlement).toMatchObject({
      amount: 60_000,
      from: inDays(65),
    })
  })

  it('costs nothing when the period is over', () =>
    expect(changed(sold(), { seats: 3 }, day(YEAR_DAYS + 5)).settlement).toMatchObject({ amount: 0 }))

  it('is forgotten with its period', () => {
    const { after } = changed(sold(), { seats: 3 }, day(65))
    const renewed = SubscriptionRenewed({ ...whose(), currentPeriodStart: inDays(365), currentPeriodEnd: inDays(730) })
    const next = subscriptions.evolve(after, renewed, day(365))!
    expect(next.billed).toEqual([])
    expect(changed(next, { seats: 1 }, day(365)).settlement).toMatchObject({ before: 109_500, amount: -73_000 })
  })
})

const whose = () => ({ subscriptionId: SUBSCRIPTION_ID, customerId: sold().customerId })

describe('any number of changes', () => {
  const step = fc.record({
    afterMs: fc.integer({ min: 0, max: 40 * 86_400_000 }),
    seats: fc.integer({ min: 1, max: 50 }),
    proration: fc.constantFrom('prorate' as const, 'invoice' as const, 'none' as const),
  })
  const unit = fc.integer({ min: 0, max: 99_999_937 })

  /** The value of the period, with every price weighted by the time for which it was billed. */
  function worth(prices: readonly { since: number; price: number }[]): bigint {
    const end = AT.getTime() + YEAR_DAYS * 86_400_000
    const lasting = prices.map(
      ({ since, price }, nth) => BigInt(price) * BigInt((prices[nth + 1]?.since ?? end) - since),
    )
    return halfEven(
      lasting.reduce((sum, each) => sum + each, 0n),
      BigInt(YEAR_DAYS * 86_400_000),
    )
  }

  it('come to what the period is worth, to the unit; the lines are the sum', () => {
    fc.assert(
      fc.property(unit, fc.array(step, { maxLength: 12 }), (price, steps) => {
        const present = aPlan({ priceYearly: price })
        let state = sold()
        let atMs = AT.getTime()
        let charged = BigInt(price)
        const prices = [{ since: atMs, price }]
        for (const { afterMs, seats, proration } of steps) {
          atMs = Math.min(atMs + afterMs, AT.getTime() + YEAR_DAYS * 86_400_000)
          const { after, settlement, events } = changed(state, { seats, proration }, new Date(atMs), {
            plan: present,
            present,
          })
          state = after
          if (events.length === 0) continue
          const lines: { amount: number }[] = settlement.lines
          expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(settlement.total)
          if (settlement.due === 'now') charged += BigInt(settlement.amount)
          if (proration === 'none') expect(settlement.total).toBe(0)
          else prices.push({ since: atMs, price: price * seats })
          expect(charged + BigInt(carriedOver(state))).toBe(worth(prices))
          expect(charged).toBeGreaterThanOrEqual(0n)
          expect(carriedOver(state)).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })

  it('leave nothing to whoever is back where he was and had no less meanwhile', () => {
    fc.assert(
      fc.property(unit, fc.array(step, { minLength: 1, maxLength: 12 }), (price, steps) => {
        const present = aPlan({ priceYearly: price })
        let state = sold()
        let atMs = AT.getTime()
        let paid = 0
        const back = { afterMs: steps[0]!.afterMs, seats: 1, proration: 'invoice' as const }
        for (const { afterMs, seats, proration } of [...steps, back]) {
          atMs += afterMs
          const { after, settlement, events } = changed(state, { seats, proration }, new Date(atMs), {
            plan: present,
            present,
          })
          if (events.length > 0) paid += settlement.total
          state = after
        }
        expect(state.seats).toBe(1)
        expect(paid).toBeGreaterThanOrEqual(0)
        if (steps.every(({ afterMs, proration }) => afterMs === 0 && proration !== 'none')) expect(paid).toBe(0)
      }),
    )
  })

  it('back and forth between cycles give nothing either', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 * 86_400_000 }), { minLength: 2, maxLength: 8 }), (pauses) => {
        let state = sold()
        let atMs = AT.getTime()
        let paid = BigInt(36_500)
        for (const [nth, pauseMs] of pauses.entries()) {
          atMs += pauseMs
          const billingCycle = nth % 2 === 0 ? ('MONTHLY' as const) : ('YEARLY' as const)
          const { events, after } = changed(state, { billingCycle, proration: 'invoice' }, new Date(atMs))
          paid += BigInt(settlementIn(events).amount)
          state = after
        }
        const left = Date.parse(state.currentPeriodEnd) - atMs
        const cycleMs = Date.parse(state.currentPeriodEnd) - Date.parse(state.currentPeriodStart)
        const price = state.billingCycle === 'MONTHLY' ? 3_100 : 36_500
        expect(paid).toBeGreaterThanOrEqual(halfEven(BigInt(price) * BigInt(left), BigInt(cycleMs)))
      }),
    )
  })
})

describe('a year that is billed by the month', () => {
  const instant = fc.integer({ min: AT.getTime(), max: AT.getTime() + 4 * YEAR_DAYS * 86_400_000 })
  const provisioned = (startMs: number, months: number) => {
    const start = new Date(startMs)
    const currentPeriodEnd = cycleAfter(start, 'MONTHLY', months).toISOString()
    return sold({ billingCycle: 'MONTHLY', currentPeriodStart: start.toISOString(), currentPeriodEnd })
  }

  it('is worth twelve months, whichever it begins with', () => {
    for (const day of ['2026-01-31', '2026-02-01', '2026-03-01', '2028-02-29']) {
      const start = new Date(`${day}T00:00:00Z`)
      const { settlement } = changed(provisioned(start.getTime(), 12), { seats: 2 }, start)
      expect(settlement, day).toMatchObject({ amount: 12 * 3_100, before: 3_100, after: 6_200 })
    }
  })

  it('and so is any number of months, and what is left of them in proportion', () => {
    fc.assert(
      fc.property(
        instant,
        fc.integer({ min: 1, max: 120 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (startMs, months, part) => {
          const state = provisioned(startMs, months)
          const lengthMs = Date.parse(state.currentPeriodEnd) - startMs
          const at = new Date(startMs + Math.floor(lengthMs * part))
          const { settlement } = changed(state, { seats: 2 }, at)
          const left = BigInt(Date.parse(state.currentPeriodEnd) - at.getTime())
          expect(BigInt(settlement.total)).toBe(halfEven(BigInt(3_100 * months) * left, BigInt(lengthMs)))
        },
      ),
    )
  })

  it('a part of a month costs its share of that month', () => {
    const start = new Date('2026-02-01T00:00:00Z')
    const halfApril = { currentPeriodEnd: '2026-04-16T00:00:00.000Z', currentPeriodStart: start.toISOString() }
    const state = sold({ billingCycle: 'MONTHLY', ...halfApril })
    expect(changed(state, { seats: 2 }, start).settlement).toMatchObject({ amount: 2 * 3_100 + 1_550 })
  })
})

describe('a cycle that has no price', () => {
  const yearly = aPlan({ priceMonthly: null, priceYearly: 36_500 })
  const dropped = { ...yearly, version: 4, versions: { ...team.versions, 4: yearly.versions[3]! } }
  const by = (state: Subscription, change: Partial<TermsChange>, plan: Plan) => () =>
    changed(state, change, AT, { plan, present: plan })

  it('is not changed into, and what was sold in it costs nothing', () => {
    expect(by(sold(), { billingCycle: 'MONTHLY' }, yearly)).toThrow('Plan team is not offered monthly')
    expect(
      by(sold(), { planSlug: 'big', billingCycle: 'MONTHLY' }, aPlan({ ...big, priceMonthly: null, versions: {} })),
    ).toThrow('Plan big is not offered monthly')
    expect(priceOf(yearly, { planVersion: 3, billingCycle: 'MONTHLY', seats: 9 })).toEqual({
      currency: 'EUR',
      amount: 0,
    })
    expect(
      changed(sold({ billingCycle: 'MONTHLY' }), { seats: 9 }, AT, { plan: yearly, present: yearly }).settlement,
    ).toMatchObject({ amount: 0, lines: [] })
  })

  it('keeps its price for what was sold while it had one, and what is scheduled for another plan is withdrawn', () => {
    expect(
      changed(sold({ billingCycle: 'MONTHLY' }), { seats: 2 }, AT, { plan: dropped, present: dropped }).settlement,
    ).toMatchObject({ before: 3_100, after: 6_200 })
    const monthly = sold({ billingCycle: 'MONTHLY' })
    const change = { planSlug: 'big', proration: 'none' } as const
    const [scheduled] = subscriptions.commands.ScheduleChange(monthly, { change, plan: big })
    const waiting = subscriptions.evolve(monthly, scheduled!, AT)!
    const gone = { ...big, version: 2, versions: { ...big.versions, 2: { ...big.versions[1]!, priceMonthly: null } } }
    const asking = { plan: gone, present: team, license }
    const events = subscriptions.commands.ApplyScheduledChange(waiting, asking, { at: days(400), actor })
    expect(events.map(({ type }) => type)).toEqual(['SubscriptionChangeWithdrawn'])
  })
})

describe('a change that was scheduled', () => {
  const asking = { plan: team, present: team, license }
  const schedule = (state: Subscription): Subscription =>
    subscriptions.commands
      .ScheduleChange(state, { change: { seats: 3, proration: 'prorate' }, plan: team })
      .reduce((one: Subscription, each) => subscriptions.evolve(one, each, AT)!, state)
  const applied = (state: Subscription, at: Date) =>
    settlementIn(subscriptions.commands.ApplyScheduledChange(state, asking, { at, actor }))

  it('costs the whole period that it begins', () =>
    expect(applied(schedule(sold()), days(YEAR_DAYS))).toMatchObject({ amount: 109_500, due: 'now' }))

  it('costs the difference where that period was paid at the old price meanwhile', () => {
    const renewed = SubscriptionRenewed({ ...whose(), currentPeriodStart: inDays(365), currentPeriodEnd: inDays(730) })
    const state = subscriptions.evolve(schedule(sold()), renewed, days(365))!
    expect(applied(state, days(366))).toMatchObject({ amount: 73_000, due: 'now', from: inDays(365) })
  })

  it('waits for a trial to end', () => {
    const trial = schedule(sold({ status: 'TRIALING', trialEndsAt: inDays(30) }))
    expect(subscriptions.commands.ApplyScheduledChange(trial, asking, { at: days(400), actor })).toEqual([])
  })

  it('is withdrawn by asking for what it is sold as now', () => {
    const events = subscriptions.commands.ScheduleChange(schedule(sold()), {
      change: { seats: 1, proration: 'prorate' },
      plan: team,
    })
    expect(events.map(({ type }) => type)).toEqual(['SubscriptionChangeWithdrawn'])
  })
})

it('a license is not extended past the end that was promised for its subscription', () => {
  const scheduled = given(subscriptions, [subscriptionCreated(), licenseIssued()])
    .when('ScheduleCancellation', { kid: 'kid' })
    .events()
  given(subscriptions, [subscriptionCreated(), licenseIssued(), ...scheduled])
    .when('ExtendLicense', { licenseId: LICENSE_ID, days: 10, kid: 'kid' })
    .refused(409, 'The subscription is about to be cancelled')
})
