import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { SigningKey } from '../signing-keys/decider.ts'
import { signingKeyOf } from '../signing-keys/signing-key.ts'
import { LicenseKeyRead, licenseReads } from './events.ts'
import type { License } from './rules.ts'

/**
 * Records that the license's key is read, and returns the data to sign it from. For `auditedRead`,
 * which replies only after recording.
 */
export async function recordKeyRead(
  unit: UnitOfWork,
  license: License,
): Promise<{ license: License; signedWith: SigningKey }> {
  const { id: licenseId, subscriptionId, customerId, keyId } = license
  unit.appendEvent(licenseReads, licenseId, LicenseKeyRead({ licenseId, subscriptionId, customerId, keyId }))
  return { license, signedWith: await signingKeyOf(unit, license) }
}
