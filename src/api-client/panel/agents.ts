/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { AgentUpdate } from './schemas.ts'

/** Update the agents of all servers that are online, or of one: one first, the others once it has told the version. */
export const postAdminAgentsUpdate = /*#__PURE__*/ operation<{
  readonly body?:
    | {
        /** The server whose agent alone is updated. Absent: all that are online. */
        readonly serverId?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: AgentUpdate
}>('POST /api/admin/agents/update', {
  openTo: ['user'],
  permission: 'servers:manage',
  body: {
    default: {},
    type: 'object',
    properties: { serverId: { type: 'string', format: 'uuid', 'x-names': 'servers' } },
    additionalProperties: false,
  },
})
