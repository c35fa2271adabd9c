/** Copies of applications. */
import { z } from 'zod'
import { route } from '#kernel/http/route'
import { nameSchema } from '#kernel/lib/display-text'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { inApplication } from '../../access/application-access.ts'
import { seenAgain } from '../../access/application-routes.ts'
import { installationOf } from '../../agent/installation.ts'
import { mustHold } from '../../projects/rights/rules.ts'
import { panelPort } from '../../servers/ports/panel-port.ts'
import { rejectTakenApplicationName } from '../../workflows/applications.ts'
import { duplicateApplication } from '../../workflows/duplicate-application.ts'
import { withUrl } from '../addresses/views.ts'
import { ApplicationView } from '../application-view.ts'
import { NO_VOLUMES, volumesToCopy } from '../data/volumes.ts'
import { applications } from '../decider.ts'
import { NOTHING_RUNS } from '../running.ts'

const Duplicate = z
  .strictObject({
    name: nameSchema(100),
    environmentId: uuid.optional().describe('The environment of the copy, in the same project. Absent: the same one.'),
    copyData: z
      .boolean()
      .default(false)
      .describe('Whether what is in its volumes is copied, too. Until that is done, the copy is not deployed.'),
    pause: z
      .boolean()
      .default(true)
      .describe(
        'Whether its containers stand still while their volumes are copied, so that the copies are of one moment.',
      ),
  })
  .meta({ examples: [{ name: 'Shop on trial', environmentId: '01890000-0000-7000-8000-000000000002' }] })

const access = inApplication('apps:create', 'apps:env')

export const duplicateRoutes = [
  route('POST /api/applications/:id/duplicate', {
    does: 'Copy the configuration, variables, sets and files of an application, without its ports. Nothing is deployed.',
    access,
    isLimited: true,
    refuses: [409],
    status: 201,
    body: Duplicate,
    reply: ApplicationView,
    async handle(call) {
      const { run, caller, body, read, vault, ruleResult, params, service } = call
      const { name, copyData, pause } = body
      const volumes = copyData ? await volumesToCopy(call, [ruleResult.application]) : NO_VOLUMES
      const installation = await installationOf(vault)
      const made = await run(async (unit) => {
        const { application: from, rights } = await seenAgain(unit, caller, params.id, access)
        const { environmentId = from.environmentId } = body
        for (const permission of ['apps:create', 'apps:env'] as const) mustHold(rights, permission, environmentId)
        const place = { projectId: from.projectId, environmentId, panelPort: service(panelPort) }
        const data = { installation, volumes: volumes.get(from.id) ?? [], pause }
        const id = await duplicateApplication(unit, caller, { from, name, ...place, data })
        return found(await unit.load(applications, id))
      }).catch(rejectTakenApplicationName)
      return { ...(await withUrl(read, made)), ...NOTHING_RUNS }
    },
  }),
]
