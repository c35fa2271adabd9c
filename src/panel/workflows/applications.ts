/** Applications: created and deleted together with all that counts or holds them. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { UniqueConstraintViolation } from '#kernel/events/store-port'
import type { Caller } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { newWebhookSecret } from '#kernel/outbound/standard-webhooks'
import { applications } from '../applications/decider.ts'
import { NAME_SCOPE, SLUG_SCOPE } from '../applications/events.ts'
import type { ApplicationValues } from '../applications/events.ts'
import { slugFrom } from '../applications/input.ts'
import { placeOf } from '../applications/place.ts'
import { mustBeAllowed } from '../applications/policy.ts'
import { applicationRoster } from '../applications/roster/decider.ts'
import { limitsOf } from '../license/limits.ts'
import { projectContents } from '../projects/contents/decider.ts'
import { quotaOfProject } from '../quotas/effective-quota.ts'
import { addressApplication } from './application-addresses.ts'
import { mustUseSource } from './application-sources.ts'
import { placeWorkload, reservedBy } from './place-workload.ts'
import { settlePreviewDomain } from './preview-domains.ts'
import { resizePreviews } from './previews.ts'
import { sizePlace } from './size-place.ts'

/** The kind of the workload that an application is, and of what it counts as in its project. */
export const APPLICATION = 'APPLICATION'

interface NewApplication {
  readonly projectId: string
  readonly environmentId: string
  readonly serverId: string
  /** Undefined: it follows from the name. */
  readonly slug: string | undefined
  readonly values: ApplicationValues
  /** Of this panel. Undefined: it is not known. */
  readonly panelPort: number | undefined
}

interface ApplicationChange {
  readonly applicationId: string
  readonly changes: Parameters<(typeof applications.commands)['Change']>[1]['changes']
  readonly panelPort: number | undefined
}

/**
 * The caller must hold apps:create in the environment, which the route checks.
 * @returns its id
 * @throws Rejection 400 as `mustUseSource` and `mustBeAllowed` · 402 · 403 SERVER_NOT_YOURS · 409 as `placeWorkload`, QUOTA_REACHED, NONE_FREE
 */
export async function createApplication(
  unit: UnitOfWork,
  caller: Caller,
  { projectId, environmentId, serverId, slug, values, panelPort }: NewApplication,
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
  await addressApplication(unit, applicationId, panelPort)
  const first = { secret: newWebhookSecret(), graceSeconds: 0 }
  await unit.decide(applications, applicationId, 'RotateWebhookSecret', first)
  return applicationId
}

/** @throws Rejection 400 as `mustUseSource` and `mustBeAllowed` · 409 as `sizePlace`, NONE_FREE */
export async function changeApplicationTo(
  unit: UnitOfWork,
  caller: Caller,
  { applicationId, changes, panelPort }: ApplicationChange,
): Promise<void> {
  const { source: before, previews } = found(await unit.load(applications, applicationId))
  await unit.decide(applications, applicationId, 'Change', { changes })
  const after = found(await unit.load(applications, applicationId))
  const { projectId, files, ...values } = after
  mustBeAllowed(values, files)
  // A registry or a provider that was removed since hinders no other change.
  if (changes.source) await mustUseSource(unit, { caller, projectId, source: changes.source }, before)
  await sizePlace(unit, placeOf(after))
  await resizePreviews(unit, after)
  // A source without a repository turns them off.
  if (after.previews.enabled !== previews.enabled) await settlePreviewDomain(unit, caller, after)
  await addressApplication(unit, applicationId, panelPort)
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

/** By the unit, which may create several. */
const chosenSlugs = new WeakMap<UnitOfWork, Set<string>>()

/** Two requests at the same time may choose the same one: then one of them is refused with NAME_TAKEN. */
async function freeSlug(unit: UnitOfWork, name: string): Promise<string> {
  const slug = slugFrom(name)
  const chosen = chosenSlugs.get(unit) ?? new Set()
  const isFree = !chosen.has(slug) && (await unit.holderOf(SLUG_SCOPE, slug)) === undefined
  chosenSlugs.set(unit, chosen.add(slug))
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
