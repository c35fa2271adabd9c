/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { GetAuthSessionsQuery, Notification } from './schemas.ts'

/** List the caller’s notifications, newest first. The notification preferences decide which kinds are added. */
export const getNotifications = /*#__PURE__*/ operation<{
  readonly query?: GetAuthSessionsQuery | undefined
  readonly data:
    | readonly Notification[]
    | {
        /** The records of this page. */
        readonly items: readonly Notification[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize: number
      }
}>('GET /api/notifications', {
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

/** Delete all notifications of the caller. */
export const deleteNotifications = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/notifications', { openTo: ['user'] })

/** Count the caller’s unread notifications. */
export const getNotificationsUnreadCount = /*#__PURE__*/ operation<{
  readonly data: {
    /** The number of unread notices. */
    readonly count: number
  }
}>('GET /api/notifications/unread-count', { openTo: ['user'] })

/** Mark all notifications of the caller as read. */
export const postNotificationsReadAll = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/notifications/read-all', { openTo: ['user'] })

/** Mark a notification as read. */
export const postNotificationsByIdRead = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/notifications/{id}/read', { openTo: ['user'] })

/** Delete a notification. */
export const deleteNotificationsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/notifications/{id}', { openTo: ['user'] })
