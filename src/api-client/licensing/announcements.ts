/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import { getAdminAuthSessionsQuery, postAdminAnnouncementsBody } from './inputs.ts'
import type { Announcement, GetAdminAuthSessionsQuery, GetShopAnnouncementsAnswer } from './schemas.ts'

/** List all announcements to customers, newest first. */
export const getAdminAnnouncements = /*#__PURE__*/ operation<{
  readonly query?: GetAdminAuthSessionsQuery | undefined
  readonly data: GetShopAnnouncementsAnswer
}>('GET /api/admin/announcements', {
  openTo: ['staff'],
  permission: 'settings:view',
  walk: 'cursor',
  query: getAdminAuthSessionsQuery,
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
    properties: postAdminAnnouncementsBody,
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
    properties: postAdminAnnouncementsBody,
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
