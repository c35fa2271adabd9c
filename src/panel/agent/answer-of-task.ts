/** Answers a change on a host: with its outcome if it ends soon, else with the task that goes on. */
import { z } from 'zod'
import { answer } from '#kernel/http/route'
import type { Answer, HandlerContext } from '#kernel/http/route'
import { findRow } from '#kernel/projections/lookup'
import { taskTable } from '#projections/panel/agent'
import type { TaskRow } from '#projections/panel/agent'
import type { TaskKind } from '../../tasks/kind.ts'
import { TASK_STATES } from '../../tasks/protocol.ts'
import { taskHub } from './hub.ts'
import { serversOfAgents } from './servers-of-agents.ts'

const WAIT_MS = 15_000
/** Hints of other processes may be lost. */
const LOOK_AGAIN_MS = 1_000
const OK = 200
const ACCEPTED = 202

/** Statuses of routes that change a host. */
export const CHANGE_STATUSES = [OK, ACCEPTED] as const

/** The reply of a route that changes a host. */
export const outcomeOf = <Result>({ result }: TaskKind<unknown, Result>) =>
  z.object({
    taskId: z.uuid(),
    state: z.enum(TASK_STATES),
    result: result.nullable().describe('Null: it has not succeeded, or not yet.'),
    error: z.object({ code: z.string(), message: z.string() }).nullable().describe('Of a task that has failed.'),
  })

interface Outcome<Result> {
  taskId: string
  state: TaskRow['state']
  result: Result | null
  error: { code: string; message: string } | null
}

type ChangeCall = Pick<HandlerContext, 'read' | 'telemetry' | 'service' | 'now' | 'waitFor' | 'abortSignal'>

interface HostChange<Result> {
  readonly kind: TaskKind<unknown, Result>
  readonly serverId: string
  readonly taskId: string
  /** Asks for the task in a unit of work. */
  queue(): Promise<unknown>
}

/**
 * A server that was not heard of lately gets the task when it comes back, and the answer does not wait. A task that has failed
 * is an outcome too, as the request has left its entry. @throws Rejection what `queue` throws
 */
export async function changeHost<Result>(
  call: ChangeCall,
  { kind, serverId, taskId, queue }: HostChange<Result>,
): Promise<Answer<Outcome<Result>>> {
  const { telemetry, service, now, read, waitFor, abortSignal } = call
  const seat = await service(taskHub).ofTask(taskId)
  try {
    await queue()
    const isReachable = await service(serversOfAgents).isReachable(telemetry, serverId, now)
    const untilMs = performance.now() + (isReachable ? WAIT_MS : 0)
    for (;;) {
      seat.reset()
      const row = await findRow(read, taskTable, { id: taskId })
      if (row?.endedAt) return answer(endOf(row, kind), OK)
      const leftMs = untilMs - performance.now()
      if (leftMs <= 0 || abortSignal.aborted)
        return answer({ taskId, state: row?.state ?? 'QUEUED', result: null, error: null }, ACCEPTED)
      await waitFor(() => seat.wait(Math.min(leftMs, LOOK_AGAIN_MS), abortSignal))
    }
  } finally {
    seat.leave()
  }
}

function endOf<Result>({ id, state, result, errorCode, errorMessage }: TaskRow, kind: TaskKind<unknown, Result>) {
  return {
    taskId: id,
    state,
    // A long one is no answer: it is read where it is used.
    result: kind.result.safeParse(JSON.parse(result ?? 'null')).data ?? null,
    error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
  }
}
