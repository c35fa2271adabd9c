/** Removes a server: all that depends on it ends in one append. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { servers } from '../servers/decider.ts'
import { serverLoad } from '../servers/load/decider.ts'
import { serverRoster } from '../servers/roster/decider.ts'

/** @throws Rejection 404 · 409 LOCAL | IN_USE */
export async function removeServer(unit: UnitOfWork, serverId: string): Promise<void> {
  await unit.decide(servers, serverId, 'Remove', {})
  await unit.decide(serverLoad, serverId, 'MustBeEmpty', {})
  await unit.decide(serverRoster, undefined, 'Strike', { serverId })
}
