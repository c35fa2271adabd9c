/** Copies of projects. */
import { z } from 'zod'
import { route } from '#kernel/http/route'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { applicationTable } from '#projections/panel/applications'
import { mustAdminister, projectAdmin } from '../../access/project-access.ts'
import { installationOf } from '../../agent/installation.ts'
import { NO_VOLUMES, volumesToCopy } from '../../applications/data/volumes.ts'
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
      .boolean()
      .default(false)
      .describe(
        'Whether what is in the volumes of its applications is copied, too, while their containers stand still. ' +
          'Until that is done, a copy is not deployed.',
      ),
  })
  .meta({ examples: [{ name: 'Shop on trial' }] })

const applicationsOf = (read: ReadDatabase, projectId: string) =>
  applicationTable.queryIn(read).select(['id', 'serverId']).where('projectId', '=', projectId).execute()

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
    async handle(call) {
      const { run, caller, params, body, read, vault, service } = call
      const { id } = params
      const volumes = body.copyData ? await volumesToCopy(call, await applicationsOf(read, id)) : NO_VOLUMES
      const installation = await installationOf(vault)
      const copy = { id, name: body.name, panelPort: service(panelPort), installation, volumes }
      const duplicating = run(async (unit) => {
        const by = await userPrincipalOf(unit, caller)
        mustAdminister(await rightsInProject(unit, id, by))
        return loadProject(unit, await duplicateProject(unit, caller, copy))
      })
      return duplicating.catch(rejectTakenApplicationName)
    },
  }),
]
