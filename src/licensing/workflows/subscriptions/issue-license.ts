/** Issuing a license: gathers what a pure rule cannot make itself, decides, and answers what the token is minted from. */
import { randomBytes } from 'node:crypto'
import type { Unit } from '#kernel/commands/command-runner'
import { base62 } from '#kernel/credentials/base62'
import { reject } from '#kernel/lib/rejection'
import type { Vault } from '#kernel/vault/vault'
import { decideOn } from './decide.ts'
import type { License } from '../../licenses/rules.ts'
import { plans } from '../../plans/decider.ts'
import type { Plan } from '../../plans/decider.ts'
import { signingKey } from '../../signing-keys/signing-key.ts'
import type { SigningKey } from '../../signing-keys/decider.ts'
import { subscriptions } from '../../subscriptions/decider.ts'
import { licenseIn } from '../../subscriptions/license-rules.ts'

/** 131 bits. */
const KEY_ID_CHARACTERS = 22
const REQUEST_SECRET_BYTES = 32

export interface Issue {
  readonly subscriptionId: string
  readonly plan: Plan | undefined
  /** The token's issuer: base_url. */
  readonly iss: string
  readonly expiresAt?: string | undefined
  readonly maxActivations?: number | undefined
}

/** The plan that a slug names now, whatever read models know of it. */
export async function planCalled(unit: Unit, slug: string): Promise<Plan | undefined> {
  const planId = await unit.holderOf('planSlug', slug)
  return planId === undefined ? undefined : unit.look(plans, planId)
}

/** What is not in the shop is answered there like what does not exist. @throws Rejection 400 */
export function refuseHidden(plan: Plan | undefined, slug: string): void {
  if (!plan?.public) reject('invalid', `Plan ${slug} does not exist`, 'PLAN_UNKNOWN')
}

/** What a license key is told by, and what its requests are signed with. */
export const newSecrets = () => ({
  keyId: `lic_${base62(KEY_ID_CHARACTERS)}`,
  k: randomBytes(REQUEST_SECRET_BYTES).toString('base64url'),
})

export async function newLicense(unit: Unit) {
  const signedWith = await signingKey(unit)
  return { licenseId: unit.newId(), kid: signedWith.kid, ...newSecrets(), signedWith }
}

/** @throws Rejection 400, 404 or 409 from the rules of the subscription */
export async function issueLicense(
  unit: Unit,
  { subscriptionId, ...ask }: Issue,
): Promise<{ license: License; signedWith: SigningKey }> {
  const { signedWith, ...made } = await newLicense(unit)
  const { licenseId } = made
  await decideOn(unit, subscriptionId, 'IssueLicense', { ...ask, ...made })
  return { license: licenseIn((await unit.load(subscriptions, subscriptionId))!, licenseId), signedWith }
}

/** What a reference is claimed and found by: it may hold a name, so it is nowhere in clear. */
export const referenceHmac = (vault: Vault, reference: string): Promise<string> =>
  vault.hmac('pepper', `reference:${reference}`)
