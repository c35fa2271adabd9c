/** Access rules for providers of git: their owner, and members of the project that they are shared with. */
import { requiring } from '#kernel/http/requirement'
import type { Access, AccessRule } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import { gitProviderTable } from '#projections/panel/git-providers'
import type { GitProviderRow } from '#projections/panel/git-providers'
import { mustHold } from '../projects/rights/rules.ts'
import { session } from './access.ts'
import { actingUserIdOf, rightsIn } from './project-access.ts'
import { hasSomewhere } from './rights.ts'
import type { Rights } from './rights.ts'

const USE = 'apps:create'
const MANAGE = 'settings:manage'

/** Who sees the providers that are shared with a project. */
export const seesGitProviders = (rights: Rights): boolean => hasSomewhere(rights, USE) || hasSomewhere(rights, MANAGE)

const mayList: AccessRule = async ({ read, caller, query }) => {
  const { projectId } = query as { readonly projectId?: string | undefined }
  if (projectId !== undefined && !seesGitProviders(await rightsIn(read, caller, projectId)))
    // The same for a project that the caller does not see, and for an unknown one.
    reject('forbidden', `Missing permission ${USE} in this project`, 'PERMISSION_MISSING')
}

/** Lists: the caller's own, or those of the project that the query names. */
export const gitProviderLister: Access = {
  ...session,
  rule: requiring(`for those of a project \`${USE}\` or \`${MANAGE}\` there`, mayList, [
    `project:${USE}`,
    `project:${MANAGE}`,
  ]),
}

/** What the caller is to a provider that it sees. */
interface SeenProvider {
  readonly provider: GitProviderRow
  readonly isOwner: boolean
  /** In the project that it is shared with. */
  readonly rights: Rights
}

async function seenProvider({ read, caller, params }: Parameters<AccessRule>[0]): Promise<SeenProvider> {
  const provider = found(await findRow(read, gitProviderTable, { id: (params as { readonly id: string }).id }))
  const isOwner = provider.ownerId === actingUserIdOf(caller)
  const rights = provider.projectId === null ? [] : await rightsIn(read, caller, provider.projectId)
  if (!isOwner && !seesGitProviders(rights)) found(undefined)
  return { provider, isOwner, rights }
}

const mayUse: AccessRule<SeenProvider> = async (entering) => {
  const seen = await seenProvider(entering)
  if (!seen.isOwner && !hasSomewhere(seen.rights, USE))
    reject('forbidden', `Missing permission ${USE} in this project`, 'PERMISSION_MISSING')
  return seen
}

const OWN = 'git-provider:own'

/** Its handler checks that a repository is one that was shared. */
export const gitProviderUser: Access<SeenProvider> = {
  ...session,
  rule: requiring(`to own it, or \`${USE}\` in the project that it is shared with`, mayUse, [OWN, `project:${USE}`]),
}

const mayRemove: AccessRule<SeenProvider> = async (entering) => {
  const seen = await seenProvider(entering)
  if (!seen.isOwner) mustHold(seen.rights, MANAGE)
  return seen
}

export const gitProviderRemover: Access<SeenProvider> = {
  ...session,
  rule: requiring(`to own it, or \`${MANAGE}\` in the project that it is shared with`, mayRemove, [
    OWN,
    `project:${MANAGE}`,
  ]),
}
