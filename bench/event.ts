/**
 * The event that all contestants write: about 500 B of data, like a license, and the metadata that Daybook
 * stores with each event.
 */
const DATA_BYTES = 500

export const TYPE = 'LicenseIssued'

const license = {
  licenseId: '3b8c7f66-2f0c-4f0d-9f2e-6f7b5b0c1a11',
  keyId: 'lic_01J9ZK3M7Q2V8X4B6N0C5D1E9F',
  subscriptionId: '9d0b6d1c-4a53-4a0d-8f1f-0b1f7f0e2c55',
  customerId: 'c1d2e3f4-1111-4222-8333-444455556666',
  planSlug: 'business-yearly',
  seats: 25,
  maxActivations: 40,
  billingCycle: 'YEARLY',
  status: 'ACTIVE',
  expiresAt: '2027-01-01T00:00:00.000Z',
  reference: 'order-2026-000123456',
  features: ['sso', 'audit', 'backups', 'teams'],
}

const missing = DATA_BYTES - JSON.stringify({ ...license, note: '' }).length

export const data = { ...license, note: 'x'.repeat(missing) }

export const metadata = {
  at: '2026-01-01T00:00:00.000Z',
  actor: { type: 'STAFF', id: '17' },
  requestId: 'bench',
}

export const dataText = JSON.stringify(data)
export const metadataText = JSON.stringify(metadata)
