/** The document names the state after an event, so that a history shows what a record was before. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventType } from '#kernel/events/event'
import { customers } from '#licensing/customers/decider'
import { LicenseIssued } from '#licensing/licenses/events'
import { issuedLicense, licenseEvolutions } from '#licensing/licenses/rules'
import { subscriptions } from '#licensing/subscriptions/decider'
import { DOCS } from '../../../src/composition/licensing.ts'
import { arbitraryFor } from '../../support/arbitrary-data.ts'

/** All samples are about the same records. */
const STORY = '01890000-0000-7000-8000-000000000001'
const AT = new Date('2030-01-02T03:04:05.678Z')

const sampleOf = ({ schema }: EventType): never =>
  fc.sample(arbitraryFor(schema, STORY), { numRuns: 1, seed: 1 })[0] as never

type Evolve = (
  state: { status: string } | undefined,
  event: { type: string; data: unknown },
  at: Date,
) => { status: string }

/** Events of the noun itself; each leads a record from a state that no event leads to. */
function statesAfter(types: readonly EventType[], first: EventType, evolve: Evolve): Record<string, string> {
  const begun = evolve(undefined, { type: first.type, data: sampleOf(first) }, AT)
  const after = types.flatMap((type) => {
    const data = sampleOf(type)
    const { status } = evolve(
      type === first ? undefined : { ...begun, status: 'BEFORE' },
      { type: type.type, data },
      AT,
    )
    // An event that names the state itself needs no entry.
    return status === 'BEFORE' || 'status' in (data as object) ? [] : [[type.action, status] as const]
  })
  return Object.fromEntries(after)
}

test('the states after events are those that the deciders evolve to', () => {
  const ofNoun = (noun: string, types: readonly EventType[]) => types.filter(({ type }) => type.startsWith(noun))
  const customerTypes = ofNoun('Customer', customers.stream.types)
  const subscriptionTypes = ofNoun('Subscription', subscriptions.stream.types)
  const licenseTypes = ofNoun('License', subscriptions.stream.types)
  const evolveLicense = ((license, { type, data }, at) =>
    license === undefined
      ? issuedLicense(data as never)
      : licenseEvolutions[type as keyof typeof licenseEvolutions](license as never, data as never, at)) satisfies Evolve
  const found = {
    ...statesAfter(customerTypes, customerTypes[0]!, customers.evolve as unknown as Evolve),
    ...statesAfter(subscriptionTypes, subscriptionTypes[0]!, subscriptions.evolve as unknown as Evolve),
    ...statesAfter(licenseTypes, LicenseIssued, evolveLicense),
  }
  expect(found).toEqual(DOCS.states)
})
