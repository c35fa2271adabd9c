/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { Announcement } from './schemas.ts'

/** List all announcements to customers, newest first. */
export const getAdminAnnouncements = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'createdAt' | '-createdAt' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Announcement[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Announcement[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/announcements', {
  openTo: ['staff'],
  permission: 'settings:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Create an announcement. At most 20 are visible at once. */
export const postAdminAnnouncements = /*#__PURE__*/ operation<{
  readonly body: {
    /** The heading. */
    readonly title: string
    /** The text, of one or more lines. */
    readonly body: string
    /** How important the notice is. */
    readonly level: 'INFO' | 'WARNING' | 'CRITICAL'
    /** From when on the notice is shown. */
    readonly visibleFrom: string
    /** Until when the notice is shown. */
    readonly visibleUntil: string
  }
  readonly key?: string | undefined
  readonly data: Announcement
}>('POST /api/admin/announcements', {
  openTo: ['staff'],
  permission: 'settings:manage',
  body: {
    type: 'object',
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 200 },
      body: { type: 'string', minLength: 1, maxLength: 5000 },
      level: { type: 'string', enum: ['INFO', 'WARNING', 'CRITICAL'] },
      visibleFrom: { type: 'string', format: 'date-time' },
      visibleUntil: { type: 'string', format: 'date-time' },
    },
    required: ['title', 'body', 'level', 'visibleFrom', 'visibleUntil'],
    additionalProperties: false,
  },
})

/** Read an announcement. */
export const getAdminAnnouncementsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Announcement
}>('GET /api/admin/announcements/{id}', { openTo: ['staff'], permission: 'settings:view' })

/** Change an announcement or its period. At most 20 are visible at once. */
export const patchAdminAnnouncementsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The heading. */
    readonly title?: string | undefined
    /** The text, of one or more lines. */
    readonly body?: string | undefined
    /** How important the notice is. */
    readonly level?: 'INFO' | 'WARNING' | 'CRITICAL' | undefined
    /** From when on the notice is shown. */
    readonly visibleFrom?: string | undefined
    /** Until when the notice is shown. */
    readonly visibleUntil?: string | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: Announcement
}>('PATCH /api/admin/announcements/{id}', {
  openTo: ['staff'],
  permission: 'settings:manage',
  body: {
    type: 'object',
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 200 },
      body: { type: 'string', minLength: 1, maxLength: 5000 },
      level: { type: 'string', enum: ['INFO', 'WARNING', 'CRITICAL'] },
      visibleFrom: { type: 'string', format: 'date-time' },
      visibleUntil: { type: 'string', format: 'date-time' },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Delete an announcement. */
export const deleteAdminAnnouncementsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/announcements/{id}', { openTo: ['staff'], permission: 'settings:manage' })
