import type { ReadDatabase } from '#kernel/projections/read-database'
import {
  bool,
  id,
  integer,
  json,
  key,
  nullable,
  oneOf,
  primary,
  readModel,
  text,
  timestamptz,
} from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { columnsOf } from '#kernel/resource/columns-of'
import { accessRuleFields, serverAccessEvents } from '#panel/servers/access/events'
import { sealedForServer, serverEvents, serverFields } from '#panel/servers/events'
import type { SERVER_KINDS, ServerFacts } from '#panel/servers/events'
import { reservedFields, serverLoadEvents } from '#panel/servers/load/events'

const columns = {
  id: key,
  kind: oneOf<(typeof SERVER_KINDS)[number]>(),
  ...columnsOf(serverFields, ({ id }: { id: string }) => sealedForServer({ serverId: id })),
  /** Null until an agent registers, and after a reset. */
  registrationId: nullable(id),
  tokenHash: nullable(text),
  /** How often the token of this registration was replaced. */
  tokenNth: nullable(integer),
  tokenAt: nullable(timestamptz),
  publicKey: nullable(text),
  engineId: nullable(text),
  facts: nullable(json<ServerFacts>()),
  isOffline: bool,
  isConflicted: bool,
  createdAt: timestamptz,
}

export type ServerRow = RowOf<typeof columns>

const WITHOUT_AGENT = {
  registrationId: null,
  tokenHash: null,
  tokenNth: null,
  tokenAt: null,
  publicKey: null,
  engineId: null,
  facts: null,
  isOffline: false,
  isConflicted: false,
} as const

export const serverTable = readModel('servers', 1, columns, ['(created_at, id)'])
  .from(serverEvents, {
    ServerAdded: (table, { serverId, ...server }, { at }) =>
      table.insert({ ...server, id: serverId, ...WITHOUT_AGENT, createdAt: at }),
    ServerChanged: (table, { serverId, formerName: _name, ...values }) => table.update({ id: serverId }, values),
    ServerRegistered: (table, { serverId, registrationId, tokenHash, publicKey, engineId, facts }, { at }) =>
      table.update(
        { id: serverId },
        { ...WITHOUT_AGENT, registrationId, tokenHash, tokenNth: 0, tokenAt: at, publicKey, engineId, facts },
      ),
    ServerTokenRotated: (table, { serverId, tokenHash, nth }, { at }) =>
      table.update({ id: serverId }, { tokenHash, tokenNth: nth, tokenAt: at }),
    ServerFactsChanged: (table, { serverId, engineId, facts }) => table.update({ id: serverId }, { engineId, facts }),
    ServerWentOffline: (table, { serverId }) => table.update({ id: serverId }, { isOffline: true }),
    ServerCameBack: (table, { serverId }) => table.update({ id: serverId }, { isOffline: false }),
    ServerAgentConflicted: (table, { serverId }) => table.update({ id: serverId }, { isConflicted: true }),
    ServerReset: (table, { serverId }) => table.update({ id: serverId }, WITHOUT_AGENT),
    ServerRemoved: (table, { serverId }) => table.remove({ id: serverId }),
  })
  .forGate()

const ruleColumns = { id: key, serverId: id, ...columnsOf(accessRuleFields), isGone: bool, createdAt: timestamptz }

export type ServerAccessRow = RowOf<typeof ruleColumns>

/** A server without a row is open to every account. */
export const serverAccessTable = readModel('serverAccess', 1, ruleColumns, [
  '(server_id, created_at, id)',
  '(user_id)',
  '(team_id)',
  '(project_id)',
])
  .from(serverAccessEvents, {
    ServerAccessGranted: (table, { ruleId, ...rule }, { at }) =>
      table.insert({ ...rule, id: ruleId, isGone: false, createdAt: at }),
    ServerAccessLevelChanged: (table, { ruleId, level }) => table.update({ id: ruleId }, { level }),
    ServerAccessRevoked: (table, { ruleId }) => table.remove({ id: ruleId }),
    ServerAccessSubjectGone: (table, { ruleId }) => table.update({ id: ruleId }, { isGone: true }),
  })
  .from(serverEvents, { ServerRemoved: (table, { serverId }) => table.remove({ serverId }) })
  .forGate()

/** Servers with a rule for this account, team or project. */
export async function serversNaming(read: ReadDatabase, subjectId: string): Promise<string[]> {
  const rules = serverAccessTable.queryIn(read).select('serverId')
  const rows = await rules
    .where((is) => is.or([is('userId', '=', subjectId), is('teamId', '=', subjectId), is('projectId', '=', subjectId)]))
    .execute()
  return rows.map(({ serverId }) => serverId)
}

const loadColumns = {
  serverId: key,
  kind: primary(text),
  workloadId: primary(id),
  projectId: nullable(id),
  ...columnsOf(reservedFields),
}

/** What is placed on servers. */
export const serverLoadTable = readModel('serverLoads', 1, loadColumns, ['(project_id)']).from(serverLoadEvents, {
  WorkloadPlaced: (table, { workload: { kind, id: workloadId }, ...placed }) =>
    table.insert({ ...placed, kind, workloadId }),
  WorkloadResized: (table, { serverId, workload: { kind, id: workloadId }, ...reserved }) =>
    table.update({ serverId, kind, workloadId }, reserved),
  WorkloadLifted: (table, { serverId, workload: { kind, id: workloadId } }) =>
    table.remove({ serverId, kind, workloadId }),
})

const changeColumns = { serverId: key, position: integer }

/** The newest event of each server that the plans of the mesh rest on. A removed server stays, so that no revision falls. */
export const meshChangeTable = readModel('meshChanges', 1, changeColumns, ['(position)'])
  .from(serverEvents, {
    ServerAdded: (table, { serverId }, { position }) => table.insert({ serverId, position }),
    ServerChanged: (table, { serverId }, { position }) => table.update({ serverId }, { position }),
    ServerRegistered: (table, { serverId }, { position }) => table.update({ serverId }, { position }),
  })
  .from(serverLoadEvents, {
    WorkloadPlaced: (table, { serverId }, { position }) => table.update({ serverId }, { position }),
    WorkloadLifted: (table, { serverId }, { position }) => table.update({ serverId }, { position }),
  })
