/**
 * Any sequence of commands and waits over a subscription and its licenses, compared with a model of what each
 * command may do.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Rejection } from '#kernel/lib/rejection'
import { effectiveStatus } from '#licensing/licenses/rules'
import { subscriptions } from '#licensing/subscriptions/decider'
import { unrevokedLicense } from '#licensing/subscriptions/license-rules'
import { cycleAfter, isLicenseHeld } from '#licensing/subscriptions/term-rules'
import type { Subscription } from '#licensing/subscriptions/term-rules'
import { AT, given } from '#test/support/decider-spec'
import { aPlan, subscriptionCreated } from '../../support/licensing/examples.ts'

const RUNS = 2_000
const STEPS_MAX = 40
const DAY_MS = 86_400_000
const actor = { type: 'STAFF', id: 'somebody' }
const kid = 'kid'

const PLANS = {
  team: aPlan({ maxActivations: 3, maxSeats: null }),
  big: aPlan({ slug: 'big', version: 1, maxActivations: 10, maxSeats: null, priceYearly: 99_999 }),
}
type Slug = keyof typeof PLANS
type Cycle = 'MONTHLY' | 'YEARLY'

interface Wanted {
  readonly planSlug?: Slug | undefined
  readonly seats?: number | undefined
  readonly billingCycle?: Cycle | undefined
}

const wanted = fc.record({
  planSlug: fc.option(fc.constantFrom('team' as const, 'big' as const), { nil: undefined }),
  seats: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  billingCycle: fc.option(fc.constantFrom('MONTHLY' as const, 'YEARLY' as const), { nil: undefined }),
})
const proration = fc.constantFrom('prorate' as const, 'invoice' as const, 'none' as const)
const simple = fc.constantFrom(
  'schedule cancellation',
  'withdraw cancellation',
  'end',
  'pause',
  'resume',
  'renew',
  'activate',
  'begin trial',
  'fail payment',
  'recover payment',
  'give up',
  'revoke',
  'suspend license',
  'resume license',
  'reissue',
  'note',
)
const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ does: simple }) },
  // No command follows them.
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('cancel' as const, 'expire' as const) }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('wait' as const), days: fc.nat({ max: 400 }) }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('change' as const), wanted, proration }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('schedule change' as const), wanted }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('apply change' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('issue' as const),
      days: fc.option(fc.integer({ min: -2, max: 700 }), { nil: undefined }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('extend' as const), days: fc.integer({ min: 1, max: 900 }) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** The input of a command; new objects are numbered. */
function commandOf(each: Step, state: Subscription, made: number, at: Date) {
  const fresh = { licenseId: licenseId(made), keyId: `lic_${made}`, kid, k: 'k', iss: 'https://x.test' }
  const newest = { licenseId: state.licenses.at(-1)?.id ?? licenseId(9_999) }
  const present = PLANS[state.planSlug as Slug]
  const planOf = (slug: string | undefined) => PLANS[(slug ?? state.planSlug) as Slug]
  switch (each.does) {
    case 'cancel':
      return ['CancelSubscription', {}] as const
    case 'schedule cancellation':
      return ['ScheduleCancellation', { kid }] as const
    case 'withdraw cancellation':
      return ['WithdrawCancellation', { kid }] as const
    case 'end':
      return ['EndSubscription', {}] as const
    case 'pause':
      return ['PauseSubscription', {}] as const
    case 'resume':
      return ['ResumeSubscription', {}] as const
    case 'renew':
      return ['RenewSubscription', { kid }] as const
    case 'activate':
      return ['ActivateSubscription', { status: 'ACTIVE', plan: present, kid }] as const
    case 'begin trial':
      return ['ActivateSubscription', { status: 'TRIALING', plan: present, kid }] as const
    case 'fail payment':
      return ['FailPayment', { nextAttemptAt: null }] as const
    case 'recover payment':
      return ['RecoverPayment', {}] as const
    case 'give up':
      return ['GiveUpCharging', {}] as const
    case 'expire':
      return ['ExpireSubscription', { reason: 'never paid', kid }] as const
    case 'revoke':
      return ['RevokeLicense', { ...newest, reason: 'any' }] as const
    case 'suspend license':
      return ['SuspendLicense', { ...newest, reason: 'any' }] as const
    case 'resume license':
      return ['ResumeLicense', newest] as const
    case 'reissue':
      return ['ReissueLicense', { ...fresh, ...newest, mode: 'routine' }] as const
    case 'note':
      return ['NoteExpiry', newest] as const
    case 'extend':
      return ['ExtendLicense', { ...newest, days: each.days, kid }] as const
    case 'issue': {
      const expiresAt = each.days === undefined ? undefined : new Date(at.getTime() + each.days * DAY_MS).toISOString()
      return ['IssueLicense', { ...fresh, plan: present, expiresAt }] as const
    }
    case 'change': {
      const change = { ...each.wanted, proration: each.proration }
      return ['ChangeSubscription', { change, plan: planOf(change.planSlug), present, license: fresh }] as const
    }
    case 'schedule change': {
      const change = { ...each.wanted, proration: 'prorate' }
      return ['ScheduleChange', { change, plan: planOf(change.planSlug) }] as const
    }
    default: {
      const plan = planOf(state.scheduledChange?.planSlug)
      return ['ApplyScheduledChange', { plan, present, license: fresh }] as const
    }
  }
}

