/** A copy of a project in one append: its environments, what they share, and its applications. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Caller } from '#kernel/http/route'
import { found, Rejection, reject } from '#kernel/lib/rejection'
import type { Rights } from '../access/rights.ts'
import type { VolumesOf } from '../applications/data/volumes.ts'
import { applications } from '../applications/decider.ts'
import type { Application } from '../applications/decider.ts'
import { itemsIn, projectContents } from '../projects/contents/decider.ts'
import { projects } from '../projects/decider.ts'
import { projectEnvironments } from '../projects/environments/decider.ts'
import { quotaOfProject } from '../quotas/effective-quota.ts'
import { APPLICATION } from './applications.ts'
import { createProject } from './create-project.ts'
import { duplicateApplication } from './duplicate-application.ts'
import { userPrincipalOf } from './project-memberships.ts'
import { rightsInProject } from './server-access.ts'

/** More than this is too much for one append. */
export const COPIED_APPLICATIONS_MAX = 100

interface ProjectCopy {
  /** Of the project that is copied. */
  readonly id: string
  readonly name: string
  readonly panelPort: number | undefined
  readonly installation: string
  /** That are copied, too. Null: none. */
  readonly volumes: VolumesOf | null
}

/**
 * The caller must be its ADMIN or OWNER, which the route checks, and owns the copy.
 * @returns the id of the copy
 * @throws Rejection 404 · 409 TOO_MANY | PROJECT_CHANGED, and as `createProject` and `duplicateApplication`
 */
export async function duplicateProject(
  unit: UnitOfWork,
  caller: Caller,
  { id, name, panelPort, installation, volumes }: ProjectCopy,
): Promise<string> {
  const { description } = found(await unit.look(projects, id))
  const by = await userPrincipalOf(unit, caller)
  const ids = itemsIn(await unit.look(projectContents, id), APPLICATION)
  if (ids.length > COPIED_APPLICATIONS_MAX)
    reject('conflict', `A project with more than ${COPIED_APPLICATIONS_MAX} applications is not copied`, 'TOO_MANY')
  const projectId = await createProject(unit, { name, description }, by.userId)
  const rights = await rightsInProject(unit, projectId, by)
  const environments = await copyEnvironments(unit, id, projectId, rights)
  for (const applicationId of ids) {
    const from = found(await unit.look(applications, applicationId))
    const environmentId = environments.get(from.environmentId)!
    await naming(from, async () => {
      const data = { installation, volumes: volumesOf(from, volumes), pause: true }
      await duplicateApplication(unit, caller, { from, name: from.name, projectId, environmentId, panelPort, data })
    })
  }
  return projectId
}

/** Of one that was added since its server was asked, none are known. @throws Rejection 409 PROJECT_CHANGED */
function volumesOf({ id }: Application, volumes: VolumesOf | null): readonly string[] {
  if (!volumes) return []
  return volumes.get(id) ?? reject('conflict', 'It was added meanwhile: copy the project again', 'PROJECT_CHANGED')
}

/** @returns the new environments by the old ones */
async function copyEnvironments(
  unit: UnitOfWork,
  fromId: string,
  projectId: string,
  rights: Rights,
): Promise<ReadonlyMap<string, string>> {
  const { environments, variables } = await unit.look(projectEnvironments, fromId)
  const environmentsMax = (await quotaOfProject(unit, projectId)).environments ?? undefined
  const copies = new Map<string, string>()
  for (const { id, name } of Object.values(environments)) {
    const environmentId = unit.newId()
    copies.set(id, environmentId)
    const environment = { rights, projectId, environmentId, name, environmentsMax }
    await unit.decide(projectEnvironments, projectId, 'AddEnvironment', environment)
  }
  const places = Map.groupBy(Object.values(variables), ({ environmentId }) => environmentId)
  for (const [place, shared] of places)
    await unit.decide(projectEnvironments, projectId, 'WriteSharedEnv', {
      rights,
      projectId,
      environmentId: place === null ? null : copies.get(place)!,
      variables: shared.map((each) => ({ variableId: unit.newId(), name: each.name, value: each.value })),
    })
  return copies
}

/** A refusal says which application it is about. */
async function naming(application: Pick<Application, 'name'>, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    throw error.about(`Application “${application.name}”`)
  }
}
