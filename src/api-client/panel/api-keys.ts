/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import { apiKeyAllowedIps } from './inputs.ts'
import type { ApiKey, GetApiKeysAnswer, GetAuthSessionsQuery } from './schemas.ts'

/** List the caller’s own keys, including revoked and expired ones, without secrets. */
export const getApiKeys = /*#__PURE__*/ operation<{
  readonly query?: GetAuthSessionsQuery | undefined
  readonly data: GetApiKeysAnswer
}>('GET /api/api-keys', {
  openTo: ['user'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Create an API key. The secret is shown once. A SUPERADMIN can create MACHINE keys and keys of an `ownerId`. */
export const postApiKeys = /*#__PURE__*/ operation<{
  readonly body: {
    /** The name that people read in lists. */
    readonly name: string
    /** Unknown scopes are left out. At least one must remain. */
    readonly scopes: readonly string[]
    /** The projects that the key is limited to. Absent: all of its owner. */
    readonly projectIds?: readonly string[] | undefined
    /** Where the credential may be used. An empty list allows every address. Every address together is refused. */
    readonly allowedIps?: readonly string[] | undefined
    /** In the future and less than 365 days ahead. Null: no end. */
    readonly expiresAt?: string | null | undefined
    /** PERSONAL acts for its owner. MACHINE belongs to the installation, and only a SUPERADMIN creates one. */
    readonly kind?: 'PERSONAL' | 'MACHINE' | undefined
    /** The account that owns it. */
    readonly ownerId?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    /** The name of the setting. */
    readonly key: {
      /** The id of the record. */
      readonly id: string
      /** The first characters of the secret, to recognise it. */
      readonly prefix: string
      /** The scopes, which decide the routes that the key opens. */
      readonly scopes: readonly string[]
    }
    /** The secret. It is shown only here. */
    readonly secret: string
  }
}>('POST /api/api-keys', {
  openTo: ['user'],
  shownOnce: ['secret'],
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      scopes: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        description: 'Unknown scopes are left out. At least one must remain.',
      },
      projectIds: {
        minItems: 1,
        maxItems: 100,
        type: 'array',
        items: { type: 'string', format: 'uuid' },
        'x-names': 'projects',
      },
      allowedIps: apiKeyAllowedIps,
      expiresAt: {
        default: null,
        description: 'In the future and less than 365 days ahead. Null: no end.',
        anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }],
      },
      kind: { default: 'PERSONAL', type: 'string', enum: ['PERSONAL', 'MACHINE'] },
      ownerId: { type: 'string', format: 'uuid', 'x-names': 'users' },
    },
    required: ['name', 'scopes'],
    additionalProperties: false,
    description: 'A MACHINE key has no owner.',
  },
})

/** List the scopes that a key can hold, and the routes that each one gives access to. */
export const getApiKeysScopes = /*#__PURE__*/ operation<{
  readonly data: readonly {
    /** `mine` lists the projects of the caller, `all` those of the installation. */
    readonly scope: string
    /** The routes that the scope opens. */
    readonly routes: readonly string[]
  }[]
}>('GET /api/api-keys/scopes', { openTo: ['user'] })

/** Revoke one of the caller’s keys, or all active ones with `all` as the id. Revoked keys stay in the list. */
export const postApiKeysByIdRevoke = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: ApiKey | readonly ApiKey[]
}>('POST /api/api-keys/{id}/revoke', { openTo: ['user'], from: { status: ['ACTIVE', 'EXPIRED'] } })

/** Delete one of the caller’s keys. It stops working at once and leaves all lists; the audit log keeps it. */
export const deleteApiKeysById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/api-keys/{id}', { openTo: ['user'] })

/** List all keys of the installation, or those of one account (`userId`). */
export const getAdminApiKeys = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The account. */
        readonly userId?: string | undefined
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data: GetApiKeysAnswer
}>('GET /api/admin/api-keys', {
  openTo: ['user'],
  permission: 'users:view',
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      userId: { type: 'string', format: 'uuid', 'x-names': 'users' },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Revoke any account’s key. The audit log names the key and its owner. */
export const postAdminApiKeysByIdRevoke = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: ApiKey
}>('POST /api/admin/api-keys/{id}/revoke', {
  openTo: ['user'],
  permission: 'users:manage',
  from: { status: ['ACTIVE', 'EXPIRED'] },
})

/** Delete any account’s key. The audit log names the key and its owner. */
export const deleteAdminApiKeysById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/api-keys/{id}', { openTo: ['user'], permission: 'users:manage' })
