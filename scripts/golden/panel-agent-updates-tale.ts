/** Agents are updated to the end, and another update is halted. */
import { askAgentUpdate, noteUpdateEnd } from '#panel/workflows/update-agents'
import { told } from './panel-people.ts'
import type { PanelTeller } from './panel-people.ts'

const SERVERS = ['01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-00000000000d'].map((serverId) => ({
  serverId,
  arch: 'amd64' as const,
}))
const executables = { amd64: { sha256: 'a'.repeat(64), signature: 'A'.repeat(86) } }

export async function updatesAgents(teller: PanelTeller): Promise<void> {
  const ask = (version: string, servers = SERVERS) =>
    told(teller, (unit) => askAgentUpdate(unit, { version, executables, servers }))
  const { updateId, first } = await ask('0.2.0', SERVERS.slice(0, 1))
  await told(teller, (unit) => noteUpdateEnd(unit, updateId, first.taskId, null))
  const other = await ask('0.3.0')
  await told(teller, (unit) => noteUpdateEnd(unit, other.updateId, other.first.taskId, 'TAKEN_BACK'))
}
