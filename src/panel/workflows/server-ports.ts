/** Ports of servers: taken in the append that gives a workload its address, and freed in the one that takes it away. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { REGISTRY_WORKLOAD } from '../../tasks/registries.ts'
import { registries } from '../registries/decider.ts'
import { servers } from '../servers/decider.ts'
import { serverLoad } from '../servers/load/decider.ts'
import type { Reserved } from '../servers/ports/rules.ts'

/** @returns the ports of registries that the server runs, as far as it has told them */
async function registryPorts(unit: UnitOfWork, serverId: string): Promise<number[]> {
  const { workloads } = await unit.look(serverLoad, serverId)
  const ids = Object.values(workloads).flatMap(({ workload: { kind, id } }) => (kind === REGISTRY_WORKLOAD ? [id] : []))
  const hosted = await Promise.all(ids.map((id) => unit.look(registries, id)))
  return hosted.flatMap((registry) => (registry?.address ? [Number(registry.address.split(':').at(-1))] : []))
}

/**
 * The ports of a server that no workload may have, beside those that all servers reserve.
 * @param panelPort of this panel, which runs on the local server
 */
export async function reservedPorts(
  unit: UnitOfWork,
  serverId: string,
  panelPort: number | undefined,
): Promise<Reserved> {
  const server = await unit.look(servers, serverId)
  const ofHost = [server?.meshPort, server?.kind === 'LOCAL' ? panelPort : undefined]
  return [...ofHost.filter((port) => typeof port === 'number'), ...(await registryPorts(unit, serverId))]
}
