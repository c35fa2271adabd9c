/** Access rules for registries: those of the installation by permissions, those of a project by rights there. */
import { requiring } from '#kernel/http/requirement'
import type { Access, AccessRule } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import { registryTable } from '#projections/panel/registries'
import type { RegistryRow } from '#projections/panel/registries'
import { mustHold } from '../projects/rights/rules.ts'
import { session } from './access.ts'
import type { PlatformPermission } from './permissions.ts'
import { rightsIn } from './project-access.ts'
import { hasSomewhere } from './rights.ts'

const VIEW = 'registries:view'
const MANAGE = 'registries:manage'
const IN_PROJECT = 'settings:manage'

const refuseWithout = (permission: PlatformPermission): never =>
  reject('forbidden', `Missing permission ${permission}`, 'PERMISSION_MISSING')

interface Listing {
  readonly projectId?: string | undefined
}

const mayList: AccessRule = async ({ read, caller, query }) => {
  const { projectId } = query as Listing
  if (projectId === undefined) return caller.can(VIEW) || refuseWithout(VIEW)
  const rights = await rightsIn(read, caller, projectId)
  // The same for a project that the caller does not see, and for an unknown one.
  return (
    hasSomewhere(rights, 'apps:view') ||
    reject('forbidden', 'Missing permission apps:view in this project', 'PERMISSION_MISSING')
  )
}

/** Lists: of the installation, or of the project that the query names. */
export const registryLister: Access = {
  ...session,
  rule: requiring(`the permission \`${VIEW}\`, or \`apps:view\` in the project of the query`, mayList, [
    VIEW,
    'project:apps:view',
  ]),
}

/** The body says where a new registry is, so the handler checks it. */
export const registryAdder: Access = {
  ...session,
  rule: requiring(`the permission \`${MANAGE}\`, or \`${IN_PROJECT}\` in the project of the body`, () => {}, [
    MANAGE,
    `project:${IN_PROJECT}`,
  ]),
}

const mayManage: AccessRule<RegistryRow> = async ({ read, caller, params }) => {
  const { id } = params as { readonly id: string }
  const registry = found(await findRow(read, registryTable, { id }))
  if (registry.projectId === null) {
    if (!caller.can(MANAGE)) found(caller.can(VIEW) ? refuseWithout(MANAGE) : undefined)
    return registry
  }
  const rights = await rightsIn(read, caller, registry.projectId)
  found(hasSomewhere(rights, 'apps:view') ? registry : undefined)
  mustHold(rights, IN_PROJECT)
  return registry
}

/** Answers 404 to a caller that does not see the registry, as for one that does not exist. */
export const registryManager: Access<RegistryRow> = {
  ...session,
  rule: requiring(`the permission \`${MANAGE}\`, or \`${IN_PROJECT}\` in its project`, mayManage, [
    MANAGE,
    `project:${IN_PROJECT}`,
  ]),
}
