/**
 * Workloads on servers. Each is placed in the append that creates it, and lifted in the append that removes it. So what
 * a decision rests on (access, capacity, quota) holds at the moment of the append.
 */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Caller } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import type { ApplicationValues } from '../applications/events.ts'
import { quotaOfServer } from '../quotas/effective-quota.ts'
import { servers } from '../servers/decider.ts'
import { serverLoad } from '../servers/load/decider.ts'
import type { Workload } from '../servers/load/decider.ts'
import type { Reservation } from '../servers/load/rules.ts'
import { mustUseServer } from './server-access.ts'

interface WorkloadOn {
  readonly serverId: string
  readonly workload: Workload['workload']
}

type Sized = Pick<ApplicationValues, 'replicas' | 'memoryMiB' | 'cpuMillis'>

/** By an application or a preview of it, or by the services of a release. */
export const reservedBy = (...all: readonly Sized[]): Reservation => ({
  cpuMillis: all.reduce((sum, { replicas, cpuMillis }) => sum + replicas * cpuMillis, 0),
  memoryMiB: all.reduce((sum, { replicas, memoryMiB }) => sum + replicas * memoryMiB, 0),
  diskMiB: 0,
})

/**
 * The caller must hold what the workload asks for in its project, which the section checks.
 * @throws Rejection 403 SERVER_NOT_YOURS · 409 CORDONED | QUOTA_REACHED | CAPACITY | ALREADY_PLACED · 503 SERVER_OFFLINE
 */
export async function placeWorkload(
  unit: UnitOfWork,
  { caller, serverId, ...workload }: Workload & { readonly caller: Caller; readonly serverId: string },
): Promise<void> {
  await mustUseServer(unit, caller, { serverId, projectId: workload.projectId })
  await holdWorkload(unit, { serverId, ...workload })
}

/**
 * For what follows from a workload that is there, without a caller of its own.
 * @throws Rejection 409 CORDONED | QUOTA_REACHED | CAPACITY | ALREADY_PLACED · 503 SERVER_OFFLINE
 */
export async function holdWorkload(
  unit: UnitOfWork,
  { serverId, ...workload }: Workload & { readonly serverId: string },
): Promise<void> {
  const server = (await unit.look(servers, serverId))!
  if (!server.agent) reject('unavailable', 'The server has no agent yet: run its install command', 'SERVER_OFFLINE')
  if (server.cordoned) reject('conflict', 'The server takes no new workload: choose another one', 'CORDONED')
  const quota = await quotaOfServer(unit, serverId)
  await unit.decide(serverLoad, serverId, 'Place', { serverId, ...workload, quota })
}

/** A workload may shrink wherever it is. @throws Rejection 404 · 409 QUOTA_REACHED | CAPACITY */
export async function resizeWorkload(
  unit: UnitOfWork,
  { serverId, ...change }: WorkloadOn & Reservation,
): Promise<void> {
  const quota = await quotaOfServer(unit, serverId)
  await unit.decide(serverLoad, serverId, 'Resize', { serverId, ...change, quota })
}

/**
 * It stays where it is, and counts for another project.
 * @throws Rejection 403 SERVER_NOT_YOURS · 404
 */
export async function handOverWorkload(
  unit: UnitOfWork,
  { caller, ...of }: WorkloadOn & { readonly caller: Caller; readonly projectId: string },
): Promise<void> {
  await mustUseServer(unit, caller, of)
  await unit.decide(serverLoad, of.serverId, 'HandOver', of)
}

/** Nothing happens if it is not there. */
export async function liftWorkload(unit: UnitOfWork, { serverId, workload }: WorkloadOn): Promise<void> {
  await unit.decide(serverLoad, serverId, 'Lift', { serverId, workload })
}
