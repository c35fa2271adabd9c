/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import { getRegistriesQuery } from './inputs.ts'
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
  query: getRegistriesQuery,
})

/** Add a registry of the installation or of a project: one that runs elsewhere, or one that a server is to run. */
export const postRegistries = /*#__PURE__*/ operation<{
  readonly body: {
    /** EXTERNAL: it runs elsewhere. SELF_HOSTED: a server of the panel runs it. */
    readonly kind: 'EXTERNAL' | 'SELF_HOSTED'
    /** The name. The audit trail shows it, so it must not name a person. */
    readonly name: string
    /** The project that may use it. Absent: the registry belongs to the installation. */
    readonly projectId?: string | undefined
    /** The host name or IP address, with the port if it is not 443. */
    readonly address?: string | undefined
    /** The account name at the registry. */
    readonly username?: string | undefined
    /** The password or the access token at the registry. Send the mask back to keep it. */
    readonly password?: string | undefined
    /** The server that runs it, or that logs in. Absent: it runs elsewhere, or the panel logs in. */
    readonly serverId?: string | undefined
    /** The disk space that is reserved for its images, in MiB. Only for SELF_HOSTED. */
    readonly diskMiB?: number | undefined
    /** The memory that it may use, in MiB. Only for SELF_HOSTED; 256 if absent. */
    readonly memoryMiB?: number | undefined
    /** Thousandths of a CPU that it may use. Only for SELF_HOSTED; 250 if absent. */
    readonly cpuMillis?: number | undefined
  }
  readonly key?: string | undefined
  readonly data: Registry
}>('POST /api/registries', {
  openTo: ['user'],
  asks: ['registries:manage', 'project:settings:manage'],
  body: {
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['EXTERNAL', 'SELF_HOSTED'] },
      name: { type: 'string', minLength: 1, maxLength: 100 },
      projectId: { type: 'string', format: 'uuid', 'x-names': 'projects' },
      address: {
        type: 'string',
        maxLength: 300,
        pattern: '^[a-z0-9.-]+(?::\\d{1,5})?$|^\\[[0-9a-f:.]+\\](?::\\d{1,5})?$',
      },
      username: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        allOf: [{ pattern: '^\\P{Cc}*$' }, { pattern: '^[^:]*$' }],
      },
      password: { type: 'string', minLength: 1, maxLength: 4096, pattern: '^\\P{Cc}*$' },
      serverId: { type: 'string', format: 'uuid', 'x-names': 'servers' },
      diskMiB: { type: 'integer', minimum: 100, maximum: 1000000000 },
      memoryMiB: { type: 'integer', minimum: 64, maximum: 1000000000 },
      cpuMillis: { type: 'integer', minimum: 50, maximum: 1000000000 },
    },
    required: ['kind', 'name'],
    additionalProperties: false,
    description:
      'EXTERNAL has address, username and password. SELF_HOSTED has serverId, diskMiB, memoryMiB and cpuMillis.',
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

/** Remove a registry with its login. A SELF_HOSTED one leaves its images on the server, unless deleteData is set. */
export const deleteRegistriesById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** Whether its images on the server are removed, too. */
        readonly deleteData?: 'true' | 'false' | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/registries/{id}', {
  openTo: ['user'],
  asks: ['registries:manage', 'project:settings:manage'],
  query: { type: 'object', properties: { deleteData: { enum: ['true', 'false'], type: 'string' } }, required: [] },
})

/** Log in at the registry, from a server if one is named, and report the step that failed. At most ten a minute. */
export const postRegistriesByIdTest = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body?:
    | {
        /** The server that runs it, or that logs in. Absent: it runs elsewhere, or the panel logs in. */
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
