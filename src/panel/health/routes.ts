import { z } from 'zod'
import { route } from '#kernel/http/route'
import { jobsWarningOf } from '#kernel/jobs/job-status'
import { platform } from '../access/access.ts'
import { platformState } from './platform-state.ts'

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

export const healthRoutes = [
  route('GET /api/admin/health', {
    does: 'Get health counters: lag of read models, waiting and failing jobs, database size and process memory.',
    access: platform('system:view'),
    reply: Health,
    async handle({ service, telemetry }) {
      const state = service(platformState)
      const [position, models, work] = [await state.head(), await state.readModels(), await state.work()]
      const { rows } = await telemetry.query<{ bytes: number }>(SIZE)
      const lags = models.map((model) => Math.max(0, position - model.position))
      const parked = sum(models.map((model) => model.parked))
      const concern = jobsWarningOf(work, process.uptime()) ?? null
      return {
        status: parked === 0 && concern === null ? ('ok' as const) : ('degraded' as const),
        concern:
          concern ??
          (parked === 0 ? null : `events parked: ${parked} (the command “daybook panel projections” shows the reason)`),
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
  }),
]
