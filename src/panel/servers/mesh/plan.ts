/** The plan by which an agent measures the links to its peers. */
import { createHmac } from 'node:crypto'
import type { HandlerContext } from '#kernel/http/route'
import type { ReactionEvent } from '#kernel/jobs/reaction'
import { found } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { Vault } from '#kernel/vault/vault'
import { taskTable } from '#projections/panel/agent'
import { meshChangeTable, serverTable } from '#projections/panel/servers'
import { mesh, PEERS_MAX } from '../../../tasks/mesh.ts'
import type { MeshBody } from '../../../tasks/mesh.ts'
import { planApply } from '../../../tasks/plan.ts'
import { askedPlan } from '../../agent/plans.ts'
import { serverEvents } from '../events.ts'
import { serverLoadEvents } from '../load/events.ts'
import { peersOf, serversBeside, serversUsedBy } from './meshes.ts'

const LANE = planApply.lane({ plan: mesh.name, version: mesh.version, revision: 0 })

/** The same for both ends, and derived, so that it is stored nowhere. */
async function keyBetween(vault: Vault, one: string, other: string): Promise<string> {
  const [low, high] = [one, other].toSorted()
  return createHmac('sha256', await vault.key('mesh-links'))
    .update(`${low}/${high}`)
    .digest('base64url')
}

/** Without a peer, no port is open. */
async function bodyOf(serverId: string, { read, vault }: Pick<HandlerContext, 'read' | 'vault'>): Promise<MeshBody> {
  const { meshPort } = found(await findRow(read, serverTable, { id: serverId }))
  const known = meshPort === null ? [] : (await peersOf(read, serverId)).slice(0, PEERS_MAX)
  const peers = await Promise.all(
    known.map(async (peer) => ({ ...peer, key: await keyBetween(vault, serverId, peer.serverId) })),
  )
  return { port: peers.length === 0 ? null : meshPort, peers }
}

async function newestChange(read: ReadDatabase): Promise<number> {
  const row = await meshChangeTable
    .queryIn(read)
    .select('position')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.position ?? 0
}

/** Those that measure links, or did so before. */
async function measuringAmong(read: ReadDatabase, serverIds: readonly string[]): Promise<string[]> {
  if (serverIds.length === 0) return []
  const told = taskTable.queryIn(read).select('serverId').where('kind', '=', planApply.name).where('lane', '=', LANE)
  const rows = await serverTable
    .queryIn(read)
    .select('id')
    .where('id', 'in', serverIds)
    .where('registrationId', 'is not', null)
    .where((is) => is.or([is('meshPort', 'is not', null), is('id', 'in', told)]))
    .execute()
  return rows.map(({ id }) => id)
}

interface MeshEvent {
  readonly serverId: string
  readonly projectId?: string | null
}

async function changedBy({ eventType, data }: ReactionEvent, read: ReadDatabase): Promise<readonly string[]> {
  const { serverId, projectId } = data as MeshEvent
  if (eventType === serverEvents.ServerRegistered) return [serverId]
  if (eventType === serverEvents.ServerChanged) return serversBeside(read, serverId)
  return projectId ? [serverId, ...(await serversUsedBy(read, projectId))] : []
}

export const meshPlan = askedPlan({
  kind: mesh,
  on: [
    serverEvents.ServerChanged,
    serverEvents.ServerRegistered,
    serverLoadEvents.WorkloadPlaced,
    serverLoadEvents.WorkloadLifted,
  ],
  serversOf: async (event, { read }) => measuringAmong(read, await changedBy(event, read)),
  async contents(serverId, call) {
    // Read first: what the plan says is then never older than its revision.
    const revision = await newestChange(call.read)
    return { revision, body: await bodyOf(serverId, call) }
  },
})
