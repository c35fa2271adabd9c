/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type {
  GetAdminQuotasDefaultsAnswer,
  GetAdminQuotasServersByIdAnswer,
  GetAdminQuotasUsersByIdAnswer,
} from './schemas.ts'

/** Read the default quotas. Null: no limit. */
export const getAdminQuotasDefaults = /*#__PURE__*/ operation<{
  readonly data: GetAdminQuotasDefaultsAnswer
}>('GET /api/admin/quotas/defaults', { openTo: ['user'], permission: 'quotas:view' })

/** Change default quotas; null: no limit. What exists stays. */
export const patchAdminQuotasDefaults = /*#__PURE__*/ operation<{
  readonly body: {
    /** The most projects of an account. Null: the default of the installation, or no limit there. */
    readonly projects?: number | null | undefined
    /** The most members of a project. Null: the default of the installation, or no limit there. */
    readonly members?: number | null | undefined
    /** The most environments of a project. Null: the default of the installation, or no limit there. */
    readonly environments?: number | null | undefined
    /** The most applications of a project. Null: the default of the installation, or no limit there. */
    readonly applications?: number | null | undefined
    /** The most previews of a project. Null: the default of the installation, or no limit there. */
    readonly previews?: number | null | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: GetAdminQuotasDefaultsAnswer
}>('PATCH /api/admin/quotas/defaults', {
  openTo: ['user'],
  permission: 'quotas:manage',
  body: {
    type: 'object',
    properties: {
      projects: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1000000 }, { type: 'null' }] },
      members: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1000000 }, { type: 'null' }] },
      environments: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1000000 }, { type: 'null' }] },
      applications: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1000000 }, { type: 'null' }] },
      previews: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1000000 }, { type: 'null' }] },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Read an account’s quota (null: default) and what holds. */
export const getAdminQuotasUsersById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: GetAdminQuotasUsersByIdAnswer
}>('GET /api/admin/quotas/users/{id}', { openTo: ['user'], permission: 'quotas:view' })

/** Change how many projects an account may own; null: default. */
export const patchAdminQuotasUsersById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The most projects of an account. Null: the default of the installation, or no limit there. */
    readonly projects?: number | null | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: GetAdminQuotasUsersByIdAnswer
}>('PATCH /api/admin/quotas/users/{id}', {
  openTo: ['user'],
  permission: 'quotas:manage',
  body: {
    type: 'object',
    properties: { projects: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1000000 }, { type: 'null' }] } },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Read a server’s quota (null: by its capacity) and what holds. */
export const getAdminQuotasServersById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: GetAdminQuotasServersByIdAnswer
}>('GET /api/admin/quotas/servers/{id}', { openTo: ['user'], permission: 'quotas:view' })

/** Change how much may be reserved on a server. What is placed stays; null: by the capacity of the host. */
export const patchAdminQuotasServersById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The most workloads of a server. Null: no limit. */
    readonly workloads?: number | null | undefined
    /** The most that may be reserved, in thousandths of a CPU. Null: by the capacity of the host. */
    readonly cpuMillis?: number | null | undefined
    /** The most that may be reserved, in MiB. Null: by the capacity of the host. */
    readonly memoryMiB?: number | null | undefined
    /** The most that may be reserved, in MiB. Null: by the capacity of the host. */
    readonly diskMiB?: number | null | undefined
    /** The most deployments that build at once on the server. Null: 2. */
    readonly builds?: number | null | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: GetAdminQuotasServersByIdAnswer
}>('PATCH /api/admin/quotas/servers/{id}', {
  openTo: ['user'],
  permission: 'quotas:manage',
  body: {
    type: 'object',
    properties: {
      workloads: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1000000 }, { type: 'null' }] },
      cpuMillis: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1073741824 }, { type: 'null' }] },
      memoryMiB: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1073741824 }, { type: 'null' }] },
      diskMiB: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1073741824 }, { type: 'null' }] },
      builds: { anyOf: [{ type: 'integer', minimum: 1, maximum: 8 }, { type: 'null' }] },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})
