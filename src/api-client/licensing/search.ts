/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { FoundRecord } from './schemas.ts'

/** Find what the caller may view by a whole id, key id, e-mail address, reference, or the id or invoice number of a payment. */
export const getAdminSearch = /*#__PURE__*/ operation<{
  readonly query: {
    /** A search text: part of a name, or a whole id, address or key id. */
    readonly q: string
  }
  readonly data: {
    /** The records of this page. */
    readonly items: readonly FoundRecord[]
  }
}>('GET /api/admin/search', {
  openTo: ['staff'],
  permission: 'customers:view',
  query: { type: 'object', properties: { q: { type: 'string', minLength: 1, maxLength: 320 } }, required: ['q'] },
})
