/** Checks of hosts: after an agent has registered, and when an administrator asks. */
import { reaction } from '#kernel/jobs/reaction'
import { hostSetup } from '../../tasks/host.ts'
import { queueTask, taskIdFor } from '../agent/queue-task.ts'
import { servers } from './decider.ts'
import { serverEvents } from './events.ts'

/** What an agent finds is the log and the result of its first task. */
export const checkNewHost = reaction('server-setup', {
  on: [serverEvents.ServerRegistered],
  async run({ id, data: { serverId } }, { run }) {
    const cause = { type: 'event', id }
    await run(async (unit) => {
      if (!(await unit.look(servers, serverId))?.agent) return
      const taskId = taskIdFor(cause, hostSetup)
      await queueTask(unit, hostSetup, { taskId, serverId, projectId: null, payload: {}, cause })
    })
  },
})
