/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { CustomerInvoice } from './schemas.ts'

/** List the invoices and credit notes of all customers, newest first. `number` is a whole number. */
export const getAdminInvoices = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The customer. */
        readonly customerId?: string | undefined
        /** The subscription. */
        readonly subscriptionId?: string | undefined
        /** The kind of the record. */
        readonly kind?: 'INVOICE' | 'CREDIT_NOTE' | undefined
        /** The number of the invoice. */
        readonly number?: string | undefined
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'issuedAt' | '-issuedAt' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly CustomerInvoice[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly CustomerInvoice[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/invoices', {
  openTo: ['staff', 'token'],
  permission: 'payments:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      customerId: { type: 'string', format: 'uuid', 'x-names': 'customers' },
      subscriptionId: { type: 'string', format: 'uuid', 'x-names': 'subscriptions' },
      kind: { type: 'string', enum: ['INVOICE', 'CREDIT_NOTE'] },
      number: { type: 'string', maxLength: 64 },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-issuedAt', type: 'string', enum: ['issuedAt', '-issuedAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Get an invoice or credit note as a PDF. It names the buyer. */
export const getAdminInvoicesByIdPdf = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Response
}>('GET /api/admin/invoices/{id}/pdf', { openTo: ['staff'], permission: 'payments:view', answers: 'stream' })
