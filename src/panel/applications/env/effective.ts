/** All variables that the containers of an application could get, and which of them they get. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { hasPermission } from '../../access/rights.ts'
import type { Rights } from '../../access/rights.ts'
import { MASK, projectEnvironments } from '../../projects/environments/decider.ts'
import type { Application } from '../decider.ts'
import { applicationEnv } from './decider.ts'
import type { Variable } from './decider.ts'

/** In this order: a variable of a later one replaces that of the same name of an earlier one. */
export const VARIABLE_SOURCES = ['PROJECT', 'ENVIRONMENT', 'APPLICATION', 'SET'] as const
type Source = (typeof VARIABLE_SOURCES)[number]

export interface SourcedVariable extends Variable {
  readonly source: Source
  /** Whether no later source has the name. */
  readonly inEffect: boolean
}

type Place = Pick<Application, 'id' | 'projectId' | 'environmentId'>

/** Shared variables are given to the containers, and to no build. */
const shared = ({ name, value }: Pick<Variable, 'name' | 'value'>): Variable => ({
  name,
  value,
  secret: false,
  when: 'RUN',
})

export async function variablesFor(
  unit: UnitOfWork,
  { id, projectId, environmentId }: Place,
): Promise<SourcedVariable[]> {
  const { variables } = await unit.look(projectEnvironments, projectId)
  const env = await unit.load(applicationEnv, id)
  const sharedIn = (place: string | null) =>
    Object.values(variables)
      .filter((each) => each.environmentId === place)
      .map(shared)
  const bySource: Record<Source, readonly Variable[]> = {
    PROJECT: sharedIn(null),
    ENVIRONMENT: sharedIn(environmentId),
    APPLICATION: Object.values(env.variables),
    SET: env.activeSetId === null ? [] : Object.values(env.sets[env.activeSetId]!.variables),
  }
  const all = VARIABLE_SOURCES.flatMap((source) => bySource[source].map((each) => ({ ...each, source })))
  const last = new Map(all.map(({ name, source }) => [name, source]))
  return all.map((each) => ({ ...each, inEffect: last.get(each.name) === each.source }))
}

/** The values that the caller may read. Those of the whole project need apps:env in the whole project. */
export function maskedFor<Shown extends Variable & { readonly source?: Source }>(
  variables: readonly Shown[],
  rights: Rights,
): Shown[] {
  const isHidden = ({ secret, source }: Shown) => secret || (source === 'PROJECT' && !hasPermission(rights, 'apps:env'))
  return variables.map((each) => (isHidden(each) ? { ...each, value: MASK } : each))
}
