/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'

/** Describe this service as JSON and link to its documentation. A browser gets the first page. */
export const getRoot = /*#__PURE__*/ operation<{
  readonly data: Response
}>('GET /', { openTo: [], answers: 'stream' })
