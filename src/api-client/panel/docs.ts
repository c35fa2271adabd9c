/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'

/** Get the documentation of this API as an HTML page. */
export const getDocs = /*#__PURE__*/ operation<{
  readonly data: Response
}>('GET /api/docs', { openTo: [], answers: 'stream' })
