/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import { versionVersion } from './inputs.ts'
import type { Artifact, Version } from './schemas.ts'

/** List versions with their files. */
export const getAdminVersions = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The state of the record. */
        readonly status?: 'DRAFT' | 'PUBLISHED' | 'YANKED' | undefined
        /** The channel of the release: `stable`, or `beta` for early ones. */
        readonly channel?: 'stable' | 'beta' | undefined
        /** The version. */
        readonly version?: string | undefined
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'createdAt' | '-createdAt' | 'version' | '-version' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Version[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Version[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/versions', {
  openTo: ['staff'],
  permission: 'versions:manage',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['DRAFT', 'PUBLISHED', 'YANKED'] },
      channel: { type: 'string', enum: ['stable', 'beta'] },
      version: versionVersion,
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt', 'version', '-version'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Create a version as a draft. `minPlan` limits it to that plan and to dearer plans in the same currency. */
export const postAdminVersions = /*#__PURE__*/ operation<{
  readonly body: {
    /** The version. */
    readonly version: string
    /** The channel of the release: `stable`, or `beta` for early ones. */
    readonly channel?: 'stable' | 'beta' | undefined
    /** What is new, for readers of the release. */
    readonly notes?: string | undefined
    /** The plan that a license needs for this release. Null: any. */
    readonly minPlan?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly data: Version
}>('POST /api/admin/versions', {
  openTo: ['staff', 'token'],
  permission: 'versions:manage',
  body: {
    type: 'object',
    properties: {
      version: versionVersion,
      channel: { default: 'stable', type: 'string', enum: ['stable', 'beta'] },
      notes: { default: '', type: 'string', maxLength: 20000 },
      minPlan: {
        default: null,
        anyOf: [{ type: 'string', maxLength: 64, pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' }, { type: 'null' }],
        'x-names': 'plans',
      },
    },
    required: ['version'],
    additionalProperties: false,
  },
})

/** Read a version with its files. */
export const getAdminVersionsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Version
}>('GET /api/admin/versions/{id}', { openTo: ['staff'], permission: 'versions:manage' })

/** Add a file to a draft, at most 2 GiB. The body is the file; it is signed with the current key. The same file again returns 200. */
export const postAdminVersionsByIdArtifacts = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query: {
    /** The name that people read in lists. */
    readonly name: string
    /** The SHA-256 of the file: a file that was damaged during the upload is refused. */
    readonly sha256?: string | undefined
  }
  readonly body: Blob
  readonly from: { readonly status: unknown }
  readonly data: Artifact
}>('POST /api/admin/versions/{id}/artifacts', {
  openTo: ['staff', 'token'],
  permission: 'versions:manage',
  from: { status: ['DRAFT'] },
  sends: 'bytes',
  query: {
    type: 'object',
    properties: {
      name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$' },
      sha256: {
        type: 'string',
        description: 'The SHA-256 of the file: a file that was damaged during the upload is refused.',
        pattern: '^[0-9a-f]{64}$',
      },
    },
    required: ['name'],
  },
})

/** Publish a version: panels and customers that may have it see it. Its files can no longer change. */
export const postAdminVersionsByIdPublish = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Version
}>('POST /api/admin/versions/{id}/publish', {
  openTo: ['staff'],
  permission: 'versions:manage',
  from: { status: ['DRAFT'] },
})

/** Withdraw a version: it is no longer offered. Do not put personal data in the reason. */
export const postAdminVersionsByIdYank = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** Why, for readers of the audit trail. */
    readonly reason: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Version
}>('POST /api/admin/versions/{id}/yank', {
  openTo: ['staff'],
  permission: 'versions:manage',
  from: { status: ['DRAFT', 'PUBLISHED'] },
  body: {
    type: 'object',
    properties: { reason: { type: 'string', minLength: 1, maxLength: 500 } },
    required: ['reason'],
    additionalProperties: false,
  },
})

/** Download a file by its link. The link is valid for 15 minutes, and only while the version is published. */
export const getVersionsArtifactsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query: {
    /** When the signed address ends, in seconds since 1970. */
    readonly until: number
    /** The signature. */
    readonly signature: string
  }
  readonly data: Response
}>('GET /api/versions/artifacts/{id}', {
  openTo: [],
  answers: 'stream',
  query: {
    type: 'object',
    properties: {
      until: { type: 'integer', minimum: 0, maximum: 9999999999 },
      signature: { type: 'string', maxLength: 64 },
    },
    required: ['until', 'signature'],
  },
})
