/** Applications go to other projects. */
import { z } from 'zod'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { applicationAdmin } from '../../access/application-access.ts'
import { changeApplication } from '../../access/application-routes.ts'
import { mustAdminister } from '../../access/project-access.ts'
import { rejectTakenApplicationName } from '../../workflows/applications.ts'
import { deployingFor } from '../../workflows/deploying.ts'
import { transferApplication } from '../../workflows/transfer-application.ts'
import { withUrl } from '../addresses/views.ts'
import { ApplicationView } from '../application-view.ts'
import { applications } from '../decider.ts'
import { withRunningAfter } from '../running.ts'

const Transfer = z
  .strictObject({
    projectId: uuid.describe('The project that it goes to. It needs apps:create there, and apps:deploy if it runs.'),
    environmentId: uuid.describe('The environment that it goes to, of that project.'),
  })
  .meta({
    examples: [
      {
        projectId: '01890000-0000-7000-8000-000000000001',
        environmentId: '01890000-0000-7000-8000-000000000002',
      },
    ],
  })

export const transferProjectRoutes = [
  changeApplication('POST /api/applications/:id/transfer-project', applicationAdmin, {
    does: 'Move an application to an environment of another project. What runs is replaced, so that it joins the network there.',
    refuses: [409],
    body: Transfer,
    reply: ApplicationView,
    onError: rejectTakenApplicationName,
    async decide({ unit, caller, application: before, rights, body, read, vault }) {
      mustAdminister(rights)
      const deploying = { unit, ...(await deployingFor({ read, vault })) }
      await transferApplication(deploying, caller, before, body)
      const after = found(await unit.load(applications, before.id))
      return withUrl(read, await withRunningAfter(read, before, after))
    },
  }),
]
