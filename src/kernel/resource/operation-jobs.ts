/** What runs an operation in a worker: the reaction that performs it, and the timer that ends what did not end in time. */
import type { JobContext } from '../jobs/job-context.ts'
import type { JobOptions } from '../jobs/job-options.ts'
import { reaction } from '../jobs/reaction.ts'
import { timer } from '../jobs/timer.ts'
import { Rejection } from '../lib/rejection.ts'
import { sql } from '../projections/read-model.ts'
import type { Fields, ValuesOf } from './fields.ts'
import { operationLog } from './operation-log.ts'
import type { OperationTable } from './operation-table.ts'
import { TIMED_OUT } from './operation.ts'
import type { Operation, OperationFailure, OperationRow, RequestOf } from './operation.ts'

/** Of failures that are no rejections, or that say that a part is not available now. */
const TRIES_MAX = 3
const GAVE_UP: OperationFailure = {
  code: 'INTERNAL',
  message: 'The operation failed for a reason that only the log of the service names: try again, or ask the operator',
}

export interface OperationContext extends JobContext {
  /** Also aborted when the time of the operation is over. */
  readonly signal: AbortSignal
  /** Adds a line to the log that callers can read. */
  log(line: string): Promise<void>
}

interface OperationJobsSpec<
  Noun extends string,
  Of extends Fields,
  F extends Fields,
  R extends Fields,
> extends JobOptions {
  readonly table: OperationTable<Of, F, R>
  /**
   * Runs again from its beginning after a kill and after a failure, so it must be idempotent, and it must end when `signal` is aborted.
   * A rejection below 500 ends the operation with its code and message; other failures are retried, three tries of the job in all.
   */
  readonly perform: (asked: RequestOf<Noun, Of, F>, work: OperationContext) => Promise<ValuesOf<R>>
}

/** @param name of the reaction and, with `-timeout`, of the timer */
export function operationJobs<Noun extends string, Of extends Fields, F extends Fields, R extends Fields>(
  name: string,
  kind: Operation<Noun, Of, F, R>,
  { table, perform, outside = false }: OperationJobsSpec<Noun, Of, F, R>,
) {
  type Row = OperationRow<Of, F, R>
  const { idIn, subjectField, sealedFor } = kind
  const [Requested] = kind.stream.types
  const timeoutMs = kind.timeoutSeconds * 1_000
  const since = sql<string>`coalesce(${sql.ref('startedAt')}, ${sql.ref('createdAt')})`

  const performing = reaction(name, {
    on: [Requested],
    outside,
    async run({ data }, work) {
      const id = idIn(data)
      const subjectId: string = data[subjectField]
      const current = await work.run(async (unit) => {
        await unit.decide(kind, subjectId, 'TimeOut', { id })
        await unit.decide(kind, subjectId, 'Start', { id })
        return unit.load(kind, subjectId)
      })
      if (!current || idIn(current.about) !== id) return
      const late = AbortSignal.timeout(Math.max(0, current.since.getTime() + timeoutMs - work.now.getTime()))
      const { add: log } = operationLog(work, id, sealedFor(data))
      let result: ValuesOf<R>
      try {
        result = await perform(data, { ...work, signal: AbortSignal.any([work.signal, late]), log })
      } catch (error) {
        const why = late.aborted ? TIMED_OUT : failureOf(error, work)
        if (!why) throw error
        if (why === GAVE_UP) work.warn({ err: error, operationId: id }, `an operation failed: ${name}`)
        await work.run((unit) => unit.decide(kind, subjectId, 'Fail', { id, ...why }))
        return
      }
      // A failure here is one of the job, because the work is done.
      await work.run((unit) => unit.decide(kind, subjectId, 'Finish', { id, result }))
    },
  })

  const timingOut = timer(`${name}-timeout`, {
    async due({ read, until, limit }) {
      const rows = await table
        .queryIn(read)
        .selectAll()
        .where(sql.ref('finishedAt'), 'is', null)
        .where(since, '<=', new Date(until.getTime() - timeoutMs).toISOString())
        .orderBy(since)
        .limit(limit)
        .execute()
      const at = ({ startedAt, createdAt }: Row) => new Date(Date.parse(startedAt ?? createdAt) + timeoutMs)
      return (rows as Row[]).map((row) => ({ key: `${String(row[subjectField])}/${row.id}`, at: at(row) }))
    },
    async run({ key }, { run }) {
      const [subjectId, id = ''] = key.split('/')
      await run((unit) => unit.decide(kind, subjectId, 'TimeOut', { id }))
    },
  })

  return { reactions: [performing], timers: [timingOut] }
}

/** @returns undefined if the job is to be tried again */
function failureOf(error: unknown, { signal, failures }: JobContext): OperationFailure | undefined {
  if (signal.aborted) return undefined
  if (error instanceof Rejection && error.statusCode < 500) return { code: error.code, message: error.message }
  return failures + 1 < TRIES_MAX ? undefined : GAVE_UP
}
