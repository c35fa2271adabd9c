/** What happens to tasks at certain times. */
import { reaction } from '#kernel/jobs/reaction'
import { recurringJob } from '#kernel/jobs/recurring-job'
import { timer } from '#kernel/jobs/timer'
import { taskTable } from '#projections/panel/agent'
import { configuration, effectiveRetention } from '../config/effective-config.ts'
import { serverEvents } from '../servers/events.ts'
import { forgetAsks } from './asks.ts'
import { tasks } from './decider.ts'
import { taskEvents } from './events.ts'
import { askedKinds } from './kinds.ts'
import { forgetLogs } from './task-log.ts'
import { forgetTransfers } from './transfers.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** What no agent has taken in its time. */
export const expireTasks = timer('task-expiry', {
  async due({ read, until, limit }) {
    const rows = await taskTable
      .queryIn(read)
      .select(['id', 'expiresAt'])
      .where('endedAt', 'is', null)
      .where('state', '=', 'QUEUED')
      .where('expiresAt', '<=', until.toISOString())
      .orderBy('expiresAt')
      .limit(limit)
      .execute()
    return rows.map(({ id, expiresAt }) => ({ key: id, at: expiresAt }))
  },
  run: async ({ key }, { run }) => void (await run((unit) => unit.decide(tasks, key, 'Expire', {}))),
})

/** The agent that knew of them is no longer that of the server. */
export const abandonTasks = reaction('server-tasks', {
  on: [serverEvents.ServerReset, serverEvents.ServerRemoved],
  async run({ type, data: { serverId }, position }, { read, run }) {
    const open = await taskTable
      .queryIn(read)
      .select('id')
      .where('serverId', '=', serverId)
      .where('endedAt', 'is', null)
      .where('queuedAt', '<', position)
      .execute()
    const end = type === serverEvents.ServerReset.type ? RESET : REMOVED
    for (const { id } of open) await run((unit) => unit.decide(tasks, id, 'Abandon', end))
  },
})

const RESET = { code: 'SERVER_RESET', message: 'The server was reset before the task ended' }
const REMOVED = { code: 'SERVER_REMOVED', message: 'The server was removed before the task ended' }

/** Each ends with its caller, unless the process of the caller was killed. */
export const forgetLostAsks = recurringJob('forget-asks', DAY_MS, ({ telemetry, now }) => forgetAsks(telemetry, now))

/** One job for each task, whichever section has asked for it. */
export const followTaskEnds = reaction('task-ends', {
  outside: true,
  on: [taskEvents.TaskSucceeded, taskEvents.TaskFailed, taskEvents.TaskCancelled, taskEvents.TaskExpired],
  async run({ data: { taskId } }, work) {
    const task = await work.run((unit) => unit.look(tasks, taskId))
    if (task) await work.service(askedKinds).get(task.kind)?.onEnd?.(task, work)
  },
})

/** As long as other telemetry is kept. */
export const forgetTaskLogs = recurringJob('forget-task-logs', DAY_MS, async ({ service, telemetry, now }) => {
  const { telemetryDays } = effectiveRetention(await service(configuration).decided())
  await forgetLogs(telemetry, new Date(now.getTime() - telemetryDays * DAY_MS))
})

/** What a transfer has brought is used within a day. */
export const forgetOldTransfers = recurringJob('forget-transfers', HOUR_MS, (work) =>
  forgetTransfers(work, new Date(work.now.getTime() - DAY_MS)),
)
