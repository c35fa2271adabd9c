/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'

/** Get the OpenAPI 3.1 document of this API. */
export const getOpenapiJson = /*#__PURE__*/ operation<{
  readonly data: string
}>('GET /api/openapi.json', { openTo: [] })
