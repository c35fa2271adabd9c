import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { recordVersion } from '#kernel/http/record-version'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { flag } from '#kernel/lib/flag'
import { uuid } from '#kernel/lib/uuid'
import { arrayLists } from '#kernel/resource/array-lists'
import { listRoute } from '#kernel/resource/list-route'
import { applicationTable } from '#projections/panel/applications'
import type { ApplicationRow } from '#projections/panel/applications'
import { sessionOrKey } from '../access/access.ts'
import { applicationCreator, inApplicationByKey } from '../access/application-access.ts'
import { changeApplication } from '../access/application-routes.ts'
import { listScope, rightsIn, withAllScope } from '../access/project-access.ts'
import { isIn, visiblePlaces } from '../access/visible-environments.ts'
import { rejectUnknownEnvironments } from '../projects/environments/input.ts'
import { mustHold } from '../projects/rights/rules.ts'
import { localServer } from '../servers/local-server.ts'
import { panelPort } from '../servers/ports/panel-port.ts'
import { changeApplicationTo, createApplication, rejectTakenApplicationName } from '../workflows/applications.ts'
import { deployingFor } from '../workflows/deploying.ts'
import { principalOf } from '../workflows/project-memberships.ts'
import { removeApplication } from '../workflows/remove-application.ts'
import { rightsInProject } from '../workflows/server-access.ts'
import { withUrl, withUrls } from './addresses/views.ts'
import { ApplicationView } from './application-view.ts'
import { fromKept } from './command-rules.ts'
import { applications } from './decider.ts'
import { applicationFields } from './events.ts'
import { ApplicationChange, NewApplication, valuesOfNew } from './input.ts'
import { NOTHING_RUNS, withRunning, withRunningAfter } from './running.ts'

const CREATE = 'apps:create'

const version = recordVersion(z.object(applicationFields), (unit, { params }) => unit.look(applications, params['id']))

const loadApplication = async (unit: UnitOfWork, id: string) => (await unit.load(applications, id))!

type Create = HandlerContext<unknown, unknown, z.output<typeof NewApplication>>

async function create({ run, read, caller, body, service }: Create) {
  const { projectId, environmentId, slug } = body
  // A restriction of the key to some projects is no part of the rights of its account.
  mustHold(await rightsIn(read, caller, projectId), CREATE, environmentId)
  const serverId = body.serverId ?? (await localServer(read))
  const place = { projectId, environmentId, serverId, slug, values: valuesOfNew(body), panelPort: service(panelPort) }
  const application = await run(async (unit) => {
    mustHold(await rightsInProject(unit, projectId, await principalOf(unit, caller)), CREATE, environmentId)
    await rejectUnknownEnvironments(unit, projectId, [environmentId])
    return loadApplication(unit, await createApplication(unit, caller, place))
  }).catch(rejectTakenApplicationName)
  return { ...(await withUrl(read, application)), ...NOTHING_RUNS }
}

const opened = async (vault: HandlerContext['vault'], rows: readonly ApplicationRow[]) =>
  (await applicationTable.open(vault, rows)).map(fromKept)

const filters = { ...listScope, projectId: uuid.optional(), environmentId: uuid.optional() }

export const wholeApplicationRoutes = [
  listRoute('GET /api/applications', applicationTable, arrayLists(filters), {
    does: 'List the applications of the caller’s projects, or with `scope=all` of every project, which needs projects:view.',
    access: withAllScope(sessionOrKey('project:apps:view')),
    item: ApplicationView,
    shown: async (rows, { read, vault }) => withUrls(read, await withRunning(read, await opened(vault, rows))),
    async only(rows, { read, caller, query: { scope, projectId, environmentId } }) {
      const places = await visiblePlaces(read, { caller, permission: 'apps:view', scope })
      const seen = rows.where(isIn(places))
      const inProject = projectId === undefined ? seen : seen.where('projectId', '=', projectId)
      return environmentId === undefined ? inProject : inProject.where('environmentId', '=', environmentId)
    },
  }),

  route('POST /api/applications', {
    does: 'Create an application. Without serverId, it is placed on the panel’s own host.',
    access: applicationCreator,
    isLimited: true,
    refuses: [403, 404, 409],
    status: 201,
    body: NewApplication,
    reply: ApplicationView,
    handle: create,
  }),

  route('GET /api/applications/:id', {
    does: 'Get an application.',
    access: inApplicationByKey('apps:view'),
    version,
    reply: ApplicationView,
    handle: async ({ read, vault, ruleResult: { application } }) =>
      withUrl(read, (await withRunning(read, await opened(vault, [application])))[0]!),
  }),

  changeApplication('PATCH /api/applications/:id', inApplicationByKey(CREATE), {
    does: 'Change an application. Neither its project nor its server can be changed here.',
    refuses: [409],
    version,
    body: ApplicationChange,
    reply: ApplicationView,
    onError: rejectTakenApplicationName,
    async decide({ unit, caller, application: before, body, read, service }) {
      const { id } = before
      await changeApplicationTo(unit, caller, { applicationId: id, changes: body, panelPort: service(panelPort) })
      return withUrl(read, await withRunningAfter(read, before, await loadApplication(unit, id)))
    },
  }),

  changeApplication('DELETE /api/applications/:id', inApplicationByKey('apps:delete'), {
    does: 'Delete an application with its containers, images and variables. Its volumes stay, unless deleteVolumes is set.',
    query: z.strictObject({ deleteVolumes: flag.default(false) }),
    async decide({ unit, vault, read, application: { id }, query }) {
      await removeApplication({ unit, ...(await deployingFor({ vault, read })) }, id, query)
    },
  }),
]
