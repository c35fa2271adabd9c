/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'

/** Receive a signed delivery of a git provider. A push to the branch of the application asks for a deployment. */
export const postWebhooksApplicationsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: unknown
  readonly data: {
    readonly outcome: 'QUEUED' | 'UNCHANGED' | 'IGNORED' | 'DUPLICATE'
  }
}>('POST /api/webhooks/applications/{id}', { openTo: ['webhook'], body: {} })
