/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { SystemUpdates } from './schemas.ts'

/** Tell which version runs, which one the license entitles to, and how to install it. */
export const getSystemUpdates = /*#__PURE__*/ operation<{
  readonly data: SystemUpdates
}>('GET /api/system/updates', { openTo: ['user'], permission: 'system:view' })

/** List what was found and what ran, newest first. */
export const getSystemUpdatesLog = /*#__PURE__*/ operation<{
  readonly data: {
    /** When a version was first seen to run in place of another one. */
    readonly runs: readonly {
      /** The version to install. Absent: the one that is available, or the running one again. */
      readonly version: string
      readonly formerVersion: string
      /** When it happened. */
      readonly at: string
    }[]
    /** Lines of the log in their order. */
    readonly lines: readonly {
      /** When it happened. */
      readonly at: string
      readonly text: string
    }[]
  }
}>('GET /api/system/updates/log', { openTo: ['user'], permission: 'system:view' })

/** Ask the licensing service for newer versions at once, at most six times an hour. It is asked hourly anyway. */
export const postSystemUpdatesCheck = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: SystemUpdates
}>('POST /api/system/updates/check', { openTo: ['user'], permission: 'system:manage' })

/** Install a version: the available one, or the running one again. A panel that its operator installs answers 409 with what to do. */
export const postSystemUpdatesApply = /*#__PURE__*/ operation<{
  readonly body?:
    | {
        /** The version to install. Absent: the one that is available, or the running one again. */
        readonly version?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: {
    readonly taskId: string
  }
}>('POST /api/system/updates/apply', {
  openTo: ['user'],
  permission: 'system:manage',
  body: {
    default: {},
    type: 'object',
    properties: { version: { type: 'string', maxLength: 64, pattern: '^\\d+\\.\\d+\\.\\d+(?:-[0-9A-Za-z.-]+)?$' } },
    additionalProperties: false,
  },
})
