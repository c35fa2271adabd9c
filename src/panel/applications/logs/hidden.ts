/** What is taken out of the logs of an application: the values of secret variables, and of those that it shares. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import { previewTable } from '#projections/panel/applications/previews'
import { HIDDEN_CHARACTERS_MIN, logsFollow, logsTail, NAMES_MAX } from '../../../tasks/applications.ts'
import type { AskedAsk, AskedFollow } from '../../agent/asks.ts'
import type { Deployment } from '../../deployments/decider.ts'
import { runningDeployment } from '../../deployments/running.ts'
import { applications } from '../decider.ts'
import type { Application } from '../decider.ts'
import { applicationEnv } from '../env/decider.ts'
import { isShared, variablesAt, variablesFor } from '../env/effective.ts'
import type { SourcedVariable } from '../env/effective.ts'
import type { Workload } from '../place.ts'

interface HiddenVariables {
  /** Containers of an earlier deployment may have other values. */
  readonly names: readonly string[]
  readonly values: readonly string[]
}

type Owner = Pick<Application, 'id' | 'projectId' | 'environmentId'>

/**
 * Too much hides nothing that matters: all secrets of the application, whichever of its sets they are in, and what is shared
 * with it. A shared variable does not say whether it is secret, and is not shown to all who see the logs.
 * @param of a deployment whose containers speak, beside the one that runs: it may be of a project that it was moved from
 */
export async function hiddenIn(unit: UnitOfWork, owner: Owner, of?: Deployment): Promise<HiddenVariables> {
  const { id, projectId, environmentId } = owner
  const { variables, sets } = await unit.load(applicationEnv, id)
  const own = [variables, ...Object.values(sets).map((set) => set.variables)].flatMap((each) => Object.values(each))
  const shared = (await variablesFor(unit, { id, projectId, environmentId })).filter(isShared)
  const then: SourcedVariable[] = []
  for (const deployment of [await runningDeployment(unit, owner), of]) {
    if (!deployment?.variables) continue
    const place = { id, projectId: deployment.projectId, environmentId: deployment.environmentId }
    then.push(...(await variablesAt(unit, place, deployment.variables)))
  }
  const hidden = [
    ...then.filter((each) => each.secret || isShared(each)),
    ...shared,
    ...own.filter(({ secret }) => secret),
  ]
  return {
    // Those of what runs first: an application may have more in its sets.
    names: [...new Set(hidden.map(({ name }) => name))].slice(0, NAMES_MAX).toSorted(),
    values: [...new Set(hidden.map(({ value }) => value))]
      .filter(({ length }) => length >= HIDDEN_CHARACTERS_MIN)
      .toSorted(),
  }
}

/** Of an application and its previews. Undefined for one that is deleted. */
export async function hiddenOf(unit: UnitOfWork, applicationId: string): Promise<HiddenVariables | undefined> {
  const application = await unit.look(applications, applicationId)
  return application && hiddenIn(unit, application)
}

async function secretsFor(workload: Workload, { run, read }: Pick<HandlerContext, 'run' | 'read'>) {
  const ofPreview =
    workload.kind === 'PREVIEW' ? found(await findRow(read, previewTable, { id: workload.id })) : undefined
  const applicationId = ofPreview?.applicationId ?? workload.id
  const { values } = await run(async (unit) => found(await hiddenOf(unit, applicationId)))
  return { values }
}

export const askedLogsTail: AskedAsk = {
  kind: logsTail,
  secrets: (params, call) => secretsFor(logsTail.params.parse(params).workload, call),
}

export const askedLogsFollow: AskedFollow = {
  kind: logsFollow,
  secrets: (params, call) => secretsFor(logsFollow.params.parse(params).workload, call),
}
