/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import { scheduledDeployCron } from './inputs.ts'
import type { Deployment, ScheduledDeploy } from './schemas.ts'

/** List the schedules of the caller’s projects, or with `scope=all` of every project, which needs projects:view. */
export const getScheduledDeploys = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** `mine` lists the projects of the caller, `all` those of the installation. */
        readonly scope?: 'mine' | 'all' | undefined
        /** The application that is deployed. */
        readonly applicationId?: string | undefined
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly ScheduledDeploy[]
    | {
        /** The records of this page. */
        readonly items: readonly ScheduledDeploy[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize: number
      }
}>('GET /api/scheduled-deploys', {
  openTo: ['user'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      scope: { default: 'mine', type: 'string', enum: ['mine', 'all'] },
      applicationId: { type: 'string', format: 'uuid' },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Deploy an application by a schedule: again and again by cron, or once at runAt. */
export const postScheduledDeploys = /*#__PURE__*/ operation<{
  readonly body: {
    /** The application that is deployed. */
    readonly applicationId: string
    /** Minute, hour, day, month and weekday, on the clock of the time zone. */
    readonly cron?: string | undefined
    /** The time zone of cron. Absent: UTC. */
    readonly timezone?: string | undefined
    /** The one time at which it deploys, instead of cron. */
    readonly runAt?: string | undefined
    /** When the panel was down at the time. ONE: it deploys once, later. SKIP: it waits for the next time. */
    readonly missed?: 'ONE' | 'SKIP' | undefined
    /** Whether it deploys at its times. */
    readonly enabled?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly data: ScheduledDeploy
}>('POST /api/scheduled-deploys', {
  openTo: ['user'],
  asks: ['environment:apps:deploy'],
  body: {
    type: 'object',
    properties: {
      applicationId: { type: 'string', format: 'uuid' },
      cron: scheduledDeployCron,
      timezone: { type: 'string', maxLength: 64, pattern: '^(?:UTC|[A-Za-z][\\w+-]*(?:\\/[\\w+-]+)+)$' },
      runAt: { description: 'The one time at which it deploys, instead of cron.', type: 'string', format: 'date-time' },
      missed: {
        default: 'ONE',
        description:
          'When the panel was down at the time. ONE: it deploys once, later. SKIP: it waits for the next time.',
        type: 'string',
        enum: ['ONE', 'SKIP'],
      },
      enabled: { default: true, type: 'boolean' },
    },
    required: ['applicationId'],
    additionalProperties: false,
  },
})

/** Change a schedule. A cron takes the place of runAt, and the other way round. */
export const patchScheduledDeploysById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** Minute, hour, day, month and weekday, on the clock of the time zone. */
    readonly cron?: string | undefined
    /** The time zone of cron. Absent: UTC. */
    readonly timezone?: string | undefined
    /** The one time at which it deploys, instead of cron. */
    readonly runAt?: string | undefined
    /** ONE: a missed time is made up for once, later. SKIP: it is left out. */
    readonly missed?: 'ONE' | 'SKIP' | undefined
    /** Whether it deploys at its times. */
    readonly enabled?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly data: ScheduledDeploy
}>('PATCH /api/scheduled-deploys/{id}', {
  openTo: ['user'],
  asks: ['environment:apps:deploy'],
  body: {
    type: 'object',
    properties: {
      cron: scheduledDeployCron,
      timezone: { type: 'string', maxLength: 64, pattern: '^(?:UTC|[A-Za-z][\\w+-]*(?:\\/[\\w+-]+)+)$' },
      runAt: { description: 'The one time at which it deploys, instead of cron.', type: 'string', format: 'date-time' },
      missed: { type: 'string', enum: ['ONE', 'SKIP'] },
      enabled: { type: 'boolean' },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Delete a schedule. */
export const deleteScheduledDeploysById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/scheduled-deploys/{id}', { openTo: ['user'], asks: ['environment:apps:deploy'] })

/** Deploy the application of a schedule now. When the schedule is due does not change, even if it runs once. */
export const postScheduledDeploysByIdRun = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: Deployment
}>('POST /api/scheduled-deploys/{id}/run', { openTo: ['user'], asks: ['environment:apps:deploy'] })
