/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { License, LicenseRefusal } from './schemas.ts'

/** Get the last known status of the panel’s license, without contacting the licensing service. */
export const getAdminLicense = /*#__PURE__*/ operation<{
  readonly data: License
}>('GET /api/admin/license', { openTo: ['user'], permission: 'license:view' })

/** Set or replace the license key and activate it. Without network, use `offline` and then `leaseFile`. */
export const postAdminLicense = /*#__PURE__*/ operation<{
  readonly body:
    | {
        /** The signed license key. */
        readonly licenseKey: string
        /** Contacts no service, and returns an offlineRequest to make a lease file from. */
        readonly offline?: boolean | undefined
      }
    | {
        /** The lease file that the licensing service made for this panel. */
        readonly leaseFile: string
      }
  readonly key?: string | undefined
  readonly data: {
    /** The state of the record. */
    readonly status: 'FREE' | 'ACTIVE' | 'OFFLINE' | 'GRACE' | 'DEGRADED' | 'TAMPERED'
    /** Why the status is not ACTIVE. */
    readonly reason: string | null
    /** The plan of the license. */
    readonly plan: string
    /** The features of the license and their values. */
    readonly features: { readonly [name: string]: boolean | number | string }
    /** The id of the license key, which is no secret. */
    readonly keyId: string | null
    /** When it ends. */
    readonly expiresAt: string | null
    /** When the status gets worse unless the license is renewed. */
    readonly graceUntil: string | null
    /** When the licensing service last answered. */
    readonly lastContactAt: string | null
    /** CACHE: the licensing service did not answer the last request. */
    readonly source: 'ONLINE' | 'CACHE' | 'FILE' | null
    /** Why the licensing service last refused the activation, and what to do. Null: no refusal since the last success. */
    readonly refusal: LicenseRefusal | null
    /** The request to make a lease file from. Null: none was asked for. */
    readonly offlineRequest?: string | undefined
  }
}>('POST /api/admin/license', {
  openTo: ['user'],
  permission: 'license:manage',
  body: {
    anyOf: [
      {
        type: 'object',
        properties: {
          licenseKey: { type: 'string', minLength: 1, maxLength: 16384 },
          offline: {
            default: false,
            description: 'Contacts no service, and returns an offlineRequest to make a lease file from.',
            type: 'boolean',
          },
        },
        required: ['licenseKey'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: { leaseFile: { type: 'string', minLength: 1, maxLength: 524288 } },
        required: ['leaseFile'],
        additionalProperties: false,
      },
    ],
  },
})

/** Remove the license key, even if the service does not answer. The free tier applies; what exists stays. */
export const postAdminLicenseRemove = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly from: { readonly keyId: unknown }
  readonly data: License
}>('POST /api/admin/license/remove', { openTo: ['user'], permission: 'license:manage', from: { keyId: 'set' } })

/** Contact the licensing service now. If it does not answer, `source` is CACHE and the status the last known. */
export const postAdminLicenseRevalidate = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly from: { readonly keyId: unknown }
  readonly data: License
}>('POST /api/admin/license/revalidate', { openTo: ['user'], permission: 'license:manage', from: { keyId: 'set' } })
