/** What a request for provisioning may hold, without a service. */
import { expect, test } from 'vitest'
import { provisioningRoutes } from '#licensing/provisioning/routes'

const [provisioning] = provisioningRoutes
const isAccepted = (more: object): boolean =>
  provisioning!.body!.safeParse({ email: 'owner@customer.test', planSlug: 'team', ...more }).success

test.each(['seats', 'maxActivations'])('%s are from one to a million', (field) => {
  for (const number of [1, 1_000_000]) expect(isAccepted({ [field]: number }), `COUNT_MAX: ${number}`).toBe(true)
  for (const number of [0, 1_000_001, 1.5]) expect(isAccepted({ [field]: number }), `COUNT_MAX: ${number}`).toBe(false)
})
