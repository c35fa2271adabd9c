/** Access rules for routes with a deployment in their path: rights in its project, in the environment of its application. */
import { requiring } from '#kernel/http/requirement'
import type { Access, AccessRuleInput } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import { deploymentTable } from '#projections/panel/deployments'
import type { DeploymentRow } from '#projections/panel/deployments'
import { mustHold } from '../projects/rights/rules.ts'
import { sessionOrKey } from './access.ts'
import { rightsIn } from './project-access.ts'
import type { Rights } from './rights.ts'

export interface DeploymentSight {
  /** Its columns are sealed. */
  readonly deployment: DeploymentRow
  readonly rights: Rights
}

type InPath = AccessRuleInput & { readonly params: { readonly id: string } }

const VIEW = 'deployments:view'

/** Answers 404 to a caller that does not see the environment, as for a deployment that does not exist. */
export const inDeployment: Access<DeploymentSight> = {
  ...sessionOrKey('project:deployments:view'),
  rule: requiring(
    `the permission \`${VIEW}\` in the environment of its application`,
    async ({ read, caller, params }: InPath): Promise<DeploymentSight> => {
      const deployment = found(await findRow(read, deploymentTable, { id: params.id }))
      const rights = await rightsIn(read, caller, deployment.projectId)
      mustHold(rights, VIEW, deployment.environmentId)
      return { deployment, rights }
    },
    [`environment:${VIEW}`],
  ),
}

/** The body names the application, so the handler checks it. */
export const deploymentCreator: Access = {
  ...sessionOrKey('project:apps:deploy'),
  rule: requiring('the permission `apps:deploy` in the environment of the application of the body', () => {}, [
    'environment:apps:deploy',
  ]),
}
