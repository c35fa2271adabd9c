/** Registries: what a caller may do with them, as a unit of work reads it. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { UniqueConstraintViolation } from '#kernel/events/store-port'
import type { Caller } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import { REGISTRY_WORKLOAD } from '../../tasks/registries.ts'
import { mustHold } from '../projects/rights/rules.ts'
import { registries } from '../registries/decider.ts'
import { liftWorkload } from './place-workload.ts'
import { principalOf } from './project-memberships.ts'
import { holdsPermission, rightsInProject } from './server-access.ts'

/**
 * @param projectId null: the registry belongs to the installation
 * @throws Rejection 401 · 403 · 404 for a project that the caller does not see
 */
export async function mustManageRegistries(unit: UnitOfWork, caller: Caller, projectId: string | null): Promise<void> {
  const by = await principalOf(unit, caller)
  if (projectId !== null) return void mustHold(await rightsInProject(unit, projectId, by), 'settings:manage')
  if (!(await holdsPermission(unit, by.userId, 'registries:manage')))
    reject('forbidden', 'Missing permission registries:manage', 'PERMISSION_MISSING')
}

/** What it reserves of its server is free in the same append. Nothing happens if it is not there. */
export async function removeRegistry(
  unit: UnitOfWork,
  registryId: string,
  options: { readonly deleteData: boolean },
): Promise<void> {
  const registry = await unit.load(registries, registryId)
  if (!registry) return
  await unit.decide(registries, registryId, 'Remove', options)
  const workload = { kind: REGISTRY_WORKLOAD, id: registryId }
  if (registry.hosting) await liftWorkload(unit, { serverId: registry.hosting.serverId, workload })
}

/** Handler for `catch`. @throws Rejection 409 NAME_TAKEN */
export function rejectTakenRegistryName(error: unknown): never {
  if (!(error instanceof UniqueConstraintViolation) || error.constraint.scope !== 'registryName') throw error
  return reject('conflict', 'A registry with this name already exists', 'NAME_TAKEN')
}
