/** Deployments of one application, `/api/applications/:id/…`. */
import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { inState } from '#kernel/http/in-state'
import { route } from '#kernel/http/route'
import type { Caller, HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { arrayList } from '#kernel/resource/array-lists'
import { deploymentTable } from '#projections/panel/deployments'
import { inApplication, inApplicationByKey } from '../../access/application-access.ts'
import type { ApplicationView } from '../../access/application-access.ts'
import { changeApplication } from '../../access/application-routes.ts'
import { hasPermission } from '../../access/rights.ts'
import { taskHub } from '../../agent/hub.ts'
import { Deployment, DeploymentWithLog } from '../../deployments/deployment-view.ts'
import { DEPLOYMENT_ENDS } from '../../deployments/events.ts'
import { Redeploy, Rollback } from '../../deployments/input.ts'
import { deploymentLog } from '../../deployments/log.ts'
import { causeOf, requestedIn, shownDeployments } from '../../deployments/shown-deployments.ts'
import {
  cancelDeployment,
  requestAgain,
  requestDeployment,
  requestRollback,
  rollbackTarget,
} from '../../workflows/request-deployment.ts'
import { ownDeployment } from './own-deployment.ts'

const WAIT_MS_MAX = 25_000
const LOOK_AGAIN_MS = 500
const PAGE_SIZE = 20

const Page = z.object({ items: z.array(Deployment), total: z.int(), page: z.int(), pageSize: z.int() })

const CANCELLABLE = inState(Deployment, {
  status: ['QUEUED', 'FETCHING', 'PULLING', 'BUILDING', 'STARTING'],
})

type Call = HandlerContext<unknown, unknown, unknown, ApplicationView>

/** Another application's is answered as an unknown one. @throws Rejection 404 */
const rowOf = async ({ read, ruleResult: { application } }: Call, id: string) =>
  found(await ownDeployment(read, application, id))

/** What keeps the images. @throws Rejection 404 · 409 NEVER_DEPLOYED */
const again =
  (kind: 'RESTART' | 'START' | 'STOP') =>
  async ({ unit, application, caller }: { unit: UnitOfWork; application: { id: string }; caller: Caller }) =>
    requestedIn(unit, await requestAgain(unit, { applicationId: application.id, kind, cause: causeOf(caller) }), caller)

const restarting = inApplicationByKey('apps:restart')

export const applicationDeploymentRoutes = [
  route('GET /api/applications/:id/deployments', {
    does: 'List the deployments of an application, by page.',
    access: inApplication('deployments:view'),
    query: z.strictObject({
      page: z.coerce.number().int().min(1).max(1_000_000).default(1),
      pageSize: z.coerce.number().int().min(1).max(100).default(PAGE_SIZE),
    }),
    reply: Page,
    async handle(call) {
      const rows = deploymentTable
        .queryIn(call.read)
        .selectAll()
        .where('applicationId', '=', call.ruleResult.application.id)
      return arrayList(rows, call.query, (page) => shownDeployments(call, page)) as never
    },
  }),

  route('GET /api/applications/:id/deployments/:depId', {
    does: 'Get a deployment with its log after a line. With waitMs, wait for its end or for more lines.',
    access: inApplication('deployments:view'),
    query: z.strictObject({
      after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
      waitMs: z.coerce.number().int().min(0).max(WAIT_MS_MAX).default(0),
    }),
    reply: DeploymentWithLog,
    async handle(call) {
      const { query, read, telemetry, params, ruleResult, abortSignal } = call
      const { environmentId } = ruleResult.application
      const seesLog = hasPermission(ruleResult.rights, 'apps:logs', environmentId)
      const untilMs = performance.now() + query.waitMs
      const first = await rowOf(call, params.depId)
      const seat = await call.service(taskHub).ofTask(params.depId)
      try {
        for (;;) {
          const row = await rowOf(call, params.depId)
          const log = seesLog ? await deploymentLog({ read, telemetry }, row.id, query.after) : null
          const isOver = DEPLOYMENT_ENDS.some((end) => end === row.status)
          const isNews = (log?.lines.length ?? 0) > 0 || row.status !== first.status || isOver
          const leftMs = untilMs - performance.now()
          if (isNews || leftMs <= 0 || abortSignal.aborted) return { ...(await shownDeployments(call, [row]))[0]!, log }
          await call.waitFor(() => seat.wait(Math.min(leftMs, LOOK_AGAIN_MS), abortSignal))
          seat.reset()
        }
      } finally {
        seat.leave()
      }
    },
  }),

  changeApplication('POST /api/applications/:id/deployments/:depId/cancel', inApplication('apps:deploy'), {
    does: 'Cancel a deployment that does not switch yet. What it has made is removed.',
    from: CANCELLABLE,
    status: 202,
    reply: z.object({ deploymentId: z.uuid() }),
    async decide({ unit, application, params: { depId } }) {
      await cancelDeployment(unit, depId, application.id)
      return { deploymentId: depId }
    },
  }),

  changeApplication('POST /api/applications/:id/redeploy', inApplicationByKey('apps:deploy'), {
    does: 'Deploy an application again: the newest commit of its branch, its image, or what the body names.',
    refuses: [409],
    status: 202,
    body: Redeploy,
    reply: Deployment,
    async decide({ unit, application, caller, body: { build, ...ask } }) {
      const request = { applicationId: application.id, ...ask, alwaysBuilds: build === 'ALWAYS' }
      return requestedIn(unit, await requestDeployment(unit, { ...request, cause: causeOf(caller) }), caller)
    },
  }),

  changeApplication('POST /api/applications/:id/rollback', inApplicationByKey('apps:deploy'), {
    does: 'Run the images of an earlier deployment that succeeded, by default of the last one before. It builds nothing.',
    refuses: [409],
    status: 202,
    body: Rollback,
    reply: Deployment,
    async decide({ unit, application, caller, read, body: { env, ...ask } }) {
      const fromId = await rollbackTarget(unit, read, application.id, ask)
      const request = { applicationId: application.id, fromId, then: env === 'THEN', cause: causeOf(caller) }
      return requestedIn(unit, await requestRollback(unit, request), caller)
    },
  }),

  changeApplication('POST /api/applications/:id/restart', restarting, {
    does: 'Replace the containers of an application by new ones of the same images, with the newest configuration.',
    refuses: [409],
    status: 202,
    reply: Deployment,
    decide: again('RESTART'),
  }),

  changeApplication('POST /api/applications/:id/start', restarting, {
    does: 'Start an application that was stopped, with the images that it had.',
    refuses: [409],
    status: 202,
    reply: Deployment,
    decide: again('START'),
  }),

  changeApplication('POST /api/applications/:id/stop', restarting, {
    does: 'Stop the containers of an application. Its images and volumes stay.',
    refuses: [409],
    status: 202,
    reply: Deployment,
    decide: again('STOP'),
  }),
]
