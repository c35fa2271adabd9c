/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'

/** Get the metrics in the Prometheus text format. Other addresses than the allowed ones get 404. */
export const getMetrics = /*#__PURE__*/ operation<{
  readonly data: Response
}>('GET /metrics', { openTo: [], answers: 'stream' })
