import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { route } from '#kernel/http/route'
import type { Caller, HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { arrayLists } from '#kernel/resource/array-lists'
import { listRoute } from '#kernel/resource/list-route'
import { deploymentTable } from '#projections/panel/deployments'
import type { DeploymentRow } from '#projections/panel/deployments'
import { serverTable } from '#projections/panel/servers'
import { sessionOrKey, KEY } from '../access/access.ts'
import { deploymentCreator, inDeployment } from '../access/deployment-access.ts'
import { listScope, withAllScope } from '../access/project-access.ts'
import { isIn, visiblePlaces } from '../access/visible-environments.ts'
import { applications } from '../applications/decider.ts'
import { mustHold } from '../projects/rights/rules.ts'
import { principalOf } from '../workflows/project-memberships.ts'
import { requestDeployment } from '../workflows/request-deployment.ts'
import { rightsInProject } from '../workflows/server-access.ts'
import { deployments } from './decider.ts'
import { DEPLOYMENT_STATES } from './events.ts'
import { NewDeployment } from './input.ts'
import { Deployment, deploymentView, requestedView } from './views.ts'

/** Who has asked, for the audit trail and for lists. */
export const causeOf = ({ kind, actor: { id } }: Caller) => ({ type: kind === KEY ? 'KEY' : 'USER', id }) as const

/** As the unit of work leaves it. */
export const requestedIn = async (unit: UnitOfWork, id: string, { actor }: Caller) =>
  requestedView(found(await unit.load(deployments, id)), actor.id)

type Shown = Pick<HandlerContext, 'vault' | 'read'>

/** With their sealed columns. */
export async function shownDeployments({ vault, read }: Shown, rows: readonly DeploymentRow[]) {
  const serverIds = [...new Set(rows.map(({ serverId }) => serverId))]
  const silent = serverTable.queryIn(read).select('id').where('isOffline', '=', true)
  const offline = serverIds.length === 0 ? [] : await silent.where('id', 'in', serverIds).execute()
  const ids = new Set(offline.map(({ id }) => id))
  return (await deploymentTable.open(vault, rows)).map((row) => deploymentView(row, ids.has(row.serverId)))
}

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
    isLimited: true,
    refuses: [403, 404, 409],
    status: 202,
    body: NewDeployment,
    reply: Deployment,
    handle: ({ run, caller, body: { applicationId, build, ...ask } }) =>
      run(async (unit) => {
        const { projectId, environmentId } = found(await unit.look(applications, applicationId))
        mustHold(await rightsInProject(unit, projectId, await principalOf(unit, caller)), 'apps:deploy', environmentId)
        const cause = causeOf(caller)
        const alwaysBuilds = build === 'ALWAYS'
        const id = await requestDeployment(unit, { applicationId, ...ask, alwaysBuilds, cause })
        return requestedIn(unit, id, caller)
      }),
  }),

  route('GET /api/deployments/:id', {
    does: 'Get a deployment, without its log.',
    access: inDeployment,
    reply: Deployment,
    handle: async ({ ruleResult: { deployment }, ...call }) => (await shownDeployments(call, [deployment]))[0]!,
  }),
]
