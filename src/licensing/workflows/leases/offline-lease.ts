/** Leases for panels without a network: the request comes as a text, the reply is a file (licensing.md 9). */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { privateKeyOf, signJws, thumbprint } from '#kernel/credentials/jws'
import type { HandlerContext } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { unixSeconds } from '#kernel/lib/timestamps'
import { crlSerial } from '#projections/licensing/license-api'
import { holdsLicenseKey, readOfflineRequest } from '../../../license-client/offline.ts'
import type { LeaseFile, OfflineRequest } from '../../../license-client/offline.ts'
import { LEASE_TYPE } from '../../../license-client/tokens.ts'
import { customers } from '../../customers/decider.ts'
import { slotHolderWithKey, licenseSlots } from '../../instances/decider.ts'
import { FINGERPRINT_COMPONENTS } from '../../instances/events.ts'
import type { FingerprintComponents } from '../../instances/events.ts'
import { refuseOccupiedSlot, silentPanels } from '../../instances/slots.ts'
import { LicenseLeasedOffline, licenseReads } from '../../licenses/events.ts'
import { LICENSE_AUDIENCE, mintLicenseToken } from '../../licenses/license-token.ts'
import { requireInEffect } from '../../licenses/rules.ts'
import type { License } from '../../licenses/rules.ts'
import { signingKeys } from '../../signing-keys/decider.ts'
import { currentSigningKey, signingKeyOf } from '../../signing-keys/signing-key.ts'
import { subscriptions } from '../../subscriptions/decider.ts'
import { licenseIn } from '../../subscriptions/license-rules.ts'
import { fingerprintHash, newLeaseId, nonceHash } from './lease-signer.ts'
import type { LeaseClaims } from './lease-signer.ts'
import { holdReasonOf } from './reply.ts'

const DAY_MS = 86_400_000
/** A license that is renewed by file needs one file per year. */
export const OFFLINE_DAYS_MAX = 366

/** Secret fields of a lease file, which must not be logged or stored. */
export const LEASE_FILE_SECRETS: readonly (keyof LeaseFile)[] = ['licenseKey', 'lease']

export interface OfflineLeaseInput {
  readonly subscriptionId: string
  readonly licenseId: string
  /** The text that the panel shows. */
  readonly request: string
  /** The lease's duration; the lease never outlives the license and its grace. */
  readonly days: number
}

/**
 * Activates the panel of the request and signs a lease for the requested days. Recorded with the
 * caller as actor.
 * @throws Rejection 400 for an invalid request or another license key; 409 if the license is not in
 * effect or no slot is free
 */
export async function issueOfflineLease(
  { run, read, baseUrl }: Pick<HandlerContext, 'run' | 'read' | 'baseUrl'>,
  { subscriptionId, licenseId, request: text, days }: OfflineLeaseInput,
): Promise<LeaseFile> {
  const request = readOfflineRequest(text)
  const components = request && componentsOf(request)
  if (!request || !components) return rejectInvalidRequest()
  const made = await run(async (unit) => {
    const license = await requireUsableLicense(unit, { subscriptionId, licenseId })
    refuseOtherLicenseKey(license, request, unit.at)
    const { slots, instance } = await activateInstance(unit, { license, request, components, read })
    if (!instance) return { slots, license, instance }
    const expiresMs = Math.min(unit.at.getTime() + days * DAY_MS, Date.parse(license.graceEndsAt))
    const expiresAt = new Date(expiresMs).toISOString()
    const { customerId } = license
    const which = { licenseId, subscriptionId, customerId, instanceId: instance.id, expiresAt }
    unit.appendEvent(licenseReads, undefined, LicenseLeasedOffline(which))
    const [key, licenseSignedWith, { manifest }] = await Promise.all([
      currentSigningKey(unit),
      signingKeyOf(unit, license),
      unit.look(signingKeys),
    ])
    return { license, instance, expiresMs, key, licenseSignedWith, manifest: manifest!.jws, at: unit.at }
  })
  if (!made.instance) return refuseOccupiedSlot(made.slots, made.license)
  const { license, instance, key, at } = made
  const claims: LeaseClaims = {
    iss: baseUrl,
    aud: LICENSE_AUDIENCE,
    ver: 1,
    sub: instance.id,
    jti: newLeaseId(),
    lic: license.keyId,
    fph: instance.fingerprintHash,
    st: Date.parse(license.expiresAt) <= at.getTime() ? 'GRACE' : 'OK',
    rsn: null,
    seq: license.seq,
    iat: unixSeconds(at),
    exp: unixSeconds(made.expiresMs),
    nhb: unixSeconds(made.expiresMs),
    ft: license.features,
    warn: [],
    req: nonceHash(request.nonce),
    prev: null,
    cnf: { jkt: instance.keyThumbprint },
    crl: await crlSerial(read),
  }
  return {
    format: 'daybook-lease-file',
    version: 1,
    licenseKey: mintLicenseToken(license, made.licenseSignedWith),
    lease: signJws(claims, { typ: LEASE_TYPE, kid: key.kid, key: privateKeyOf(key.privateJwk) }),
    manifest: made.manifest,
  }
}

