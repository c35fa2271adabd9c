import { z } from 'zod'
import { route } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { findRow } from '#kernel/projections/lookup'
import { arrayLists } from '#kernel/resource/array-lists'
import { listRoute } from '#kernel/resource/list-route'
import { applicationTable } from '#projections/panel/applications'
import { deploymentTable } from '#projections/panel/deployments'
import { sessionOrKey } from '../access/access.ts'
import { deploymentCreator, inDeployment } from '../access/deployment-access.ts'
import { listScope, rightsIn, withAllScope } from '../access/project-access.ts'
import { isIn, visiblePlaces } from '../access/visible-environments.ts'
import { applications } from '../applications/decider.ts'
import { mustHold } from '../projects/rights/rules.ts'
import { principalOf } from '../workflows/project-memberships.ts'
import { requestDeployment } from '../workflows/request-deployment.ts'
import { rightsInProject } from '../workflows/server-access.ts'
import { Deployment } from './deployment-view.ts'
import { DEPLOYMENT_STATES } from './events.ts'
import { NewDeployment } from './input.ts'
import { causeOf, requestedIn, shownDeployments } from './shown-deployments.ts'

const filters = { ...listScope, applicationId: uuid.optional(), status: z.enum(DEPLOYMENT_STATES).optional() }

export const deploymentRoutes = [
  listRoute('GET /api/deployments', deploymentTable, arrayLists(filters), {
    does: 'List the deployments of the caller’s projects, or with `scope=all` of every project, which needs projects:view.',
    access: withAllScope(sessionOrKey('project:deployments:view')),
    item: Deployment,
    async only(rows, { read, caller, query: { scope, applicationId, status } }) {
      const places = await visiblePlaces(read, { caller, permission: 'deployments:view', scope })
      const seen = rows.where(isIn(places))
      const ofOne = applicationId === undefined ? seen : seen.where('applicationId', '=', applicationId)
      return status === undefined ? ofOne : ofOne.where('status', '=', status)
    },
    shown: (rows, call) => shownDeployments(call, rows),
  }),

  route('POST /api/deployments', {
    does: 'Deploy an application: the newest commit of its branch, its image, or what the body names.',
    access: deploymentCreator,
    refuses: [403, 404, 409],
    status: 202,
    body: NewDeployment,
    reply: Deployment,
    async handle({ run, read, caller, body: { applicationId, build, ...ask } }) {
      // A restriction of the key to some projects is no part of the rights of its account.
      const seen = found(await findRow(read, applicationTable, { id: applicationId }))
      mustHold(await rightsIn(read, caller, seen.projectId), 'apps:deploy', seen.environmentId)
      return run(async (unit) => {
        const { projectId, environmentId } = found(await unit.look(applications, applicationId))
        mustHold(await rightsInProject(unit, projectId, await principalOf(unit, caller)), 'apps:deploy', environmentId)
        const cause = causeOf(caller)
        const alwaysBuilds = build === 'ALWAYS'
        const id = await requestDeployment(unit, { applicationId, ...ask, alwaysBuilds, cause })
        return requestedIn(unit, id, caller)
      })
    },
  }),

  route('GET /api/deployments/:id', {
    does: 'Get a deployment, without its log.',
    access: inDeployment,
    reply: Deployment,
    handle: async ({ ruleResult: { deployment }, ...call }) => (await shownDeployments(call, [deployment]))[0]!,
  }),
]
