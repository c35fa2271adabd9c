/** All variables that the containers of an application could get, and which of them they get. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { StateOf } from '#kernel/events/decider'
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

/** Of now. */
export async function variablesFor(unit: UnitOfWork, place: Place): Promise<SourcedVariable[]> {
  const { variables } = await unit.look(projectEnvironments, place.projectId)
  return sourced(place, variables, await unit.load(applicationEnv, place.id))
}

/** Of the time when the streams of the application and of its project had so many events. */
export async function variablesAt(
  unit: UnitOfWork,
  place: Place,
  revisions: { readonly application: number; readonly project: number },
): Promise<SourcedVariable[]> {
  const { variables } = await unit.loadAt(projectEnvironments, place.projectId, revisions.project)
  return sourced(place, variables, await unit.loadAt(applicationEnv, place.id, revisions.application))
}

function sourced(
  { environmentId }: Place,
  ofProject: StateOf<typeof projectEnvironments>['variables'],
  env: StateOf<typeof applicationEnv>,
): SourcedVariable[] {
  const sharedIn = (environment: string | null) =>
    Object.values(ofProject)
      .filter((each) => each.environmentId === environment)
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
