/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { Health } from './schemas.ts'

/** Get health counters: lag of read models, waiting and failing jobs, database size and process memory. */
export const getAdminHealth = /*#__PURE__*/ operation<{
  readonly data: Health
}>('GET /api/admin/health', { openTo: ['staff'], permission: 'settings:view' })

/** Report whether the process answers. */
export const getHealth = /*#__PURE__*/ operation<{
  readonly data: {
    /** The state of the record. */
    readonly status: 'ok'
  }
}>('GET /api/health', { openTo: [] })

/** Report whether the process is ready to work. `degraded`: events are parked or some requests get 503; the rest works. */
export const getHealthReady = /*#__PURE__*/ operation<{
  readonly data: {
    /** The state of the record. */
    readonly status: 'ok' | 'degraded' | 'failing'
    /** The parts of the service that were checked, each with its result. */
    readonly checks: { readonly [name: string]: 'ok' | 'degraded' | 'failing' }
    /** What an operator should know, without being an error. */
    readonly notes?: { readonly [name: string]: string } | undefined
  }
}>('GET /api/health/ready', { openTo: [] })
