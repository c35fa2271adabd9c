/**
 * Licensing without a network: a request file for the service, and the lease file that it returns. The
 * request proves that its creator holds the license key and the instance's key, and reveals neither.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { isSignedBy, privateKeyOf, publicKeyOf, readJws, signJws, thumbprint } from '#kernel/credentials/jws'
import type { Fingerprint } from './fingerprint.ts'
import { trustedManifest } from './judge-answer.ts'
import { secretOf } from './license-api.ts'
import { Jwk } from './manifest.ts'
import type { TrustedRoot } from './manifest.ts'
import type { Memory } from './memory.ts'
import { newNonce } from './signed-request.ts'
import { correctedTime, isNegative } from './status.ts'
import { verifiedLease, verifiedLicense } from './tokens.ts'

export const OFFLINE_REQUEST_TYPE = 'daybook-offline-request+jwt'
export const OFFLINE_REQUEST_CHARACTERS_MAX = 8_192
const FILE_CHARACTERS_MAX = 524_288
const AHEAD_SECONDS = 300
const short = z.string().max(200)

export const OfflineRequest = z.object({
  v: z.literal(1),
  keyId: short,
  /** An HMAC by the license key's secret, over the key's id, the instance's key and the nonce. */
  proof: z.base64url().length(43),
  instanceKey: Jwk,
  fingerprint: z.object({ scheme: z.literal('fp1'), components: z.record(z.string().max(20), z.string().max(64)) }),
  instance: z.object({ name: short, hostname: short, version: short, os: short, arch: short }),
  nonce: z.string().min(16).max(64),
  iat: z.int().min(0),
})
export type OfflineRequest = z.output<typeof OfflineRequest>

interface OfflineRequestInput {
  readonly licenseKey: string
  readonly fingerprint: Fingerprint
  readonly about: OfflineRequest['instance']
}

export function offlineRequest(
  { instanceKey }: Pick<Memory, 'instanceKey'>,
  { licenseKey, fingerprint, about }: OfflineRequestInput,
  iat: number,
): string {
  const { keyId, k } = secretOf(licenseKey)
  const nonce = newNonce()
  const jkt = thumbprint(instanceKey)
  const { kty, crv, x } = instanceKey
  const payload = { v: 1, keyId, proof: proofOf(k, { keyId, jkt, nonce }), instanceKey: { kty, crv, x }, fingerprint }
  return signJws(
    { ...payload, instance: about, nonce, iat },
    { typ: OFFLINE_REQUEST_TYPE, kid: jkt, key: privateKeyOf(instanceKey) },
  )
}

/**
 * Does not check that its creator holds the license key, see `holdsLicenseKey`.
 * @returns undefined if it is not a request, or was not signed by the key that it names
 */
export function readOfflineRequest(text: string): OfflineRequest | undefined {
  const said = readJws(text, OFFLINE_REQUEST_CHARACTERS_MAX)
  const { data } = OfflineRequest.safeParse(said?.payload)
  if (!said || !data || said.typ !== OFFLINE_REQUEST_TYPE || said.kid !== thumbprint(data.instanceKey)) return undefined
  try {
    return isSignedBy(said, publicKeyOf(data.instanceKey)) ? data : undefined
  } catch {
    return undefined
  }
}

/**
 * In constant time.
 * @param k the request secret of the license key that the request names
 */
export function holdsLicenseKey({ keyId, instanceKey, nonce, proof }: OfflineRequest, k: Uint8Array): boolean {
  const expected = Buffer.from(proofOf(k, { keyId, jkt: thumbprint(instanceKey), nonce }))
  const given = Buffer.from(proof)
  return expected.length === given.length && timingSafeEqual(expected, given)
}

const proofOf = (k: Uint8Array, { keyId, jkt, nonce }: { keyId: string; jkt: string; nonce: string }): string =>
  createHmac('sha256', k).update([OFFLINE_REQUEST_TYPE, keyId, jkt, nonce].join('\n')).digest('base64url')

export const LeaseFile = z.object({
  format: z.literal('daybook-lease-file'),
  version: z.literal(1),
  licenseKey: z.string(),
  lease: z.string(),
  manifest: z.string(),
})
export type LeaseFile = z.output<typeof LeaseFile>

/** @returns the memory with the file's lease, or the reason for the refusal */
export function acceptLeaseFile(
  memory: Memory,
  text: string,
  root: TrustedRoot,
  now: number,
): { readonly memory: Memory } | { readonly refused: string } {
  const refused = (why: string) => ({ refused: why })
  const file = parseLeaseFile(text)
  if (!file) return refused('This is not a lease file')
  const at = Math.max(correctedTime(memory, now), memory.highWater)
  const trusted = trustedManifest(memory, root, at, file.manifest)
  if (trusted?.jws !== file.manifest)
    return refused('The key list in the file is older than the one of this panel, or has expired: request a new file')
  const license = verifiedLicense(trusted.manifest, file.licenseKey)
  const lease = verifiedLease(trusted.manifest, file.lease)
  if (!license || !lease || lease.lic !== license.jti || isNegative(lease))
    return refused('The file is not signed by the licensing service that this panel trusts')
  if (lease.cnf.jkt !== thumbprint(memory.instanceKey)) return refused('The file was made for another panel')
  if (lease.iat > at + AHEAD_SECONDS) return refused('The file is dated in the future: check the clock of this host')
  if (lease.exp <= at) return refused('The file has expired: request a new one')
  const kept = memory.fileLease === null ? undefined : verifiedLease(trusted.manifest, memory.fileLease)
  const present = verifiedLicense(trusted.manifest, memory.licenseKey)
  const isSame = present?.sub === license.sub
  if (kept?.sub === lease.sub && (lease.exp < kept.exp || lease.iat < kept.iat || (isSame && lease.seq < kept.seq)))
    return refused('The panel already has a newer or longer lease file')
  // For the licenses of one subscription, which follow each other: each counts the sequence of its keys
  // from one.
  const isEarlier =
    present !== undefined &&
    (isSame ? license.seq < present.seq : lease.sub === memory.instanceId && license.iat < present.iat)
  return {
    memory: {
      ...memory,
      licenseKey: isEarlier ? memory.licenseKey : file.licenseKey,
      instanceId: lease.sub,
      lease: lease.sub === memory.instanceId ? memory.lease : null,
      fileLease: file.lease,
      manifest: file.manifest,
      manifestSerial: trusted.manifest.serial,
      highWater: Math.max(memory.highWater, lease.iat),
    },
  }
}

function parseLeaseFile(text: string): LeaseFile | undefined {
  if (text.length > FILE_CHARACTERS_MAX) return undefined
  try {
    return LeaseFile.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
