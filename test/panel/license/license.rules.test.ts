/** When the panel warns of the end of a license's grace, without a service. */
import { test } from 'vitest'
import { panelLicense } from '#panel/license/decider'
import type { LicenseState } from '#panel/license/decider'
import { panelLicenseEvents } from '#panel/license/events'
import { given } from '#test/support/decider-spec'

const DAY_MS = 86_400_000
const license = { licenseId: 'lic_test', reason: 'EXPIRED', plan: 'pro', features: {}, expiresAt: null } as const
const at = (leftMs: number) => new Date(Date.parse('2026-12-01T00:00:00.000Z') - leftMs)
const graceUntil = '2026-12-01T00:00:00.000Z'
const set = panelLicenseEvents.LicenseKeySet({ licenseId: 'lic_test', licenseKey: 'of a test', from: 'ADMIN' })
const noted = (state: LicenseState['state'], until: string | null = graceUntil) =>
  panelLicenseEvents.LicenseStateChanged({ ...license, state, graceUntil: until, source: 'ONLINE' })
const reminded = (days: number) =>
  panelLicenseEvents.LicenseGraceReminded({ licenseId: 'lic_test', plan: 'pro', graceUntil, days })

test('whoever comes late is told once', () => {
  const rules = given(panelLicense, [set, noted('GRACE')])
  rules.when('RemindOfGrace', {}, { at: at(2 * DAY_MS) }).then([reminded(3)])
  rules.when('RemindOfGrace', {}, { at: at(14 * DAY_MS) }).then([reminded(14)])
  rules.when('RemindOfGrace', {}, { at: at(14 * DAY_MS + 1) }).then([])
  rules.when('RemindOfGrace', {}, { at: at(0) }).then([])
})

test('another end is told of anew, a state that changes and changes back is not', () => {
  const again = given(panelLicense, [set, noted('GRACE'), reminded(3), noted('ACTIVE'), noted('GRACE')])
  again.when('RemindOfGrace', {}, { at: at(2 * DAY_MS) }).then([])
  const other = new Date(Date.parse(graceUntil) + DAY_MS).toISOString()
  const later = given(panelLicense, [set, noted('GRACE'), reminded(3), noted('GRACE', other)])
  later
    .when('RemindOfGrace', {}, { at: at(2 * DAY_MS) })
    .then([panelLicenseEvents.LicenseGraceReminded({ licenseId: 'lic_test', plan: 'pro', graceUntil: other, days: 3 })])
})

test.each(['FREE', 'ACTIVE', 'OFFLINE', 'DEGRADED'] as const)('%s: there is nothing to be told', (state) => {
  given(panelLicense, [set, noted(state)])
    .when('RemindOfGrace', {}, { at: at(DAY_MS) })
    .then([])
  given(panelLicense)
    .when('RemindOfGrace', {}, { at: at(DAY_MS) })
    .then([])
})
