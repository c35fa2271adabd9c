/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { SettingItem, SigningKey, SigningKeyPublicJwk } from './schemas.ts'

/** Read the settings that staff decide for the installation. The operator’s configuration and its secrets are not included. */
export const getAdminSettings = /*#__PURE__*/ operation<{
  readonly data: {
    /** The records of this page. */
    readonly items: readonly SettingItem[]
  }
}>('GET /api/admin/settings', { openTo: ['staff'], permission: 'settings:view' })

/** Change settings. Changes take effect on the next request. */
export const patchAdminSettingsByKey = /*#__PURE__*/ operation<{
  readonly params: {
    /** The name of the setting. */
    readonly key: 'shopRegistration' | 'requireSecondFactor'
  }
  readonly body: {
    /** The value. */
    readonly value: boolean | number | string
  }
  readonly key?: string | undefined
  readonly data: SettingItem
}>('PATCH /api/admin/settings/{key}', {
  openTo: ['staff'],
  permission: 'settings:manage',
  stepUp: true,
  body: {
    type: 'object',
    properties: { value: { anyOf: [{ type: 'boolean' }, { type: 'integer' }, { type: 'string', maxLength: 1000 }] } },
    required: ['value'],
    additionalProperties: false,
  },
})

/** List the keys that sign licenses, with the root key that certifies them and the newest manifest. */
export const getAdminSettingsSigningKeys = /*#__PURE__*/ operation<{
  readonly data: {
    /** The records of this page. */
    readonly items: readonly SigningKey[]
    /** The root key, which panels are built with. */
    readonly root: {
      /** The id of the signing key. */
      readonly kid: string
      /** The public key as a JWK. */
      readonly publicJwk: SigningKeyPublicJwk
      /** HERE: sealed in this database. ELSEWHERE: its keeper signs manifests with it. */
      readonly kept: 'HERE' | 'ELSEWHERE'
    }
    /** The signed list of keys that verify leases. */
    readonly manifest: {
      /** The number of the manifest, which never goes down. */
      readonly serial: number
      /** When it was issued. */
      readonly issuedAt: string
      /** When it ends. */
      readonly expiresAt: string
      /** False: the keys have changed since, and the root key should sign another manifest. */
      readonly upToDate: boolean
    }
  }
}>('GET /api/admin/settings/signing-keys', { openTo: ['staff'], permission: 'settings:view' })

/** Create and publish the next signing key. It signs nothing until it is promoted. */
export const postAdminSettingsSigningKeys = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: SigningKey
}>('POST /api/admin/settings/signing-keys', { openTo: ['staff'], permission: 'settings:manage', stepUp: true })

/** Sign with this key from now on; the previous key becomes retiring. Refused until the key has been published for one hour. */
export const postAdminSettingsSigningKeysByKidPromote = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the signing key. */
    readonly kid: string
  }
  readonly key?: string | undefined
  readonly from: { readonly state: unknown }
  readonly data: SigningKey
}>('POST /api/admin/settings/signing-keys/{kid}/promote', {
  openTo: ['staff'],
  permission: 'settings:manage',
  stepUp: true,
  from: { state: ['next'] },
})

/** Retire a key that signs no more, or withdraw one that never signed. Refused while panels may still use its signatures. */
export const postAdminSettingsSigningKeysByKidRetire = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the signing key. */
    readonly kid: string
  }
  readonly key?: string | undefined
  readonly from: { readonly state: unknown }
  readonly data: SigningKey
}>('POST /api/admin/settings/signing-keys/{kid}/retire', {
  openTo: ['staff'],
  permission: 'settings:manage',
  stepUp: true,
  from: { state: ['next', 'retiring'] },
})

/** Declare a key compromised. Its signatures become invalid; another key signs its licenses again. */
export const postAdminSettingsSigningKeysByKidCompromise = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the signing key. */
    readonly kid: string
  }
  readonly body: {
    /** Why, for readers of the audit trail. */
    readonly reason: string
  }
  readonly key?: string | undefined
  readonly from: { readonly state: unknown }
  readonly data: SigningKey
}>('POST /api/admin/settings/signing-keys/{kid}/compromise', {
  openTo: ['staff'],
  permission: 'settings:manage',
  stepUp: true,
  from: { state: ['next', 'current', 'retiring', 'retired'] },
  body: {
    type: 'object',
    properties: { reason: { type: 'string', minLength: 1, maxLength: 500 } },
    required: ['reason'],
    additionalProperties: false,
  },
})
