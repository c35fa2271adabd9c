/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { Overview } from './schemas.ts'

/** Count accounts, projects, active API keys and sessions, and list new accounts. Names need users:view. */
export const getAdminOverview = /*#__PURE__*/ operation<{
  readonly data: Overview
}>('GET /api/admin/overview', { openTo: ['user'], permission: 'system:view' })
