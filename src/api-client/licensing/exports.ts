/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'

/** Export all customers, subscriptions, licenses, plans or features, oldest first, as NDJSON or CSV. Each export is recorded first. */
export const getAdminExportsByResource = /*#__PURE__*/ operation<{
  readonly params: {
    /** The kind of the records. */
    readonly resource: 'customers' | 'subscriptions' | 'licenses' | 'plans' | 'features'
  }
  readonly query?:
    | {
        /** The format of the file. */
        readonly format?: 'ndjson' | 'csv' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data: Response
}>('GET /api/admin/exports/{resource}', {
  openTo: ['staff'],
  answers: 'stream',
  query: {
    type: 'object',
    properties: {
      format: { default: 'ndjson', type: 'string', enum: ['ndjson', 'csv'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})
