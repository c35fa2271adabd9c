import type { Audience } from '../access/audiences.ts'
import { hasSomewhere } from '../access/rights.ts'

/** Those of the installation: holders of the permission. Those of a project: who sees its apps. */
export const registryViewers: Audience = async ({ caller, rightsIn }, { data: { projectId } }) =>
  typeof projectId === 'string' ? hasSomewhere(await rightsIn(projectId), 'apps:view') : caller.can('registries:view')
