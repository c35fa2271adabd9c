import { id, integer, key, nullable, oneOf, readModel, text, timestamptz } from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { agentUpdateEvents } from '#panel/agent/updates/events'

const columns = {
  id: key,
  version: text,
  state: oneOf<'RUNNING' | 'HALTED' | 'ENDED'>(),
  /** Of servers. */
  total: integer,
  updated: integer,
  firstServerId: id,
  firstTaskId: id,
  haltedServerId: nullable(id),
  haltedCode: nullable(text),
  askedAt: timestamptz,
  changedAt: timestamptz,
}

export type AgentUpdateRow = RowOf<typeof columns>

export const agentUpdateTable = readModel('agentUpdates', 1, columns, ['(asked_at)']).from(agentUpdateEvents, {
  AgentUpdateAsked: (table, { agentUpdateId, version, first, servers }, { at }) =>
    table.insert({
      id: agentUpdateId,
      version,
      state: 'RUNNING',
      total: servers.length,
      updated: 0,
      firstServerId: first.serverId,
      firstTaskId: first.taskId,
      haltedServerId: null,
      haltedCode: null,
      askedAt: at,
      changedAt: at,
    }),
  AgentUpdateAdvanced: (table, { agentUpdateId, updated }, { at }) =>
    table.update({ id: agentUpdateId }, { updated, changedAt: at }),
  AgentUpdateHalted: (table, { agentUpdateId, serverId, code }, { at }) =>
    table.update({ id: agentUpdateId }, { state: 'HALTED', haltedServerId: serverId, haltedCode: code, changedAt: at }),
  AgentUpdateEnded: (table, { agentUpdateId }, { at }) =>
    table.update({ id: agentUpdateId }, { state: 'ENDED', changedAt: at }),
})
