/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { GetAuthSessionsQuery, ServerCapacity } from './schemas.ts'

/** Compare for each server what is reserved with its quota, and what is used with its capacity. */
export const getAdminCapacity = /*#__PURE__*/ operation<{
  readonly query?: GetAuthSessionsQuery | undefined
  readonly data:
    | readonly ServerCapacity[]
    | {
        /** The records of this page. */
        readonly items: readonly ServerCapacity[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize: number
      }
}>('GET /api/admin/capacity', {
  openTo: ['user'],
  permission: 'servers:view',
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
