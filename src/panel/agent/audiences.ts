import type { Audience } from '../access/audiences.ts'
import { hasPermission } from '../access/rights.ts'

/** Members of the project that the task is done for. */
export const taskViewers: Audience = async ({ rightsIn }, { data: { projectId } }) =>
  typeof projectId === 'string' && hasPermission(await rightsIn(projectId), 'apps:view')