const licenseId = (number: number): string => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`

interface ModelLicense {
  is: 'ACTIVE' | 'SUSPENDED' | 'REVOKED'
  end: number
  graceDays: number
}

/** Times in milliseconds. */
class Model {
  status: string
  plan: Slug = 'team'
  seats = 5
  cycle: Cycle = 'YEARLY'
  start = AT.getTime()
  end = Date.parse('2027-01-01T00:00:00.000Z')
  trialEnd: number | null = null
  isTrial: boolean
  cap = 3
  leaving: { at: number; license: Pick<ModelLicense, 'end' | 'graceDays'> | undefined } | undefined
  scheduled: (Wanted & { at: number }) | undefined
  licenses: ModelLicense[] = []

  constructor(status: string) {
    this.status = status
    this.isTrial = status === 'TRIALING'
  }

  get givenUntil(): number {
    return (this.isTrial ? this.trialEnd : null) ?? this.end
  }

  get license(): ModelLicense | undefined {
    return this.licenses.find(({ is }) => is !== 'REVOKED')
  }

  is(...statuses: string[]): boolean {
    return statuses.includes(this.status)
  }

  get isRunning(): boolean {
    return this.is('TRIALING', 'ACTIVE', 'PAST_DUE')
  }

  get isOver(): boolean {
    return this.is('CANCELLED', 'EXPIRED')
  }

  worth(now: number): string | undefined {
    const { license } = this
    if (!license) return undefined
    if (license.is === 'SUSPENDED' || this.is('PAUSED', 'UNPAID')) return 'SUSPENDED'
    if (now < license.end) return 'ACTIVE'
    return now < license.end + license.graceDays * DAY_MS ? 'GRACE' : 'EXPIRED'
  }

  over(status: string): void {
    this.status = status
    this.leaving = undefined
    this.scheduled = undefined
  }

  period(from: number): void {
    this.start = from
    this.end = cycleAfter(new Date(from), this.cycle).getTime()
    this.isTrial = this.is('TRIALING')
  }

  /** From `start`, or from now if that period would have ended already. */
  wholePeriod(start: number, now: number): void {
    this.period(cycleAfter(new Date(start), this.cycle).getTime() > now ? start : now)
  }

  issue(end: number): void {
    if (this.license) this.license.is = 'REVOKED'
    this.cap = Math.max(this.cap, PLANS[this.plan].maxActivations)
    this.licenses.push({ is: 'ACTIVE', end, graceDays: 14 })
  }

  differs(to: Wanted): boolean {
    const { planSlug = this.plan, seats = this.seats, billingCycle = this.cycle } = to
    return planSlug !== this.plan || seats !== this.seats || billingCycle !== this.cycle
  }

  /** @returns false when it is refused */
  take(to: Wanted, now: number, following: boolean): boolean {
    const isOtherPlan = (to.planSlug ?? this.plan) !== this.plan
    const isOtherCycle = (to.billingCycle ?? this.cycle) !== this.cycle
    if (isOtherPlan && this.license?.is === 'SUSPENDED') return false
    if (isOtherPlan && this.license && this.end <= now && !isOtherCycle && !following) return false
    this.plan = to.planSlug ?? this.plan
    this.seats = to.seats ?? this.seats
    this.cycle = to.billingCycle ?? this.cycle
    this.scheduled = undefined
    if (following) this.wholePeriod(this.end, now)
    else if (isOtherCycle) this.period(now)
    if (isOtherPlan) this.cap = Math.max(this.cap, PLANS[this.plan].maxActivations)
    if (isOtherPlan && this.license) this.issue(this.end)
    else if (this.license && (following || isOtherCycle)) this.license.end = this.end
    return true
  }

  /** @returns false when it must be refused */
  does(each: Step, now: number): boolean {
    const { license } = this
    switch (each.does) {
      case 'cancel':
        if (!this.isOver) {
          if (license) license.is = 'REVOKED'
          this.over('CANCELLED')
        }
        return true
      case 'schedule cancellation': {
        if (!this.isRunning) return false
        if (this.leaving) return true
        const at = this.givenUntil
        this.leaving = { at, license: license && { end: license.end, graceDays: license.graceDays } }
        if (license) Object.assign(license, { end: Math.min(license.end, at), graceDays: 0 })
        return true
      }
      case 'withdraw cancellation':
        if (!this.leaving || this.leaving.at <= now) return false
        if (license && this.leaving.license) Object.assign(license, this.leaving.license)
        this.leaving = undefined
        return true
      case 'end':
        if (this.leaving && this.leaving.at <= now) this.over('CANCELLED')
        return true
      case 'pause':
        if (!this.is('ACTIVE')) return false
        this.status = 'PAUSED'
        return true
      case 'resume':
        if (!this.is('PAUSED')) return false
        this.status = 'ACTIVE'
        return true
      case 'change':
        if (!this.isRunning || this.leaving) return false
        if (this.is('PAST_DUE') && each.proration !== 'none') return false
        return !this.differs(each.wanted) || this.take(each.wanted, now, false)
      case 'schedule change':
        if (!this.isRunning || this.leaving) return false
        this.scheduled = this.differs(each.wanted) ? { ...each.wanted, at: this.end } : undefined
        return true
      case 'apply change': {
        const { scheduled } = this
        if (!scheduled || scheduled.at > now || this.is('TRIALING')) return true
        const isHeld = license?.is === 'SUSPENDED' && scheduled.planSlug !== undefined
        if (!this.isRunning || this.leaving || isHeld || !this.differs(scheduled)) this.scheduled = undefined
        else this.take(scheduled, now, this.end <= now)
        return true
      }
      case 'renew':
        if ((!this.isRunning && !this.is('UNPAID')) || this.leaving) return false
        this.wholePeriod(this.givenUntil > now || this.worth(now) === 'ACTIVE' ? this.givenUntil : now, now)
        if (license) license.end = Math.max(license.end, this.end)
        return true
      case 'activate':
      case 'begin trial':
        if (!this.is(...(each.does === 'activate' ? ['INCOMPLETE', 'TRIALING'] : ['INCOMPLETE'])) || this.leaving)
          return false
        this.status = each.does === 'activate' ? 'ACTIVE' : 'TRIALING'
        this.period(now)
        if (this.is('TRIALING')) this.trialEnd = Math.min(now + 30 * DAY_MS, this.end)
        if (license) license.end = this.end
        return true
      case 'fail payment':
        if (!this.isRunning) return false
        this.status = 'PAST_DUE'
        return true
      case 'recover payment':
        if (this.is('PAST_DUE', 'UNPAID')) this.status = 'ACTIVE'
        return true
      case 'give up':
        if (!this.is('PAST_DUE')) return false
        this.status = 'UNPAID'
        return true
      case 'expire':
        if (this.isOver) return true
        if (!this.is('INCOMPLETE', 'TRIALING')) return false
        if (license) Object.assign(license, { end: now, graceDays: 0 })
        this.over('EXPIRED')
        return true
      case 'issue': {
        const end = each.days === undefined ? this.end : now + each.days * DAY_MS
        if (this.isOver || this.is('INCOMPLETE') || this.leaving || end <= now) return false
        this.issue(end)
        return true
      }
      case 'revoke':
        if (!license) return false
        license.is = 'REVOKED'
        return true
      case 'suspend license':
        if (license?.is !== 'ACTIVE') return false
        license.is = 'SUSPENDED'
        return true
      case 'resume license':
        if (license?.is !== 'SUSPENDED') return false
        license.is = 'ACTIVE'
        return true
      case 'extend': {
        if (!license || this.leaving || this.isOver) return false
        const end = Math.max(license.end, now) + each.days * DAY_MS
        const furthest = new Date(now)
        furthest.setUTCFullYear(furthest.getUTCFullYear() + 10)
        if (end > furthest.getTime()) return false
        license.end = end
        return true
      }
      case 'reissue':
        return license !== undefined
      case 'note':
        return this.licenses.length > 0
      default:
        return true
    }
  }

  view(now: number) {
    const { status, plan, seats, cycle, start, end, cap, leaving, scheduled, licenses } = this
    const shown = licenses.map(({ is, end: ends, graceDays }) =>
      is === 'REVOKED' ? { is } : { is, ends, graceEnds: ends + graceDays * DAY_MS },
    )
    const terms = { plan, seats, cycle, start, end, cap }
    return { status, ...terms, leaves: leaving?.at, changes: scheduled?.at, licenses: shown, worth: this.worth(now) }
  }
}

function viewOf(state: Subscription, at: Date) {
  const license = unrevokedLicense(state)
  return {
    status: state.status,
    plan: state.planSlug,
    seats: state.seats,
    cycle: state.billingCycle,
    start: Date.parse(state.currentPeriodStart),
    end: Date.parse(state.currentPeriodEnd),
    cap: state.maxActivations,
    leaves: state.cancellation ? Date.parse(state.cancellation.endsAt) : undefined,
    changes: state.scheduledChange ? Date.parse(state.scheduledChange.effectiveAt) : undefined,
    licenses: state.licenses.map(({ status, expiresAt, graceEndsAt }) =>
      status === 'REVOKED'
        ? { is: status }
        : { is: status, ends: Date.parse(expiresAt), graceEnds: Date.parse(graceEndsAt) },
    ),
    worth: license && effectiveStatus(license, at, isLicenseHeld(state)),
  }
}

/** @returns undefined when it was refused */
function decided(state: Subscription, each: Step, made: number, at: Date) {
  const [command, ask] = commandOf(each, state, made, at)
  const decide = subscriptions.commands[command] as (...all: unknown[]) => readonly any[]
  try {
    return decide(state, ask, { at, actor })
  } catch (error) {
    if (error instanceof Rejection) return undefined
    throw error
  }
}

it('does what the model says, refuses what it refuses, and never has two licenses that are not revoked', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(
      fc.constantFrom('ACTIVE' as const, 'TRIALING' as const, 'INCOMPLETE' as const),
      fc.array(step, { maxLength: STEPS_MAX, size: 'max' }),
      (status, steps) => {
        const model = new Model(status)
        let state = given(subscriptions, [subscriptionCreated({ status })]).state as Subscription
        let at = AT
        let made = 0
        let seqs = new Map<string, number>()
        for (const each of steps) {
          if (each.does === 'wait') {
            at = new Date(at.getTime() + each.days * DAY_MS)
            expect(viewOf(state, at)).toEqual(model.view(at.getTime()))
            continue
          }
          const events = decided(state, each, (made += 1), at)
          expect(events !== undefined, `${each.does} while ${state.status}`).toBe(model.does(each, at.getTime()))
          state = (events ?? []).reduce((one: Subscription, event) => subscriptions.evolve(one, event, at)!, state)
          seen.add(`${each.does} ${events === undefined ? 'refused' : events.length > 0 ? 'done' : 'nothing'}`)

          expect(viewOf(state, at)).toEqual(model.view(at.getTime()))
          expect(state.licenses.slice(0, -1).every((license) => license.status === 'REVOKED')).toBe(true)
          const newest = new Map(state.licenses.map(({ id, seq }) => [id, seq]))
          for (const [id, seq] of seqs) expect(newest.get(id)).toBeGreaterThanOrEqual(seq)
          seqs = newest
          const keyIds = state.licenses.flatMap(({ keyId, oldKeys }) => [keyId, ...oldKeys.map((old) => old.keyId)])
          expect(new Set(keyIds).size).toBe(keyIds.length)
        }
      },
    ),
    { numRuns: RUNS },
  )
  for (const does of [
    'change',
    'apply change',
    'withdraw cancellation',
    'extend',
    'renew',
    'activate',
    'resume license',
  ])
    expect([...seen], 'the sequences come to everything').toContain(`${does} done`)
})
