/** Copies of projects. */
import { z } from 'zod'
import { route } from '#kernel/http/route'
import { mustAdminister, projectAdmin } from '../../access/project-access.ts'
import { panelPort } from '../../servers/ports/panel-port.ts'
import { rejectTakenApplicationName } from '../../workflows/applications.ts'
import { COPIED_APPLICATIONS_MAX, duplicateProject } from '../../workflows/duplicate-project.ts'
import { userPrincipalOf } from '../../workflows/project-memberships.ts'
import { rightsInProject } from '../../workflows/server-access.ts'
import { loadProject, Project, projectName } from '../project-view.ts'

const Duplicate = z
  .strictObject({
    name: projectName,
    copyData: z
      .literal(false, 'volumes cannot be copied: it must be false')
      .default(false)
      .describe('Always false: volumes are not copied.'),
  })
  .meta({ examples: [{ name: 'Shop on trial' }] })

export const duplicateProjectRoutes = [
  route('POST /api/projects/:id/duplicate', {
    does:
      'Copy a project that the caller then owns: its environments, shared variables and applications, ' +
      `at most ${COPIED_APPLICATIONS_MAX}. Members, ports and schedules are not copied, and nothing is deployed.`,
    access: projectAdmin,
    isLimited: true,
    refuses: [403, 409],
    status: 201,
    body: Duplicate,
    reply: Project,
    async handle({ run, caller, params: { id }, body: { name }, service }) {
      const duplicating = run(async (unit) => {
        const by = await userPrincipalOf(unit, caller)
        mustAdminister(await rightsInProject(unit, id, by))
        return loadProject(unit, await duplicateProject(unit, caller, { id, name, panelPort: service(panelPort) }))
      })
      return duplicating.catch(rejectTakenApplicationName)
    },
  }),
]
