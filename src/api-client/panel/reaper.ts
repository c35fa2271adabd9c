/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { Reap, ReaperScan } from './schemas.ts'

/** List what this panel has made on hosts, is older than an hour, and nothing expects. It removes nothing. */
export const getAdminReaperScan = /*#__PURE__*/ operation<{
  readonly data: ReaperScan
}>('GET /api/admin/reaper/scan', { openTo: ['user'], permission: 'servers:view' })

/** Remove what a scan of the last hour has listed, after another look at each; never volumes. */
export const postAdminReaperReap = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** Whether the build caches of the hosts are emptied too. */
        readonly pruneBuildCache?: 'true' | 'false' | undefined
        /** Whether logs of containers with more than 100 MiB are emptied too. */
        readonly truncateLogs?: 'true' | 'false' | undefined
      }
    | undefined
  readonly body?:
    | {
        /** The scan whose objects are removed. Absent: the newest one. */
        readonly scanId?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: Reap
}>('POST /api/admin/reaper/reap', {
  openTo: ['user'],
  permission: 'servers:manage',
  query: {
    type: 'object',
    properties: {
      pruneBuildCache: { enum: ['true', 'false'], type: 'string' },
      truncateLogs: { enum: ['true', 'false'], type: 'string' },
    },
    required: [],
  },
  body: {
    default: {},
    type: 'object',
    properties: { scanId: { type: 'string', format: 'uuid' } },
    additionalProperties: false,
  },
})
