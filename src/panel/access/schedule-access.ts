/** Access rules for schedules: rights in the project of their application, in its environment. */
import { requiring } from '#kernel/http/requirement'
import type { Access, AccessRuleInput } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import { applicationTable } from '#projections/panel/applications'
import { scheduledDeployTable } from '#projections/panel/scheduled-deploys'
import { mustHold } from '../projects/rights/rules.ts'
import { session } from './access.ts'
import { rightsIn } from './project-access.ts'

const DEPLOY = 'apps:deploy'

type InPath = AccessRuleInput & { readonly params: { readonly id: string } }

/** Answers 404 to a caller that does not see the environment, as for a schedule that does not exist. */
export const onSchedule: Access = {
  ...session,
  rule: requiring(
    `the permission \`${DEPLOY}\` in the environment of the application`,
    async ({ read, caller, params }: InPath) => {
      const { applicationId } = found(await findRow(read, scheduledDeployTable, { id: params.id }))
      const { projectId, environmentId } = found(await findRow(read, applicationTable, { id: applicationId }))
      mustHold(await rightsIn(read, caller, projectId), DEPLOY, environmentId)
    },
    [`environment:${DEPLOY}`],
  ),
}

/** The body says which application it deploys, so the handler checks it. */
export const scheduleCreator: Access = {
  ...session,
  rule: requiring(`the permission \`${DEPLOY}\` in the environment of the application in the body`, () => {}, [
    `environment:${DEPLOY}`,
  ]),
}
