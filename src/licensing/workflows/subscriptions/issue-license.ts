/**
 * Issues a license: collects what the pure rules cannot create, decides, and returns the data to
 * sign the token from.
 */
import { randomBytes } from 'node:crypto'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { base62 } from '#kernel/credentials/base62'
import { reject } from '#kernel/lib/rejection'
import type { Vault } from '#kernel/vault/vault'
import type { License } from '../../licenses/rules.ts'
import { plans } from '../../plans/decider.ts'
import type { Plan } from '../../plans/rules.ts'
import type { SigningKey } from '../../signing-keys/decider.ts'
import { currentSigningKey } from '../../signing-keys/signing-key.ts'
import { subscriptions } from '../../subscriptions/decider.ts'
import { licenseIn } from '../../subscriptions/license-rules.ts'
import { decideSubscription } from './decide.ts'

/** 131 bits. */
const KEY_ID_CHARACTERS = 22
const REQUEST_SECRET_BYTES = 32

export interface IssueLicenseInput {
  readonly subscriptionId: string
  readonly plan: Plan | undefined
  /** The token's issuer: the base URL. */
  readonly iss: string
  readonly expiresAt?: string | undefined
  readonly maxActivations?: number | undefined
}

/** The plan of a slug, read from its stream, because read models may lag behind. */
export async function planBySlug(unit: UnitOfWork, slug: string): Promise<Plan | undefined> {
  const planId = await unit.holderOf('planSlug', slug)
  return planId === undefined ? undefined : unit.look(plans, planId)
}

/**
 * For a customer, a plan outside the shop does not exist.
 * @throws Rejection 400
 */
export function refuseHiddenPlan(plan: Plan | undefined, slug: string): void {
  if (!plan?.public) reject('invalid', `Plan ${slug} does not exist`, 'PLAN_UNKNOWN')
}

/** The id of a license key, and the secret that signs its requests. */
export const newKeyIdAndSecret = () => ({
  keyId: `lic_${base62(KEY_ID_CHARACTERS)}`,
  k: randomBytes(REQUEST_SECRET_BYTES).toString('base64url'),
})

export async function newLicenseIdentity(unit: UnitOfWork) {
  const signedWith = await currentSigningKey(unit)
  return { licenseId: unit.newId(), kid: signedWith.kid, ...newKeyIdAndSecret(), signedWith }
}

/** @throws Rejection 400, 404 or 409 by the rules of the subscription */
export async function issueLicense(
  unit: UnitOfWork,
  { subscriptionId, ...ask }: IssueLicenseInput,
): Promise<{ license: License; signedWith: SigningKey }> {
  const { signedWith, ...made } = await newLicenseIdentity(unit)
  const { licenseId } = made
  await decideSubscription(unit, subscriptionId, 'IssueLicense', { ...ask, ...made })
  return { license: licenseIn((await unit.load(subscriptions, subscriptionId))!, licenseId), signedWith }
}

/**
 * The key of a reference for its unique constraint and look-ups. A reference may contain personal
 * data, so it is never stored in plain text.
 */
export const referenceHmac = (vault: Vault, reference: string): Promise<string> =>
  vault.hmac('pepper', `reference:${reference}`)
