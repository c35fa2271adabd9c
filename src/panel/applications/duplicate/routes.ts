/** Copies of applications. */
import { z } from 'zod'
import { nameSchema } from '#kernel/lib/display-text'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { inApplication } from '../../access/application-access.ts'
import { changeApplication } from '../../access/application-routes.ts'
import { mustHold } from '../../projects/rights/rules.ts'
import { panelPort } from '../../servers/ports/panel-port.ts'
import { rejectTakenApplicationName } from '../../workflows/applications.ts'
import { duplicateApplication } from '../../workflows/duplicate-application.ts'
import { withUrl } from '../addresses/views.ts'
import { ApplicationView } from '../application-view.ts'
import { applications } from '../decider.ts'
import { NOTHING_RUNS } from '../running.ts'

const Duplicate = z
  .strictObject({
    name: nameSchema(100),
    environmentId: uuid.optional().describe('The environment of the copy, in the same project. Absent: the same one.'),
    copyData: z
      .literal(false, 'volumes cannot be copied: it must be false')
      .default(false)
      .describe('Always false: volumes are not copied.'),
  })
  .meta({ examples: [{ name: 'Shop on trial', environmentId: '01890000-0000-7000-8000-000000000002' }] })

export const duplicateRoutes = [
  changeApplication('POST /api/applications/:id/duplicate', inApplication('apps:create', 'apps:env'), {
    does: 'Copy the configuration, variables, sets and files of an application, without its ports and data. Nothing is deployed.',
    isLimited: true,
    refuses: [409],
    status: 201,
    body: Duplicate,
    reply: ApplicationView,
    onError: rejectTakenApplicationName,
    async decide({ unit, caller, application: from, rights, body, read, service }) {
      const { name, environmentId = from.environmentId } = body
      for (const permission of ['apps:create', 'apps:env'] as const) mustHold(rights, permission, environmentId)
      const copy = { from, name, projectId: from.projectId, environmentId, panelPort: service(panelPort) }
      const id = await duplicateApplication(unit, caller, copy)
      return { ...(await withUrl(read, found(await unit.load(applications, id)))), ...NOTHING_RUNS }
    },
  }),
]
