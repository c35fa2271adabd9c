/** A copy of an application: its configuration, variables, sets and files. Its ports and what runs stay. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Caller } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { aboutOf } from '../applications/about/events.ts'
import { applications } from '../applications/decider.ts'
import type { Application } from '../applications/decider.ts'
import { applicationEnv } from '../applications/env/decider.ts'
import type { ApplicationEnv } from '../applications/env/decider.ts'
import { applicationFields } from '../applications/events.ts'
import type { ApplicationValues } from '../applications/events.ts'
import { rejectUnknownEnvironments } from '../projects/environments/input.ts'
import { mustBeThereFor } from './application-sources.ts'
import { createApplication, writeApplicationFile } from './applications.ts'
import { copyData } from './copy-data.ts'
import type { DataCopying } from './copy-data.ts'

interface Copy {
  readonly from: Application
  readonly name: string
  readonly projectId: string
  readonly environmentId: string
  readonly panelPort: number | undefined
  /** Absent: its volumes are not copied. */
  readonly data?: Pick<DataCopying, 'installation' | 'volumes' | 'pause'>
}

const valuesOf = (from: Application, name: string): ApplicationValues => {
  const fields = Object.keys(applicationFields) as (keyof ApplicationValues)[]
  return { ...(Object.fromEntries(fields.map((field) => [field, from[field]])) as ApplicationValues), name }
}

/**
 * The caller must hold apps:env where the application is, and apps:create and apps:env where the copy will be, which the
 * route checks.
 * @returns its id
 * @throws Rejection as `createApplication` and `mustBeThereFor`, and for an unknown environment
 */
export async function duplicateApplication(
  unit: UnitOfWork,
  caller: Caller,
  { from, name, projectId, environmentId, panelPort, data }: Copy,
): Promise<string> {
  const { serverId, files } = from
  await rejectUnknownEnvironments(unit, projectId, [environmentId])
  await mustBeThereFor(unit, { caller, projectId, source: from.source })
  const place = { projectId, environmentId, serverId, slug: undefined, panelPort }
  const id = await createApplication(unit, caller, { ...place, values: valuesOf(from, name) })
  if (files.compose !== null) await writeApplicationFile(unit, id, { file: 'COMPOSE', content: files.compose })
  if (files.dockerfile !== null) await writeApplicationFile(unit, id, { file: 'DOCKERFILE', content: files.dockerfile })
  await copyVariables(unit, found(await unit.load(applications, id)), await unit.look(applicationEnv, from.id))
  if (data) await copyData(unit, { ...data, fromId: from.id, toId: id })
  return id
}

/** The sets get ids of their own. */
async function copyVariables(unit: UnitOfWork, to: Application, { variables, sets, activeSetId }: ApplicationEnv) {
  const about = aboutOf(to)
  await unit.decide(applicationEnv, to.id, 'Write', { about, set: Object.values(variables), remove: [] })
  for (const { id, name, variables: ofSet } of Object.values(sets)) {
    const setId = unit.newId()
    await unit.decide(applicationEnv, to.id, 'AddSet', { about, setId, name, set: Object.values(ofSet), remove: [] })
    if (id === activeSetId) await unit.decide(applicationEnv, to.id, 'Activate', { about, setId })
  }
}
