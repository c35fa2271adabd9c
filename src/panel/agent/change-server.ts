/** A change on the host of a server that the caller asks for, with its outcome. */
import type { HandlerContext } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import { uuidv7 } from '#kernel/lib/uuid'
import type { TaskKind } from '../../tasks/kind.ts'
import { servers } from '../servers/decider.ts'
import { mustManageServer } from '../workflows/server-access.ts'
import { changeHost } from './answer-of-task.ts'
import { queueTask, refuseFullQueue } from './queue-task.ts'

interface ServerChange<Payload, Result> {
  readonly kind: TaskKind<Payload, Result>
  readonly serverId: string
  readonly payload: Payload
}

/**
 * The right to manage the server is looked at again in the unit that asks.
 * @throws Rejection 404 · 403 · 409 NO_AGENT · 503 QUEUE_FULL
 */
export async function changeServer<Payload, Result>(
  call: HandlerContext,
  { kind, serverId, payload }: ServerChange<Payload, Result>,
) {
  const { read, run, caller } = call
  const taskId = uuidv7()
  await refuseFullQueue(read, serverId)
  const queue = () =>
    run(async (unit) => {
      await mustManageServer(unit, caller, serverId)
      if (!(await unit.look(servers, serverId))?.agent)
        reject('conflict', 'No agent of the server has registered', 'NO_AGENT')
      const cause = { type: 'server', id: serverId }
      await queueTask(unit, kind, { taskId, serverId, projectId: null, payload, cause })
    })
  return changeHost(call, { kind, serverId, taskId, queue })
}
