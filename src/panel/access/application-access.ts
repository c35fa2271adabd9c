/** Access rules for routes with an application in their path: rights in its project, in its environment. */
import { requiring } from '#kernel/http/requirement'
import type { Access, AccessRuleInput } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import { applicationTable } from '#projections/panel/applications'
import type { ApplicationRow } from '#projections/panel/applications'
import { mustHold } from '../projects/rights/rules.ts'
import { KEY, sessionOrKey, SSE, USER } from './access.ts'
import type { ProjectPermission } from './permissions.ts'
import { mustAdminister, rightsIn } from './project-access.ts'
import { canSeeEnvironment, hasSomewhere } from './rights.ts'
import type { Rights } from './rights.ts'

/** An application as the caller sees it. */
export interface ApplicationView {
  readonly application: ApplicationRow
  readonly rights: Rights
}

export interface ApplicationAccess extends Access<ApplicationView> {
  /** All of them, in the environment of the application. */
  readonly holds: readonly ProjectPermission[]
}

type InPath = AccessRuleInput & { readonly params: { readonly id: string } }

/** Answers 404 to a caller that does not see the environment, as for an application that does not exist. */
export const inApplication = (...holds: readonly ProjectPermission[]): ApplicationAccess => ({
  kinds: [USER],
  holds,
  rule: requiring(
    `the permission ${holds.map((each) => `\`${each}\``).join(' and ')} in the environment of the application`,
    async ({ read, caller, params }: InPath): Promise<ApplicationView> => {
      const application = found(await findRow(read, applicationTable, { id: params.id }))
      const rights = await rightsIn(read, caller, application.projectId)
      for (const permission of holds) mustHold(rights, permission, application.environmentId)
      return { application, rights }
    },
    holds.map((permission) => `environment:${permission}`),
  ),
})

/** Built-in ADMIN or OWNER: for what no permission can grant. `mustAdminister` asks it again in a unit of work. */
export const applicationAdmin: ApplicationAccess = {
  kinds: [USER],
  holds: ['apps:view'],
  rule: requiring(
    'the role ADMIN or OWNER in the project of the application',
    async ({ read, caller, params }: InPath): Promise<ApplicationView> => {
      const application = found(await findRow(read, applicationTable, { id: params.id }))
      const rights = await rightsIn(read, caller, application.projectId)
      if (!canSeeEnvironment(rights, application.environmentId)) found(undefined)
      mustAdminister(rights)
      return { application, rights }
    },
    ['project-role:ADMIN', 'project-role:OWNER'],
  ),
}

/** As `inApplication`, for API keys with the scope of the permission, too. */
export const inApplicationByKey = (permission: ProjectPermission): ApplicationAccess => ({
  ...inApplication(permission),
  kinds: [USER, KEY],
  scope: `project:${permission}`,
})

/** As `inApplication`, for event streams. */
export const inApplicationStream = (permission: ProjectPermission): ApplicationAccess => ({
  ...inApplication(permission),
  scheme: SSE,
})

/** The body says where a new application is, so the handler checks it. */
export const applicationCreator: Access = {
  ...sessionOrKey('project:apps:create'),
  rule: requiring('the permission `apps:create` in the environment of the body', () => {}, ['environment:apps:create']),
}

type ProjectInPath = AccessRuleInput & { readonly params: { readonly projectId: string } }

/** For what a new application is asked of: it may be created in some environment of the project. */
export const creatorInProject: Access = {
  kinds: [USER],
  rule: requiring(
    'the permission `apps:create` in an environment of the project',
    async ({ read, caller, params: { projectId } }: ProjectInPath) => {
      const rights = await rightsIn(read, caller, projectId)
      if (!hasSomewhere(rights, 'apps:create')) mustHold(rights, 'apps:create')
    },
    ['environment:apps:create'],
  ),
}
