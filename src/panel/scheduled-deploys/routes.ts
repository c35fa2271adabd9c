import type { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { route } from '#kernel/http/route'
import type { Caller, HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { findRow } from '#kernel/projections/lookup'
import { arrayLists } from '#kernel/resource/array-lists'
import { listRoute } from '#kernel/resource/list-route'
import { applicationTable } from '#projections/panel/applications'
import { scheduledDeployTable } from '#projections/panel/scheduled-deploys'
import { session } from '../access/access.ts'
import { listScope, withAllScope } from '../access/project-access.ts'
import { onSchedule, scheduleCreator } from '../access/schedule-access.ts'
import { isIn, visiblePlaces } from '../access/visible-environments.ts'
import { applications } from '../applications/decider.ts'
import { Deployment } from '../deployments/deployment-view.ts'
import { requestedIn } from '../deployments/shown-deployments.ts'
import { mustHold } from '../projects/rights/rules.ts'
import { principalOf } from '../workflows/project-memberships.ts'
import { addSchedule, changeSchedule, removeSchedule, runSchedule } from '../workflows/scheduled-deploys.ts'
import { rightsInProject } from '../workflows/server-access.ts'
import { scheduledDeploys } from './decider.ts'
import { NewSchedule, ScheduleChange, valuesOfNew } from './input.ts'
import { Schedule, toSchedule } from './views.ts'

const DEPLOY = 'apps:deploy'

/** The rights of the caller as this unit of work reads them. @throws Rejection 401 · 403 · 404 */
async function mustDeploy(unit: UnitOfWork, caller: Caller, applicationId: string): Promise<void> {
  const by = await principalOf(unit, caller)
  const { projectId, environmentId } = found(await unit.load(applications, applicationId))
  mustHold(await rightsInProject(unit, projectId, by), DEPLOY, environmentId)
}

type OnSchedule<Body = unknown> = HandlerContext<{ readonly id: string }, unknown, Body>

/** Runs in one unit of work, with the schedule of the path. */
const decideOn = <Result>(
  { run, caller, params }: Pick<OnSchedule, 'run' | 'caller' | 'params'>,
  decide: (unit: UnitOfWork, id: string) => Promise<Result>,
): Promise<Result> =>
  run(async (unit) => {
    const { applicationId } = found(await unit.load(scheduledDeploys, params.id))
    await mustDeploy(unit, caller, applicationId)
    return decide(unit, params.id)
  })

async function shownSchedule(
  { read, waitForReadModels }: Pick<HandlerContext, 'read' | 'waitForReadModels'>,
  id: string,
): Promise<z.input<typeof Schedule>> {
  await waitForReadModels()
  return toSchedule(found(await findRow(read, scheduledDeployTable, { id })))
}

export const scheduledDeployRoutes = [
  listRoute(
    'GET /api/scheduled-deploys',
    scheduledDeployTable,
    arrayLists({ ...listScope, applicationId: uuid.optional() }),
    {
      does: 'List the schedules of the caller’s projects, or with `scope=all` of every project, which needs projects:view.',
      access: withAllScope(session),
      item: Schedule,
      async only(rows, { read, caller, query: { scope, applicationId } }) {
        const places = await visiblePlaces(read, { caller, permission: 'deployments:view', scope })
        const ofOne = applicationId === undefined ? rows : rows.where('applicationId', '=', applicationId)
        if (places.projectIds === undefined) return ofOne
        const seen = applicationTable.queryIn(read).select('id').where(isIn(places))
        return ofOne.where('applicationId', 'in', seen)
      },
      shown: async (rows) => rows.map(toSchedule),
    },
  ),

  route('POST /api/scheduled-deploys', {
    does: 'Deploy an application by a schedule: again and again by cron, or once at runAt.',
    access: scheduleCreator,
    refuses: [403, 404, 409],
    status: 201,
    body: NewSchedule,
    reply: Schedule,
    async handle(call) {
      const { run, caller, body } = call
      const id = await run(async (unit) => {
        await mustDeploy(unit, caller, body.applicationId)
        return addSchedule(unit, body.applicationId, valuesOfNew(body))
      })
      return shownSchedule(call, id)
    },
  }),

  route('PATCH /api/scheduled-deploys/:id', {
    does: 'Change a schedule. A cron takes the place of runAt, and the other way round.',
    access: onSchedule,
    body: ScheduleChange,
    reply: Schedule,
    async handle(call) {
      await decideOn(call, (unit, id) => changeSchedule(unit, id, call.body))
      return shownSchedule(call, call.params.id)
    },
  }),

  route('DELETE /api/scheduled-deploys/:id', {
    does: 'Delete a schedule.',
    access: onSchedule,
    handle: (call) => decideOn(call, removeSchedule),
  }),

  route('POST /api/scheduled-deploys/:id/run', {
    does: 'Deploy the application of a schedule now. When the schedule is due does not change, even if it runs once.',
    access: onSchedule,
    refuses: [409],
    status: 202,
    reply: Deployment,
    handle: (call) =>
      decideOn(call, async (unit, id) => {
        const deploymentId = await runSchedule(unit, found(await unit.load(scheduledDeploys, id)))
        return requestedIn(unit, deploymentId, call.caller)
      }),
  }),
]
