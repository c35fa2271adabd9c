/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { AuditEntry } from './schemas.ts'

/** Search the audit trail, newest first. `subject` and `project` match any id; `before` takes a position. */
export const getAdminAuditLogs = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The id of an actor, or a type such as API_KEY. */
        readonly actor?: string | undefined
        /** Only events of this kind. */
        readonly action?: string | undefined
        /** The id of a record that the entries name. */
        readonly subject?: string | undefined
        /** Only entries about this project, by its id. */
        readonly project?: string | undefined
        /** Only entries at this moment or later. */
        readonly from?: string | undefined
        /** Only entries before this moment. */
        readonly to?: string | undefined
        /** A position: only entries before it. */
        readonly before?: number | undefined
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly AuditEntry[]
    | {
        /** The records of this page. */
        readonly items: readonly AuditEntry[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize: number
      }
}>('GET /api/admin/audit-logs', {
  openTo: ['user'],
  permission: 'audit:view',
  walk: 'before',
  query: {
    type: 'object',
    properties: {
      actor: { type: 'string', minLength: 1, maxLength: 100 },
      action: { type: 'string', minLength: 1, maxLength: 100 },
      subject: { type: 'string', minLength: 1, maxLength: 100 },
      project: { type: 'string', minLength: 1, maxLength: 100 },
      from: { type: 'string', format: 'date-time' },
      to: { type: 'string', format: 'date-time' },
      before: { type: 'integer', minimum: 1 },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** List the actions in the audit trail, each once, in alphabetical order. */
export const getAdminAuditLogsActions = /*#__PURE__*/ operation<{
  readonly data: readonly string[]
}>('GET /api/admin/audit-logs/actions', { openTo: ['user'], permission: 'audit:view' })
