/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'

/** Read the public keys that verify license keys, as a JWK set (RFC 7517) and as a manifest signed by the root key. Supports ETags. */
export const getV1LicenseKeys = /*#__PURE__*/ operation<{
  readonly data: {
    /** Public keys as JWKs. */
    readonly keys: readonly {
      /** The type of the key. */
      readonly kty: 'OKP'
      /** The curve of the key. */
      readonly crv: 'Ed25519'
      /** The public key, in base64url. */
      readonly x: string
      /** The id of the signing key. */
      readonly kid: string
      /** The algorithm of the signature. */
      readonly alg: 'EdDSA'
      /** What the key is for. */
      readonly use: 'sig'
    }[]
    /** The signed list of keys that verify leases. */
    readonly manifest: string | null
  }
}>('GET /api/v1/license/keys', { openTo: [] })

/** Read the list of license keys revoked before their end, as a signed JWS. Its serial rises with every revocation. Supports ETags. */
export const getV1LicenseCrl = /*#__PURE__*/ operation<{
  readonly data: Response
}>('GET /api/v1/license/crl', { openTo: [], answers: 'stream' })
