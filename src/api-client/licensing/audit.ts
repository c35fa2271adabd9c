/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { AuditEntry } from './schemas.ts'

/** Search the audit trail: every change and every read of a license key, newest first. */
export const getAdminAudit = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The id of an actor, or a type such as TOKEN. */
        readonly actor?: string | undefined
        /** Only events of this kind. */
        readonly action?: string | undefined
        /** An id that the entries name. A customer’s id also finds events of the customer’s licenses. */
        readonly subject?: string | undefined
        /** Only what this request has caused, the work of jobs included. */
        readonly requestId?: string | undefined
        /** Only entries at this moment or later. */
        readonly from?: string | undefined
        /** Only entries before this moment. */
        readonly to?: string | undefined
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'position' | '-position' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly AuditEntry[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly AuditEntry[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/audit', {
  openTo: ['staff'],
  permission: 'audit:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      actor: { type: 'string', maxLength: 100 },
      action: { type: 'string', maxLength: 100 },
      subject: { type: 'string', maxLength: 100 },
      requestId: { type: 'string', maxLength: 100 },
      from: { type: 'string', format: 'date-time' },
      to: { type: 'string', format: 'date-time' },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-position', type: 'string', enum: ['position', '-position'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** List every action that the audit trail can contain. */
export const getAdminAuditActions = /*#__PURE__*/ operation<{
  readonly data: {
    /** The kinds of events that occur. */
    readonly actions: readonly {
      /** Only events of this kind. */
      readonly action: string
      /** The kind of record that the event is about. */
      readonly subjectType: string
    }[]
  }
}>('GET /api/admin/audit/actions', { openTo: ['staff'], permission: 'audit:view' })

/** Verify the history against its hash chain and signed checkpoints, and name the first event that was altered. */
export const getAdminAuditVerify = /*#__PURE__*/ operation<{
  readonly data: {
    /** Whether the whole chain holds. */
    readonly valid: boolean
    /** The number of events in the log. */
    readonly events: number
    /** The position of the newest event. */
    readonly head: number
    /** The hash of the chain at its end. */
    readonly hash: string | null
    /** Only events after this position were verified. 0: all. */
    readonly after: number
    /** The last signed checkpoint of the chain. */
    readonly checkpoint?:
      | {
          /** The place of the event in the history of this installation. */
          readonly position: number
          /** The hash of the chain at its end. */
          readonly hash: string
          /** When it happened. */
          readonly at: string
          /** The id of the signing key. */
          readonly kid: string
          /** The signature of the checkpoint. */
          readonly jws: string
        }
      | undefined
    /** The first place where the log does not match its chain. Absent: there is none. */
    readonly firstBad?:
      | {
          /** The place of the event in the history of this installation. */
          readonly position: number
          /** The last position of the place. */
          readonly through: number
          /** What is wrong there. */
          readonly problem: 'missing' | 'inserted' | 'altered' | 'rewritten' | 'truncated' | 'forged'
          /** The event that was written later than its neighbours. */
          readonly suspect?: number | undefined
          /** The event in a sentence. */
          readonly sentence: string
        }
      | undefined
  }
}>('GET /api/admin/audit/verify', { openTo: ['staff'], permission: 'audit:view' })

/** Export the audit trail, oldest first, as NDJSON or CSV. Takes the filters of the search. Each export is recorded. */
export const getAdminAuditExport = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The id of an actor, or a type such as TOKEN. */
        readonly actor?: string | undefined
        /** Only events of this kind. */
        readonly action?: string | undefined
        /** An id that the entries name. A customer’s id also finds events of the customer’s licenses. */
        readonly subject?: string | undefined
        /** Only what this request has caused, the work of jobs included. */
        readonly requestId?: string | undefined
        /** Only entries at this moment or later. */
        readonly from?: string | undefined
        /** Only entries before this moment. */
        readonly to?: string | undefined
        /** The format of the file. */
        readonly format?: 'ndjson' | 'csv' | undefined
      }
    | undefined
  readonly data: Response
}>('GET /api/admin/audit/export', {
  openTo: ['staff'],
  permission: 'audit:view',
  answers: 'stream',
  query: {
    type: 'object',
    properties: {
      actor: { type: 'string', maxLength: 100 },
      action: { type: 'string', maxLength: 100 },
      subject: { type: 'string', maxLength: 100 },
      requestId: { type: 'string', maxLength: 100 },
      from: { type: 'string', format: 'date-time' },
      to: { type: 'string', format: 'date-time' },
      format: { default: 'ndjson', type: 'string', enum: ['ndjson', 'csv'] },
    },
    required: [],
  },
})
