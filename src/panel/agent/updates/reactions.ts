import { timer } from '#kernel/jobs/timer'
import { agentUpdateTable } from '#projections/panel/system/agent-updates'
import { agentUpdate } from '../../../tasks/agent-update.ts'
import { AGENT_UPDATE, haltSilentUpdate, noteUpdateEnd } from '../../workflows/update-agents.ts'
import type { AskedKind } from '../kinds.ts'

/** The next servers are sent an update once the ones before have told the new version. */
export const askedAgentUpdate: AskedKind = {
  kind: agentUpdate,
  async onEnd({ taskId, causeType, causeId, state, errorCode }, { run }) {
    const code = state === 'SUCCEEDED' ? null : (errorCode ?? state)
    if (causeType === AGENT_UPDATE) await run((unit) => noteUpdateEnd(unit, causeId, taskId, code))
  },
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
