/** The domains that previews have their names under: which application has one, and what lies apart from them. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Caller } from '#kernel/http/route'
import { valuesOf } from '#kernel/lib/persistent-map'
import { reject } from '#kernel/lib/rejection'
import { effectiveSetting } from '#kernel/resource/settings-events'
import type { Application } from '../applications/decider.ts'
import { previewDomains } from '../applications/preview-domains/decider.ts'
import { areNested, isWide } from '../applications/preview-domains/rules.ts'
import { settings } from '../settings/decider.ts'
import { SETTINGS } from '../settings/events.ts'
import { principalOf } from './project-memberships.ts'

/** They could turn off the previews that have a domain, so that a refusal may name them. */
const managesAll = async (unit: UnitOfWork, caller: Caller): Promise<boolean> =>
  (await principalOf(unit, caller)).platform === 'ADMIN'

/** It has its domain while its previews are enabled. @throws Rejection 409 BASE_DOMAIN_TAKEN */
export async function settlePreviewDomain(
  unit: UnitOfWork,
  caller: Caller,
  { id: applicationId, projectId, previews: { enabled, baseDomain: domain } }: Application,
): Promise<void> {
  if (!enabled || domain === null) return void (await unit.decide(previewDomains, undefined, 'Free', { applicationId }))
  const mayKnow = await managesAll(unit, caller)
  await unit.decide(previewDomains, undefined, 'Take', { applicationId, projectId, domain, mayKnow })
}

interface Chosen {
  readonly domain: string
  /** Of the panel, without a port. */
  readonly panelHost: string
}

/** @throws Rejection 403 BASE_DOMAIN_TOO_WIDE */
export async function mustChooseNarrow(unit: UnitOfWork, caller: Caller, { domain, panelHost }: Chosen): Promise<void> {
  if (isWide(domain, panelHost) && !(await managesAll(unit, caller)))
    reject(
      'forbidden',
      'A domain of two labels, and one that the panel is under, takes projects:manage: choose a name below it',
      'BASE_DOMAIN_TOO_WIDE',
    )
}

/** @throws Rejection 409 BASE_DOMAIN_TAKEN */
export async function mustLieApartFromApps(unit: UnitOfWork, domain: string): Promise<void> {
  const { appsDomain } = await unit.look(settings)
  if (areNested(domain, effectiveSetting(SETTINGS, 'appsDomain', appsDomain)))
    reject('conflict', 'Clean URLs of applications are under this domain: choose another one', 'BASE_DOMAIN_TAKEN')
}

/** Clean URLs of applications lie under this domain. @throws Rejection 409 BASE_DOMAIN_TAKEN */
export async function mustLieApartFromPreviews(unit: UnitOfWork, appsDomain: string): Promise<void> {
  for (const { applicationId, domain } of valuesOf(await unit.look(previewDomains, undefined)))
    if (areNested(domain, appsDomain))
      reject(
        'conflict',
        `Application ${applicationId} has its previews under ${domain}: turn them off first`,
        'BASE_DOMAIN_TAKEN',
      )
}
