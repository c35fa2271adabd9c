/** Promotions: what runs of applications of one environment comes to run, with the same images, in another one. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Caller } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { applications } from '../applications/decider.ts'
import type { Application } from '../applications/decider.ts'
import { applicationReleases } from '../applications/release/decider.ts'
import { duplicateApplication } from './duplicate-application.ts'
import { failureIn } from './end-deployment.ts'
import { mustBePromotable, requestPromotion } from './request-deployment.ts'

export interface Promotion {
  readonly from: string
  /** Null: there is none. */
  readonly to: string | null
  readonly deploymentId: string | null
  /** Why it is not promoted. */
  readonly reason: { readonly code: string; readonly message: string } | null
}

interface Asked {
  readonly caller: Caller
  readonly from: string
  /** The application of the same name. Undefined: there is none. */
  readonly to: string | undefined
  readonly environmentId: string
  /** Whether a missing one is made as a copy. */
  readonly create: boolean
  readonly panelPort: number | undefined
}

/** @throws Rejection 409 NEVER_DEPLOYED | NOT_RUNNING */
async function runningOf(unit: UnitOfWork, { id }: Application): Promise<string> {
  const { runningId, kept } = await unit.look(applicationReleases, id)
  if (runningId !== null) return runningId
  return kept.length > 0
    ? reject('conflict', 'The application is stopped, so that nothing of it can be promoted', 'NOT_RUNNING')
    : reject('conflict', 'The application was never deployed', 'NEVER_DEPLOYED')
}

/**
 * Before anything is written. A copy would be configured as its source.
 * @returns the deployment whose images are promoted
 * @throws Rejection 409 NEVER_DEPLOYED | NOT_RUNNING | NO_SUCH_APPLICATION, and as `mustBePromotable`
 */
async function promotable(unit: UnitOfWork, source: Application, { to, create }: Asked): Promise<string> {
  const fromId = await runningOf(unit, source)
  if (to === undefined && !create)
    reject(
      'conflict',
      'The other environment has no application of this name: let it be created',
      'NO_SUCH_APPLICATION',
    )
  await mustBePromotable(unit, to === undefined ? source : found(await unit.look(applications, to)), fromId)
  return fromId
}

/** @throws Rejection as `duplicateApplication`, because half a copy must not stay */
export async function promoteApplication(unit: UnitOfWork, asked: Asked): Promise<Promotion> {
  const { caller, from, environmentId, panelPort } = asked
  const source = found(await unit.look(applications, from))
  const checked = await promotable(unit, source, asked).then(
    (fromId) => ({ fromId }),
    (error: unknown) => ({ reason: failureIn(error) }),
  )
  if ('reason' in checked) return { from, to: asked.to ?? null, deploymentId: null, reason: checked.reason }
  const { name, projectId } = source
  const copy = { from: source, name, projectId, environmentId, panelPort }
  const to = asked.to ?? (await duplicateApplication(unit, caller, copy))
  const ask = { applicationId: to, fromId: checked.fromId, cause: { type: 'PROMOTE', id: from } } as const
  return { from, to, deploymentId: await requestPromotion(unit, ask), reason: null }
}
