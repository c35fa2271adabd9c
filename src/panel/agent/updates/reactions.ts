import { reaction } from '#kernel/jobs/reaction'
import { timer } from '#kernel/jobs/timer'
import { agentUpdateTable } from '#projections/panel/system/agent-updates'
import { agentUpdate } from '../../../tasks/agent-update.ts'
import { AGENT_UPDATE, haltSilentUpdate, noteUpdateEnd } from '../../workflows/update-agents.ts'
import { tasks } from '../decider.ts'
import { taskEvents } from '../events.ts'

/** The next servers are sent an update once the ones before have told the new version. */
export const advanceAgentUpdates = reaction('agent-updates', {
  on: [taskEvents.TaskSucceeded, taskEvents.TaskFailed, taskEvents.TaskCancelled, taskEvents.TaskExpired],
  run: async (ended, { run }) =>
    run(async (unit) => {
      const { taskId } = ended.data
      const task = await unit.look(tasks, taskId)
      if (task?.causeType === AGENT_UPDATE) await noteUpdateEnd(unit, task.causeId, taskId, codeOf(ended))
    }),
})

type Ended = { readonly type: string; readonly data: { readonly taskId: string; readonly code?: string } }

/** Null: the agent has told the new version. */
function codeOf({ type, data: { code } }: Ended): string | null {
  if (type === taskEvents.TaskSucceeded.type) return null
  return code ?? (type === taskEvents.TaskExpired.type ? 'EXPIRED' : 'CANCELLED')
}

/** An agent that is silent after its restart ends no task. The time to start a task is over before. */
const SILENT_MS = agentUpdate.deadlineMs + 2 * agentUpdate.runMs({ version: '', sha256: '', signature: '' })

export const haltSilentUpdates = timer('silent-agent-updates', {
  async due({ read, until }) {
    const rows = await agentUpdateTable
      .queryIn(read)
      .select(['id', 'changedAt'])
      .where('state', '=', 'RUNNING')
      .where('changedAt', '<=', new Date(until.getTime() - SILENT_MS).toISOString())
      .execute()
    return rows.map(({ id, changedAt }) => ({
      key: id,
      at: new Date(Date.parse(changedAt) + SILENT_MS).toISOString(),
    }))
  },
  run: async ({ key }, { run }) => run((unit) => haltSilentUpdate(unit, key)),
})
