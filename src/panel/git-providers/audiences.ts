import type { Audience } from '../access/audiences.ts'
import { seesGitProviders } from '../access/git-provider-access.ts'

export const flowOwner: Audience = ({ caller }, { data: { ownerId } }) => caller.userId === ownerId

/** The owner, and who sees it in the project that it is shared with. */
export const gitProviderViewers: Audience = async ({ caller, rightsIn }, { data: { ownerId, projectId } }) =>
  caller.userId === ownerId || (typeof projectId === 'string' && seesGitProviders(await rightsIn(projectId)))
