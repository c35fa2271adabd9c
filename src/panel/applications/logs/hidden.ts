/** What is taken out of the logs of an application: the values of secret variables, and of those that it shares. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import { previewTable } from '#projections/panel/applications/previews'
import { HIDDEN_CHARACTERS_MIN, logsFollow, logsTail } from '../../../tasks/applications.ts'
import type { AskedAsk, AskedFollow } from '../../agent/asks.ts'
import { applications } from '../decider.ts'
import { variablesFor } from '../env/effective.ts'
import type { Workload } from '../place.ts'

interface HiddenVariables {
  /** Containers of an earlier deployment may have other values. */
  readonly names: readonly string[]
  readonly values: readonly string[]
}

/** A shared variable does not say whether it is secret, and is not shown to all who see the logs. */
export async function hiddenIn(
  unit: UnitOfWork,
  application: Parameters<typeof variablesFor>[1],
): Promise<HiddenVariables> {
  const all = await variablesFor(unit, application)
  const secret = all.filter(
    ({ secret: isSecret, source }) => isSecret || source === 'PROJECT' || source === 'ENVIRONMENT',
  )
  const unique = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted()
  return {
    names: unique(secret.map(({ name }) => name)),
    values: unique(secret.map(({ value }) => value).filter(({ length }) => length >= HIDDEN_CHARACTERS_MIN)),
  }
}

/** Of an application, or of its previews. Undefined for one that is deleted. */
export async function hiddenOf(
  unit: UnitOfWork,
  applicationId: string,
  { kind }: Pick<Workload, 'kind'>,
): Promise<HiddenVariables | undefined> {
  const application = await unit.look(applications, applicationId)
  return application && hiddenIn(unit, kind === 'PREVIEW' ? { ...application, preview: {} } : application)
}

async function secretsFor(workload: Workload, { run, read }: Pick<HandlerContext, 'run' | 'read'>) {
  const ofPreview =
    workload.kind === 'PREVIEW' ? found(await findRow(read, previewTable, { id: workload.id })) : undefined
  const applicationId = ofPreview?.applicationId ?? workload.id
  const { values } = await run(async (unit) => found(await hiddenOf(unit, applicationId, workload)))
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
