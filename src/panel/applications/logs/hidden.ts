/** What is taken out of the logs of an application: the values of secret variables, and of those that it shares. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import { previewTable } from '#projections/panel/applications/previews'
import { HIDDEN_CHARACTERS_MIN, logsFollow, logsTail, NAMES_MAX } from '../../../tasks/applications.ts'
import type { AskedAsk, AskedFollow } from '../../agent/asks.ts'
import { deployments } from '../../deployments/decider.ts'
import type { Deployment } from '../../deployments/decider.ts'
import { deployedOf } from '../../deployments/running.ts'
import { applications } from '../decider.ts'
import type { Application } from '../decider.ts'
import { applicationEnv } from '../env/decider.ts'
import type { ApplicationEnv, Variable } from '../env/decider.ts'
import { isShared, variablesAt, variablesFor } from '../env/effective.ts'
import type { SourcedVariable } from '../env/effective.ts'
import type { Workload } from '../place.ts'
import { previews } from '../previews/decider.ts'

interface ContainersAsked {
  readonly workload: Workload
  readonly deploymentId: string | null
}

interface HiddenVariables {
  /** Containers of an earlier deployment may have other values. */
  readonly names: readonly string[]
  readonly values: readonly string[]
}

type Owner = Pick<Application, 'id' | 'projectId' | 'environmentId' | 'serverId'>

/** A shared variable does not say whether it is secret, and is not shown to all who see the logs. */
const isHidden = ({ secret, source }: Hideable): boolean => secret || (source !== undefined && isShared({ source }))

/** Without a source: one of the application, or of any of its sets. */
type Hideable = Variable & Partial<Pick<SourcedVariable, 'source'>>

const ownOf = ({ variables, sets }: ApplicationEnv): Variable[] =>
  [variables, ...Object.values(sets).map((set) => set.variables)].flatMap((each) => Object.values(each))

interface Speaking {
  /** Whose containers speak, beside those that run: it may be of a project that it was moved from. */
  readonly of?: Deployment | undefined
  /** The only one whose containers speak. Absent: the application and all of its previews. */
  readonly workload?: Pick<Workload, 'id'> | undefined
}

/**
 * Too much hides nothing that matters: all secrets of the application, whichever of its sets they are in, and what is shared
 * with it, now and when what speaks was started.
 */
export async function hiddenIn(
  unit: UnitOfWork,
  owner: Owner,
  { of, workload }: Speaking = {},
): Promise<HiddenVariables> {
  const { id, projectId, environmentId } = owner
  const own = ownOf(await unit.load(applicationEnv, id))
  const shared = (await variablesFor(unit, { id, projectId, environmentId })).filter(isShared)
  const then = await variablesThen(unit, id, [...(await allDeployed(unit, owner, workload)), of])
  const hidden = [...then, ...shared, ...own].filter(isHidden)
  return {
    // Those of what runs first: an application may have more in its sets.
    names: [...new Set(hidden.map(({ name }) => name))].slice(0, NAMES_MAX).toSorted(),
    values: [...new Set(hidden.map(({ value }) => value))]
      .filter(({ length }) => length >= HIDDEN_CHARACTERS_MIN)
      .toSorted(),
  }
}

async function allDeployed(
  unit: UnitOfWork,
  { id, serverId }: Owner,
  workload: Speaking['workload'],
): Promise<Deployment[]> {
  const { open } = await unit.look(previews, id)
  const all = workload ? [workload.id] : [id, ...Object.keys(open)]
  return (await Promise.all(all.map((each) => deployedOf(unit, { id: each, serverId })))).flat()
}

async function variablesThen(
  unit: UnitOfWork,
  id: string,
  all: readonly (Deployment | undefined)[],
): Promise<Hideable[]> {
  const then: Hideable[] = []
  for (const deployment of all) {
    if (!deployment?.variables) continue
    const { previewId, projectId, environmentId, variables } = deployment
    then.push(...(await variablesAt(unit, { id, projectId, environmentId }, variables)))
    // Which of the sets previews had then is not known.
    if (previewId !== null) then.push(...ownOf(await unit.loadAt(applicationEnv, id, variables.application)))
  }
  return then
}

/** Of an application and its previews. Undefined for one that is deleted. */
export async function hiddenOf(unit: UnitOfWork, applicationId: string): Promise<HiddenVariables | undefined> {
  const application = await unit.look(applications, applicationId)
  return application && hiddenIn(unit, application)
}

type Reading = Pick<HandlerContext, 'run' | 'read'>

/** Of those that are read alone: what all previews have may be too much for one read. */
async function secretsFor({ workload, deploymentId }: ContainersAsked, { run, read }: Reading) {
  const ofPreview =
    workload.kind === 'PREVIEW' ? found(await findRow(read, previewTable, { id: workload.id })) : undefined
  const applicationId = ofPreview?.applicationId ?? workload.id
  const { values } = await run(async (unit) => {
    const of = deploymentId === null ? undefined : await unit.look(deployments, deploymentId)
    const isOwn = of?.applicationId === applicationId
    return hiddenIn(unit, found(await unit.look(applications, applicationId)), { workload, of: isOwn ? of : undefined })
  })
  return { values }
}

export const askedLogsTail: AskedAsk = {
  kind: logsTail,
  secrets: (params, call) => secretsFor(logsTail.params.parse(params), call),
}

export const askedLogsFollow: AskedFollow = {
  kind: logsFollow,
  secrets: (params, call) => secretsFor(logsFollow.params.parse(params), call),
}
