/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { GitKind } from './schemas.ts'

/** List the kinds of git providers, and how each can be connected. */
export const getGitKinds = /*#__PURE__*/ operation<{
  readonly data: readonly GitKind[]
}>('GET /api/git/providers', { openTo: ['user'] })
