import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { answer } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { licenseTable } from '#projections/licensing/licenses'
import { auditedRead } from '../../audit/audited-read.ts'
import { customers } from '../../customers/decider.ts'
import { countTakenSlots } from '../../instances/slots.ts'
import { mintLicenseToken } from '../../licenses/license-token.ts'
import { recordKeyRead } from '../../licenses/record-key-read.ts'
import { effectiveStatus } from '../../licenses/rules.ts'
import type { License as LicenseState } from '../../licenses/rules.ts'
import { License, Reissue } from '../../licenses/views.ts'
import type { SigningKey } from '../../signing-keys/decider.ts'
import { currentSigningKey } from '../../signing-keys/signing-key.ts'
import { subscriptions } from '../../subscriptions/decider.ts'
import { licenseIn } from '../../subscriptions/license-rules.ts'
import { isLicenseHeld } from '../../subscriptions/term-rules.ts'
import { decideSubscription } from './decide.ts'
import { newKeyIdAndSecret } from './issue-license.ts'

export const NOT_STORED = { 'Cache-Control': 'no-store' }

const toLicenseReply = (
  { oldKeys: _old, ...license }: LicenseState,
  { at, isHeld, activeInstances }: { at: Date; isHeld: boolean; activeInstances: number },
) => ({ ...license, activeInstances, effectiveStatus: effectiveStatus(license, at, isHeld) })

interface LicenseAndReply {
  readonly license: LicenseState
  readonly shown: z.input<typeof License>
}

/** The state after the unit's decisions. */
export async function loadLicenseAndReply(
  unit: UnitOfWork,
  subscriptionId: string,
  licenseId: string,
): Promise<LicenseAndReply> {
  const subscription = (await unit.load(subscriptions, subscriptionId))!
  const license = licenseIn(subscription, licenseId)
  const customer = await unit.look(customers, license.customerId)
  const isHeld = isLicenseHeld(subscription) || customer?.status === 'SUSPENDED'
  const activeInstances = license.status === 'REVOKED' ? 0 : await countTakenSlots(unit, subscriptionId)
  return { license, shown: toLicenseReply(license, { at: unit.at, isHeld, activeInstances }) }
}

/**
 * Decides about a license in its subscription's stream.
 * @throws Rejection 404
 */
export async function decideLicense<Result>(
  { run, read }: Pick<HandlerContext, 'run' | 'read'>,
  licenseId: string,
  decide: (unit: UnitOfWork, subscriptionId: string) => Promise<Result>,
): Promise<LicenseAndReply & { readonly result: Result }> {
  const subscriptionId = await subscriptionOf(read, licenseId)
  return run(async (unit) => {
    const result = await decide(unit, subscriptionId)
    return { result, ...(await loadLicenseAndReply(unit, subscriptionId, licenseId)) }
  })
}

export const replyWithKey = ({ license, shown: answered }: LicenseAndReply, signedWith: SigningKey, status = 200) =>
  answer({ license: answered, licenseKey: mintLicenseToken(license, signedWith) }, status, NOT_STORED)

/**
 * The subscription whose stream contains a license.
 * @throws Rejection 404
 */
export async function subscriptionOf(read: ReadDatabase, licenseId: string): Promise<string> {
  const row = await findRow(read, licenseTable, { id: licenseId })
  return found(row).subscriptionId
}

/**
 * Returns the new key.
 * @throws Rejection 404, or 409 for a revoked license
 */
export async function reissueKey(
  call: Pick<HandlerContext, 'run' | 'read'>,
  licenseId: string,
  mode: z.output<typeof Reissue>['mode'],
) {
  const { result, ...after } = await decideLicense(call, licenseId, async (unit, subscriptionId) => {
    const signedWith = await currentSigningKey(unit)
    const ask = { licenseId, mode, ...newKeyIdAndSecret(), kid: signedWith.kid }
    await decideSubscription(unit, subscriptionId, 'ReissueLicense', ask)
    return signedWith
  })
  return replyWithKey(after, result)
}

/** The read is recorded in the audit trail before the reply. */
export async function readLicenseKey(
  run: HandlerContext['run'],
  { licenseId, subscriptionId }: { licenseId: string; subscriptionId: string },
) {
  const { license, signedWith } = await auditedRead(run, (unit) => readKey(unit, subscriptionId, licenseId))
  const { keyId, expiresAt } = license
  const licenseKey = mintLicenseToken(license, signedWith)
  return answer({ keyId, licenseKey, expiresAt }, 200, NOT_STORED)
}

const readKey = async (unit: UnitOfWork, subscriptionId: string, licenseId: string) =>
  recordKeyRead(unit, licenseIn(found(await unit.look(subscriptions, subscriptionId)), licenseId))
