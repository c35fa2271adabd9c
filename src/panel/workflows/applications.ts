/** Applications: created and deleted together with all that counts or holds them. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { UniqueConstraintViolation } from '#kernel/events/store-port'
import type { Caller } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { applications } from '../applications/decider.ts'
import { NAME_SCOPE, SLUG_SCOPE } from '../applications/events.ts'
import type { ApplicationValues } from '../applications/events.ts'
import { slugFrom } from '../applications/input.ts'
import { mustBeAllowed } from '../applications/policy.ts'
import { applicationRoster } from '../applications/roster/decider.ts'
import { limitsOf } from '../license/limits.ts'
import { projectContents } from '../projects/contents/decider.ts'
import { quotaOfProject } from '../quotas/effective-quota.ts'
import { mustUseSource } from './application-sources.ts'
import { liftWorkload, placeWorkload, resizeWorkload } from './place-workload.ts'

/** The kind of the workload that an application is, and of what it counts as in its project. */
export const APPLICATION = 'APPLICATION'

interface NewApplication {
  readonly projectId: string
  readonly environmentId: string
  readonly serverId: string
  /** Undefined: it follows from the name. */
  readonly slug: string | undefined
  readonly values: ApplicationValues
}

interface ApplicationChange {
  readonly applicationId: string
  readonly changes: Parameters<(typeof applications.commands)['Change']>[1]['changes']
}

type Sized = Pick<ApplicationValues, 'replicas' | 'memoryMiB' | 'cpuMillis'>

const reservedBy = ({ replicas, memoryMiB, cpuMillis }: Sized) => ({
  cpuMillis: replicas * cpuMillis,
  memoryMiB: replicas * memoryMiB,
  diskMiB: 0,
})

/**
 * The caller must hold apps:create in the environment, which the route checks.
 * @returns its id
 * @throws Rejection 400 as `mustUseSource` and `mustBeAllowed` · 402 · 403 SERVER_NOT_YOURS · 409 as `placeWorkload`, QUOTA_REACHED
 */
export async function createApplication(
  unit: UnitOfWork,
  caller: Caller,
  { projectId, environmentId, serverId, slug, values }: NewApplication,
): Promise<string> {
  const applicationId = unit.newId()
  mustBeAllowed(values, { compose: null })
  await mustUseSource(unit, { caller, projectId, source: values.source })
  await unit.decide(applicationRoster, undefined, 'Enrol', { applicationId, ...(await limitsOf(unit)) })
  const { applications: most } = await quotaOfProject(unit, projectId)
  const item = { projectId, kind: APPLICATION, itemId: applicationId, environmentId }
  await unit.decide(projectContents, projectId, 'Place', { ...item, most })
  const workload = { kind: APPLICATION, id: applicationId }
  await placeWorkload(unit, { caller, serverId, projectId, workload, ...reservedBy(values) })
  const place = { applicationId, projectId, environmentId, serverId, slug: slug ?? (await freeSlug(unit, values.name)) }
  await unit.decide(applications, applicationId, 'Create', { ...place, ...values })
  return applicationId
}

/** @throws Rejection 400 as `mustUseSource` and `mustBeAllowed` · 409 as `resizeWorkload` */
export async function changeApplicationTo(
  unit: UnitOfWork,
  caller: Caller,
  { applicationId, changes }: ApplicationChange,
): Promise<void> {
  const { source: before } = found(await unit.load(applications, applicationId))
  await unit.decide(applications, applicationId, 'Change', { changes })
  const { projectId, serverId, files, ...values } = found(await unit.load(applications, applicationId))
  mustBeAllowed(values, files)
  // A registry or a provider that was removed since hinders no other change.
  if (changes.source) await mustUseSource(unit, { caller, projectId, source: changes.source }, before)
  const workload = { kind: APPLICATION, id: applicationId }
  await resizeWorkload(unit, { serverId, workload, ...reservedBy(values) })
}

/** @throws Rejection 400 as `mustBeAllowed` */
export async function writeApplicationFile(
  unit: UnitOfWork,
  applicationId: string,
  written: Parameters<(typeof applications.commands)['WriteFile']>[1],
): Promise<void> {
  await unit.decide(applications, applicationId, 'WriteFile', written)
  const { files, ...values } = found(await unit.load(applications, applicationId))
  mustBeAllowed(values, files)
}

/** Nothing happens if it is not there. */
export async function removeApplication(unit: UnitOfWork, applicationId: string): Promise<void> {
  const application = await unit.load(applications, applicationId)
  if (!application) return
  const { projectId, serverId } = application
  await unit.decide(applications, applicationId, 'Delete', {})
  await unit.decide(applicationRoster, undefined, 'Strike', { applicationId })
  await unit.decide(projectContents, projectId, 'Remove', { projectId, kind: APPLICATION, itemId: applicationId })
  await liftWorkload(unit, { serverId, workload: { kind: APPLICATION, id: applicationId } })
}

/** Two requests at the same time may choose the same one: then one of them is refused with NAME_TAKEN. */
async function freeSlug(unit: UnitOfWork, name: string): Promise<string> {
  const slug = slugFrom(name)
  const isFree = (await unit.holderOf(SLUG_SCOPE, slug)) === undefined
  return isFree ? slug : `${slug}-${unit.newId().slice(-6)}`
}

const TAKEN: Readonly<Record<string, string>> = {
  [NAME_SCOPE]: 'An application with this name already exists in the environment',
  [SLUG_SCOPE]: 'Another application has this slug: choose another one',
}

/** Handler for `catch`. @throws Rejection 409 NAME_TAKEN */
export function rejectTakenApplicationName(error: unknown): never {
  const message = error instanceof UniqueConstraintViolation ? TAKEN[error.constraint.scope] : undefined
  if (message === undefined) throw error
  return reject('conflict', message, 'NAME_TAKEN')
}