/** @throws Rejection 404, or 409 for a license that is not in effect */
async function requireUsableLicense(
  unit: UnitOfWork,
  { subscriptionId, licenseId }: Pick<OfflineLeaseInput, 'subscriptionId' | 'licenseId'>,
): Promise<License> {
  const subscription = found(await unit.look(subscriptions, subscriptionId))
  const license = licenseIn(subscription, licenseId)
  const customer = await unit.look(customers, subscription.customerId)
  return requireInEffect(license, unit.at, holdReasonOf(subscription.status, customer?.status ?? null) !== null)
}

/** A panel may use a key that was replaced by routine: the file contains the new key. */
function refuseOtherLicenseKey(license: License, request: OfflineRequest, at: Date): void {
  const old = license.oldKeys.find(
    ({ keyId, until }) => keyId === request.keyId && until !== null && Date.parse(until) > at.getTime(),
  )
  const k = request.keyId === license.keyId ? license.k : old?.k
  if (k === undefined || !holdsLicenseKey(request, Buffer.from(k, 'base64url')))
    reject(
      'invalid',
      'The request was made with another license key: use the license of that key',
      'OFFLINE_REQUEST_INVALID',
    )
}

interface Activating {
  readonly license: License
  readonly request: OfflineRequest
  readonly components: FingerprintComponents
  readonly read: HandlerContext['read']
}

/** Returns no instance if no slot was given: then only the suspicion is recorded. */
async function activateInstance(unit: UnitOfWork, { license, request, components: fingerprint, read }: Activating) {
  const { id: licenseId, subscriptionId, customerId, maxActivations } = license
  await unit.load(licenseSlots, subscriptionId)
  const ask = {
    ...request.instance,
    instanceId: unit.newId(),
    licenseId,
    subscriptionId,
    customerId,
    ip: null,
    keyThumbprint: thumbprint(request.instanceKey),
    publicKey: request.instanceKey.x,
    fingerprint,
    fingerprintHash: fingerprintHash(fingerprint),
    maxActivations,
    reclaimable: [],
    silent: await silentPanels(read, license, unit.at),
  }
  await unit.decide(licenseSlots, subscriptionId, 'ActivateInstance', ask)
  const slots = await unit.load(licenseSlots, subscriptionId)
  return { slots, instance: slotHolderWithKey(slots, ask.keyThumbprint) }
}

const HASH = /^[A-Za-z0-9_-]{16,64}$/

/** @returns undefined for an unknown component or one that is not a hash */
function componentsOf({ fingerprint: { components } }: OfflineRequest): FingerprintComponents | undefined {
  const names: readonly string[] = FINGERPRINT_COMPONENTS
  const all = Object.entries(components)
  const isKnown = all.length > 0 && all.every(([name, hash]) => names.includes(name) && HASH.test(hash))
  return isKnown ? components : undefined
}

const rejectInvalidRequest = () =>
  reject('invalid', 'request is not valid: copy the whole text that the panel shows', 'OFFLINE_REQUEST_INVALID')
