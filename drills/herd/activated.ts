/** Activates panels by the ten thousand: the commands of their activations, without HTTP requests. */
import { pino } from 'pino'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { newEd25519, thumbprint } from '#kernel/credentials/jws'
import type { Ed25519PrivateJwk } from '#kernel/credentials/jws'
import { licenseSlots } from '#licensing/instances/decider'
import { fingerprintHash } from '#licensing/workflows/leases/lease-signer'
import { openLicensing } from '../../src/composition/licensing.ts'
import { fingerprint } from '../../src/license-client/fingerprint.ts'
import { BASE_URL } from '../site.ts'

/** Panels of one license. */
export const PANELS_EACH = 100
const CONTEXT = { actor: { type: 'SYSTEM', id: 'drill' }, requestId: 'drill' }
const ABOUT = { name: 'panel', hostname: 'host', version: '1.0.0', os: 'linux', arch: 'x64', ip: null }

export interface Sold {
  readonly license: { readonly id: string }
  readonly subscription: { readonly id: string }
  readonly customer: { readonly id: string }
}

export interface Activated {
  readonly licenseId: string
  readonly instanceId: string
  readonly jwk: Ed25519PrivateJwk
  readonly fingerprint: object
}

/** Fills all slots of each license in one unit of work, and waits until the read models show it. */
export async function activatedAll(
  { url, secretKey }: { readonly url: string; readonly secretKey: Buffer },
  sold: readonly Sold[],
): Promise<Activated[]> {
  const settings = {
    databaseUrl: url,
    secretKey,
    baseUrl: BASE_URL,
    trustedProxies: { ranges: [], hops: 1 },
    authFailuresPerMinute: 1,
    metricsAllow: [],
  }
  const licensing = await openLicensing(settings, pino({ level: 'silent' }))
  try {
    const all: Activated[] = []
    for (const each of sold) all.push(...(await licensing.commands.run(CONTEXT, (unit) => filled(unit, each))))
    await licensing.projector.catchUp()
    return all
  } finally {
    await licensing.close()
  }
}

async function filled(unit: UnitOfWork, { license, subscription, customer }: Sold): Promise<Activated[]> {
  const ids = { subscriptionId: subscription.id, customerId: customer.id, licenseId: license.id }
  const all = Array.from({ length: PANELS_EACH }, (_, nth) => {
    const print = fingerprint(`install-${license.id}-${nth}`, { machine: `machine-${license.id}-${nth}` })
    return { licenseId: license.id, instanceId: unit.newId(), jwk: newEd25519(), fingerprint: print }
  })
  for (const {
    instanceId,
    jwk,
    fingerprint: { components },
  } of all)
    await unit.decide(licenseSlots, subscription.id, 'ActivateInstance', {
      ...ids,
      ...ABOUT,
      instanceId,
      keyThumbprint: thumbprint(jwk),
      publicKey: jwk.x,
      fingerprint: components,
      fingerprintHash: fingerprintHash(components),
      maxActivations: PANELS_EACH,
      reclaimable: [],
      silent: [],
    })
  return all
}
