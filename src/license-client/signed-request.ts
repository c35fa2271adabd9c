/**
 * Signs requests to the license API (licensing.md 7): with the secret of the license key, which is
 * never sent, and, if the request names an instance, also with that instance's own key.
 */
import { randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { ed25519, hmacSha256, signMessage, signatureHeaders, signedMessage } from '#kernel/http/message-signature'
import { unixSeconds } from '#kernel/lib/timestamps'

export const LICENSE_LABEL = 'lic'
export const INSTANCE_LABEL = 'inst'
export const SIGNATURE_TAG = 'daybook-license-v1'
/** The maximum difference of `created` from the verifier's clock, and the maximum validity of a signature. */
export const SIGNATURE_SECONDS_MAX = 300
const NONCE_BYTES = 16
const JSON_TYPE = 'application/json'

export interface LicenseSecret {
  /** The claim `jti` of the license key. */
  readonly keyId: string
  /** The bytes of its claim `k`. */
  readonly k: Uint8Array
}

export interface InstanceSecret {
  readonly instanceId: string
  /** Ed25519. */
  readonly privateKey: KeyObject
}

export interface RequestToSign {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  /** Empty for a request without a body. */
  readonly body: Uint8Array
  readonly license: LicenseSecret
  /** Absent only for requests that name no instance: activations and version lists. */
  readonly instance?: InstanceSecret | undefined
  /** The signer's time, corrected to the service's clock if its offset is known. */
  readonly at: Date
  readonly nonce?: string
}

export const newNonce = (): string => randomBytes(NONCE_BYTES).toString('base64url')

/** @returns the headers to send with the request, besides Host and Content-Length */
export function signedHeaders({ method, url, body, license, instance, at, nonce = newNonce() }: RequestToSign) {
  const message = signedMessage(method, url, JSON_TYPE, body)
  const created = unixSeconds(at)
  const expires = created + SIGNATURE_SECONDS_MAX
  const lic = signMessage(message, {
    label: LICENSE_LABEL,
    parameters: { created, expires, nonce, keyid: license.keyId, alg: 'hmac-sha256', tag: SIGNATURE_TAG },
    signer: hmacSha256(license.k),
  })
  if (!instance) return signatureHeaders(message, [lic])
  const inst = signMessage(message, {
    label: INSTANCE_LABEL,
    parameters: { created, keyid: instance.instanceId, alg: 'ed25519', tag: SIGNATURE_TAG },
    signer: ed25519(instance.privateKey),
    over: lic,
  })
  return signatureHeaders(message, [lic, inst])
}
