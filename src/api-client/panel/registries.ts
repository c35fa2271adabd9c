/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { Registry } from './schemas.ts'

/** List the registries of the installation. With projectId, those of the project too. */
export const getRegistries = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The project that may use it. Absent: the registry belongs to the installation. */
        readonly projectId?: string | undefined
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly Registry[]
    | {
        /** The records of this page. */
        readonly items: readonly Registry[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize: number
      }
}>('GET /api/registries', {
  openTo: ['user'],
  asks: ['registries:view', 'project:apps:view'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      projectId: { type: 'string', format: 'uuid', 'x-names': 'projects' },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Add a registry of the installation, or of a project. POST test says whether the login works. */
export const postRegistries = /*#__PURE__*/ operation<{
  readonly body: {
    /** EXTERNAL: it runs elsewhere. */
    readonly kind: 'EXTERNAL'
    /** The name. The audit trail shows it, so it must not name a person. */
    readonly name: string
    /** The account name at the registry. */
    readonly username: string
    /** The password or the access token at the registry. Send the mask back to keep it. */
    readonly password: string
    /** The host name or IP address, with the port if it is not 443. */
    readonly address: string
    /** The project that may use it. Absent: the registry belongs to the installation. */
    readonly projectId?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: Registry
}>('POST /api/registries', {
  openTo: ['user'],
  asks: ['registries:manage', 'project:settings:manage'],
  body: {
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['EXTERNAL'] },
      name: { type: 'string', minLength: 1, maxLength: 100 },
      username: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        allOf: [{ pattern: '^\\P{Cc}*$' }, { pattern: '^[^:]*$' }],
      },
      password: { type: 'string', minLength: 1, maxLength: 4096, pattern: '^\\P{Cc}*$' },
      address: {
        type: 'string',
        maxLength: 300,
        pattern: '^[a-z0-9.-]+(?::\\d{1,5})?$|^\\[[0-9a-f:.]+\\](?::\\d{1,5})?$',
      },
      projectId: { type: 'string', format: 'uuid', 'x-names': 'projects' },
    },
    required: ['kind', 'name', 'username', 'password', 'address'],
    additionalProperties: false,
  },
})

/** Change the name or the login of a registry. A masked password keeps the stored one. */
export const patchRegistriesById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name. The audit trail shows it, so it must not name a person. */
    readonly name?: string | undefined
    /** The account name at the registry. */
    readonly username?: string | undefined
    /** The password or the access token at the registry. Send the mask back to keep it. */
    readonly password?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: Registry
}>('PATCH /api/registries/{id}', {
  openTo: ['user'],
  asks: ['registries:manage', 'project:settings:manage'],
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      username: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        allOf: [{ pattern: '^\\P{Cc}*$' }, { pattern: '^[^:]*$' }],
      },
      password: { type: 'string', minLength: 1, maxLength: 4096, pattern: '^\\P{Cc}*$' },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Remove a registry with its login. Images that were pulled from it stay on their servers. */
export const deleteRegistriesById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/registries/{id}', { openTo: ['user'], asks: ['registries:manage', 'project:settings:manage'] })

/** Log in at the registry, from a server if one is named, and report the step that failed. At most ten a minute. */
export const postRegistriesByIdTest = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body?:
    | {
        /** The server that logs in. Absent: the panel itself does. */
        readonly serverId?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: {
    readonly ok: boolean
    readonly step: 'CONNECT' | 'TLS' | 'PROTOCOL' | 'TOKEN' | 'LOGIN' | null
    /** Why, for readers of the audit trail. */
    readonly reason: string | null
  }
}>('POST /api/registries/{id}/test', {
  openTo: ['user'],
  asks: ['registries:manage', 'project:settings:manage'],
  body: {
    default: {},
    type: 'object',
    properties: { serverId: { type: 'string', format: 'uuid', 'x-names': 'servers' } },
    additionalProperties: false,
  },
})
