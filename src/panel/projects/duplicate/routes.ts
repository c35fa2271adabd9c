/** Copies of projects. */
import { z } from 'zod'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { found, Rejection } from '#kernel/lib/rejection'
import { mustAdminister, projectAdmin } from '../../access/project-access.ts'
import { installationOf } from '../../agent/installation.ts'
import { volumesToCopy } from '../../applications/data/volumes.ts'
import { applications } from '../../applications/decider.ts'
import { panelPort } from '../../servers/ports/panel-port.ts'
import { APPLICATION, rejectTakenApplicationName } from '../../workflows/applications.ts'
import { COPIED_APPLICATIONS_MAX, duplicateProject } from '../../workflows/duplicate-project.ts'
import { userPrincipalOf } from '../../workflows/project-memberships.ts'
import { rightsInProject } from '../../workflows/server-access.ts'
import { itemsIn, projectContents } from '../contents/decider.ts'
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

/** As the copy will find them: no read model is behind. */
const applicationsOf = ({ run }: Pick<HandlerContext, 'run'>, projectId: string) =>
  run(async (unit) => {
    const ids = itemsIn(await unit.look(projectContents, projectId), APPLICATION)
    return Promise.all(ids.map(async (id) => found(await unit.look(applications, id))))
  })

/** Another application may be added while servers are asked for volumes, and would be copied without its data. */
const TRIES = 5

async function triedAgain<Made>(make: () => Promise<Made>): Promise<Made> {
  for (let nth = 1; ; nth += 1) {
    try {
      return await make()
    } catch (error) {
      if (!(error instanceof Rejection) || error.code !== 'PROJECT_CHANGED' || nth === TRIES) throw error
    }
  }
}

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
      const { run, caller, params, body, vault, service } = call
      const { id } = params
      const installation = await installationOf(vault)
      const copyOf = async () => {
        const volumes = body.copyData ? await volumesToCopy(call, await applicationsOf(call, id)) : null
        const copy = { id, name: body.name, panelPort: service(panelPort), installation, volumes }
        return run(async (unit) => {
          const by = await userPrincipalOf(unit, caller)
          mustAdminister(await rightsInProject(unit, id, by))
          return loadProject(unit, await duplicateProject(unit, caller, copy))
        })
      }
      return triedAgain(copyOf).catch(rejectTakenApplicationName)
    },
  }),
]
