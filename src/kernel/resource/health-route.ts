/** The counters of a service's own processing, for its operators. */
import type { Pool } from 'pg'
import { z } from 'zod'
import type { EventStore } from '../events/store-port.ts'
import { route } from '../http/route.ts'
import type { Access, Route, RouteLine } from '../http/route.ts'
import { jobsWarningOf, readJobsStatus } from '../jobs/job-status.ts'
import type { JobsStatus } from '../jobs/job-status.ts'
import type { Reaction } from '../jobs/reaction.ts'
import type { Timer } from '../jobs/timer.ts'
import { requiredService } from '../lib/services.ts'
import { readCheckpoints } from '../projections/checkpoints.ts'
import type { ProjectionCheckpoint } from '../projections/checkpoints.ts'
import type { ReadDatabase } from '../projections/read-database.ts'
import type { ReadModel } from '../projections/read-model.ts'

/** The composition root provides it, because only it knows the parts. */
export interface ServiceState {
  /** Position of the newest event. */
  head(): Promise<number>
  /** Checkpoint of each read model. */
  readModels(): Promise<readonly ProjectionCheckpoint[]>
  work(): Promise<JobsStatus>
}

export const serviceState = requiredService<ServiceState>('service state')

interface ServiceParts {
  readonly store: Pick<EventStore, 'head'>
  readonly pool: Pool
  readonly read: ReadDatabase
  readonly readModels: readonly ReadModel[]
  readonly reactions: readonly Reaction[]
  readonly timers: readonly Timer[]
}

export function serviceStateOf({ read, readModels, ...parts }: ServiceParts): ServiceState {
  const names = new Set(readModels.map(({ name }) => name))
  return {
    head: () => parts.store.head(),
    readModels: async () => (await readCheckpoints(read)).filter(({ name }) => names.has(name)),
    work: () => readJobsStatus(parts),
  }
}

const Health = z
  .object({
    /** `degraded`: something needs the operator; the rest works. */
    status: z.enum(['ok', 'degraded']),
    /** Message for the operator. */
    concern: z.string().nullable(),
    /** Position of the newest event. */
    position: z.int(),
    /** `lag`: positions that the slowest read model is behind. `parked`: events that could not be applied. */
    readModels: z.object({ total: z.int(), behind: z.int(), lag: z.int(), parked: z.int() }),
    /** Reactions and timers. `failing`: failed and will be retried. */
    work: z.object({
      waiting: z.int(),
      oldestSeconds: z.number(),
      failing: z.int(),
      /** Null: no worker has run yet. */
      lookedSecondsAgo: z.number().nullable(),
    }),
    database: z.object({ bytes: z.int() }),
    /** The process that answers. */
    process: z.object({ uptimeSeconds: z.int(), memoryBytes: z.int() }),
  })
  .meta({ id: 'Health' })

/** Tables with their indexes. `pg_database_size` needs a right on the database, which the role of requests lacks. */
const SIZE = `SELECT sum(pg_total_relation_size(oid))::float8 AS bytes FROM pg_class WHERE relkind IN ('r', 'm')`

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

interface HealthRouteSpec {
  readonly access: Access
  /** The command that shows why events are parked. */
  readonly command: string
}

export const healthRoute = (line: RouteLine, { access, command }: HealthRouteSpec): Route =>
  route(line, {
    does: 'Get health counters: lag of read models, waiting and failing jobs, database size and process memory.',
    access,
    reply: Health,
    async handle({ service, telemetry }) {
      const state = service(serviceState)
      const [position, models, work] = [await state.head(), await state.readModels(), await state.work()]
      const { rows } = await telemetry.query<{ bytes: number }>(SIZE)
      const lags = models.map((model) => Math.max(0, position - model.position))
      const parked = sum(models.map((model) => model.parked))
      const concern = jobsWarningOf(work, process.uptime()) ?? null
      return {
        status: parked === 0 && concern === null ? ('ok' as const) : ('degraded' as const),
        concern:
          concern ?? (parked === 0 ? null : `events parked: ${parked} (the command “${command}” shows the reason)`),
        position,
        readModels: {
          total: models.length,
          behind: lags.filter((lag) => lag > 0).length,
          lag: Math.max(0, ...lags),
          parked,
        },
        work: {
          waiting: sum(work.works.map(({ waiting }) => waiting)),
          oldestSeconds: Math.max(0, ...work.works.map(({ oldestSeconds }) => oldestSeconds)),
          failing: work.failures.length,
          lookedSecondsAgo: work.lookedSecondsAgo ?? null,
        },
        database: { bytes: rows[0]!.bytes },
        process: { uptimeSeconds: Math.floor(process.uptime()), memoryBytes: process.memoryUsage.rss() },
      }
    },
  })
