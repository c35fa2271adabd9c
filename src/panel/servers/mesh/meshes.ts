/** The mesh of a project: the servers that hold its workloads and have a port for measuring links. */
import type { ReadDatabase } from '#kernel/projections/read-database'
import { serverLoadTable, serverTable } from '#projections/panel/servers'

/** Each measures the link to each other, so the links grow with the square. */
const MEMBERS_MAX = 100

interface Member {
  readonly projectId: string
  readonly serverId: string
  readonly address: string | null
  readonly port: number
}

/** The same servers for each of them, also where a project has more than can be measured. */
function membersIn(rows: readonly Member[]): Map<string, Member[]> {
  const byProject = Map.groupBy(rows, ({ projectId }) => projectId)
  return new Map(
    [...byProject].map(([projectId, all]) => [
      projectId,
      all.toSorted((one, other) => (one.serverId < other.serverId ? -1 : 1)).slice(0, MEMBERS_MAX),
    ]),
  )
}

/** One row for each server of each project. */
const memberRows = (read: ReadDatabase) =>
  serverLoadTable
    .queryIn(read)
    .innerJoin(serverTable.as('server'), 'server.id', 'serverLoads.serverId')
    .where('server.meshPort', 'is not', null)
    .select(['serverLoads.projectId', 'serverLoads.serverId', 'server.publicAddress as address'])
    .select('server.meshPort as port')
    .distinct()

/** Projects with a workload on the server. */
const projectsOn = (read: ReadDatabase, serverId: string) =>
  serverLoadTable.queryIn(read).select('projectId').where('serverId', '=', serverId).where('projectId', 'is not', null)

/** The servers whose links to each other are measured for the project. */
export async function meshOf(read: ReadDatabase, projectId: string): Promise<ReadonlySet<string>> {
  const rows = await memberRows(read).where('serverLoads.projectId', '=', projectId).execute()
  return new Set(
    membersIn(rows as Member[])
      .get(projectId)
      ?.map(({ serverId }) => serverId),
  )
}

/** The peers of a server, over all projects that it holds workloads of. In the order of their ids. */
export async function peersOf(read: ReadDatabase, serverId: string): Promise<readonly Omit<Member, 'projectId'>[]> {
  const rows = await memberRows(read).where('serverLoads.projectId', 'in', projectsOn(read, serverId)).execute()
  const meshes = [...membersIn(rows as Member[]).values()]
  const own = meshes.filter((members) => members.some((member) => member.serverId === serverId)).flat()
  const peers = new Map(own.map(({ projectId: _id, ...peer }) => [peer.serverId, peer]))
  peers.delete(serverId)
  return [...peers.values()].toSorted((one, other) => (one.serverId < other.serverId ? -1 : 1))
}

/** The servers that hold workloads of a project. */
export async function serversUsedBy(read: ReadDatabase, projectId: string): Promise<string[]> {
  const rows = serverLoadTable.queryIn(read).select('serverId').distinct().where('projectId', '=', projectId)
  return (await rows.execute()).map(({ serverId }) => serverId)
}

/** The server, and those that hold workloads of its projects. */
export async function serversBeside(read: ReadDatabase, serverId: string): Promise<string[]> {
  const rows = serverLoadTable
    .queryIn(read)
    .select('serverId')
    .distinct()
    .where('projectId', 'in', projectsOn(read, serverId))
  return [...new Set([serverId, ...(await rows.execute()).map((row) => row.serverId)])]
}
