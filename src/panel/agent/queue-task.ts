/** Asks a server's agent for work, within the unit of work of the section that asks. */
import { v5 } from 'uuid'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { reject } from '#kernel/lib/rejection'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { sql } from '#kernel/projections/read-model'
import { taskTable } from '#projections/panel/agent'
import { PAYLOAD_BYTES_MAX } from '../../tasks/kind.ts'
import type { TaskKind } from '../../tasks/kind.ts'
import { tasks } from './decider.ts'

const OPEN_TASKS_MAX = 1_000
/** A UUID of this project, so that ids of tasks meet no other ids (RFC 9562, 6.6). */
const NAMESPACE = '6f1f8a52-6c1c-4b0e-9d0e-3f6c6d2b8a11'

export interface TaskCause {
  /** `event`, or the noun of the record that asks. */
  readonly type: string
  readonly id: string
}

export interface TaskRequest<Payload> {
  /** Made by the unit, or `taskIdFor` where a reaction asks. */
  readonly taskId: string
  readonly serverId: string
  readonly projectId: string | null
  readonly payload: Payload
  readonly cause: TaskCause
  /** Instead of the one of its kind. */
  readonly deadlineMs?: number
}

/** The same id for the same cause: a reaction that runs twice asks once. @param nth of the tasks of one cause and kind */
export const taskIdFor = ({ type, id }: TaskCause, { name }: Pick<TaskKind, 'name'>, nth = 0): string =>
  v5(`${type}/${id}/${name}/${nth}`, NAMESPACE)

/** @throws Error for a payload that the kind does not take, which is a bug of the section */
export async function queueTask<Payload>(
  unit: UnitOfWork,
  kind: TaskKind<Payload>,
  { taskId, serverId, projectId, payload, cause, deadlineMs = kind.deadlineMs }: TaskRequest<Payload>,
): Promise<void> {
  const text = JSON.stringify(kind.payload.parse(payload))
  if (Buffer.byteLength(text) > PAYLOAD_BYTES_MAX)
    throw new Error(`The payload of ${kind.name} has more than ${PAYLOAD_BYTES_MAX} bytes: use a transfer`)
  await unit.decide(tasks, taskId, 'Queue', {
    taskId,
    serverId,
    projectId,
    kind: kind.name,
    kindVersion: kind.version,
    lane: kind.lane(payload),
    payload: text,
    causeType: cause.type,
    causeId: cause.id,
    expiresAt: new Date(unit.at.getTime() + deadlineMs).toISOString(),
  })
}

/** Approximate under races: it bounds memory, and no rule depends on it. @throws Rejection 503 QUEUE_FULL */
export async function refuseFullQueue(read: ReadDatabase, serverId: string): Promise<void> {
  const open = await taskTable
    .queryIn(read)
    .select(sql<number>`count(*)::int`.as('count'))
    .where('serverId', '=', serverId)
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (open.count >= OPEN_TASKS_MAX)
    reject('unavailable', `The server has ${open.count} tasks that have not ended: try again later`, 'QUEUE_FULL', {
      'Retry-After': '60',
    })
}
