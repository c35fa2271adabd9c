/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { WebhookKey } from './schemas.ts'

/** Read the public keys that verify license keys, as a JWK set (RFC 7517) and as a manifest signed by the root key. Supports ETags. */
export const getV1LicenseKeys = /*#__PURE__*/ operation<{
  readonly data: {
    /** Public keys as JWKs. */
    readonly keys: readonly WebhookKey[]
    /** The signed list of keys that verify leases. */
    readonly manifest: string | null
  }
}>('GET /api/v1/license/keys', { openTo: [] })

/** Read the list of license keys revoked before their end, as a signed JWS. Its serial rises with every revocation. Supports ETags. */
export const getV1LicenseCrl = /*#__PURE__*/ operation<{
  readonly data: Response
}>('GET /api/v1/license/crl', { openTo: [], answers: 'stream' })
