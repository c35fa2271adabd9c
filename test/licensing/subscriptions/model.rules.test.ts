/** Any sequence of issues and revocations, at any times and with any plans, compared with a model of a few lines. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Rejection } from '#kernel/lib/rejection'
import { subscriptions } from '#licensing/subscriptions/decider'
import { unrevokedLicense, usableLicense } from '#licensing/subscriptions/license-rules'
import type { Subscription } from '#licensing/subscriptions/term-rules'
import { AT, given } from '#test/support/decider-spec'
import { aPlan, subscriptionCreated, days, inDays } from '../../support/licensing/examples.ts'

const RUNS = 500

const issue = fc.record({
  does: fc.constant('issue' as const),
  planCap: fc.integer({ min: 1, max: 9 }),
  planActive: fc.boolean(),
  asked: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
  lastsDays: fc.option(fc.integer({ min: -3, max: 400 }), { nil: undefined }),
})
/** Counted from the newest license. */
const revoke = fc.record({ does: fc.constant('revoke' as const), back: fc.nat({ max: 3 }) })
const wait = fc.record({ does: fc.constant('wait' as const), days: fc.nat({ max: 200 }) })
const steps = fc.array(fc.oneof(issue, revoke, wait), { maxLength: 30 })

const licenseId = (number: number): string => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`
const numbered = (number: number) => ({
  licenseId: licenseId(number),
  keyId: `lic_${number}`,
  kid: 'kid',
  k: `secret ${number}`,
  iss: 'https://licensing.example.test',
})

function decided(decide: () => readonly unknown[]): readonly unknown[] {
  try {
    return decide()
  } catch (error) {
    if (error instanceof Rejection) return []
    throw error
  }
}

it('has at most one license, revokes each at most once, and never lowers the cap', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      let state = given(subscriptions, [subscriptionCreated()]).state as Subscription
      let at = AT
      let issuedSoFar = 0
      let cap = state.maxActivations
      const active = new Set<string>()

      for (const step of sequence) {
        if (step.does === 'wait') {
          at = days(step.days, at)
          continue
        }
        const events = decided(() =>
          step.does === 'issue'
            ? subscriptions.commands.IssueLicense(
                state,
                {
                  ...numbered(issuedSoFar),
                  plan: aPlan({ maxActivations: step.planCap, active: step.planActive }),
                  maxActivations: step.asked,
                  expiresAt: step.lastsDays === undefined ? undefined : inDays(step.lastsDays, at),
                },
                { at, actor: { type: 'STAFF', id: 'somebody' } },
              )
            : subscriptions.commands.RevokeLicense(state, {
                licenseId: licenseId(issuedSoFar - 1 - step.back),
                reason: 'any',
              }),
        ) as { type: string; data: { licenseId: string; maxActivations: number } }[]

        for (const event of events) {
          state = subscriptions.evolve(state, event, at)!
          const { data } = event
          if (event.type === 'LicenseRevoked') expect(active.delete(data.licenseId)).toBe(true)
          if (event.type !== 'LicenseIssued') continue
          active.add(data.licenseId)
          issuedSoFar += 1
          if (step.does === 'issue') expect(data.maxActivations).toBe(Math.max(cap, step.planCap))
          cap = data.maxActivations
        }

        expect(active.size).toBeLessThanOrEqual(1)
        expect(unrevokedLicense(state)?.id).toBe([...active][0])
        expect(state.maxActivations).toBe(cap)
        const usable = usableLicense(state, at)
        if (usable) expect(Date.parse(usable.graceEndsAt)).toBeGreaterThan(at.getTime())
        expect(state.licenses.filter(({ status }) => status === 'ACTIVE').length).toBe(active.size)
        expect(state.licenses.slice(0, -1).every(({ status }) => status === 'REVOKED')).toBe(true)
      }
    }),
    { numRuns: RUNS },
  )
})
