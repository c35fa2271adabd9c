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

export const isShared = ({ source }: Pick<SourcedVariable, 'source'>): boolean =>
  source === 'PROJECT' || source === 'ENVIRONMENT'

type Where = Pick<Application, 'id' | 'projectId' | 'environmentId'>
/** An application, or a preview of it with the set that is named for previews. */
type Place = Where &
  ({ readonly preview?: null } | (Pick<Application, 'previews'> & { readonly preview: object | null }))

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
  return variablesIn(place, variables, await unit.load(applicationEnv, place.id))
}

/** Of the time when the streams of the application and of its project had so many events. */
export async function variablesAt(
  unit: UnitOfWork,
  place: Place,
  revisions: { readonly application: number; readonly project: number },
): Promise<SourcedVariable[]> {
  const { variables } = await unit.loadAt(projectEnvironments, place.projectId, revisions.project)
  return variablesIn(place, variables, await unit.loadAt(applicationEnv, place.id, revisions.application))
}

export function variablesIn(
  place: Place,
  ofProject: StateOf<typeof projectEnvironments>['variables'],
  env: StateOf<typeof applicationEnv>,
): SourcedVariable[] {
  const setIn = (setId: string | null) => (setId === null ? [] : Object.values(env.sets[setId]?.variables ?? {}))
  const sharedIn = (environment: string | null) =>
    Object.values(ofProject)
      .filter((each) => each.environmentId === environment)
      .map(shared)
  const { APPLICATION, SET } = { APPLICATION: Object.values(env.variables), SET: setIn(env.activeSetId) }
  const bySource: Record<Source, readonly Variable[]> = {
    ...(place.preview
      ? forPreview({ APPLICATION, SET }, place.previews.setId, setIn)
      : { PROJECT: sharedIn(null), ENVIRONMENT: sharedIn(place.environmentId), APPLICATION, SET }),
  }
  const all = VARIABLE_SOURCES.flatMap((source) => bySource[source].map((each) => ({ ...each, source })))
  const last = new Map(all.map(({ name, source }) => [name, source]))
  return all.map((each) => ({ ...each, inEffect: last.get(each.name) === each.source }))
}

type OwnVariables = Readonly<Record<'APPLICATION' | 'SET', readonly Variable[]>>

/**
 * The set that is named for previews, and nothing else. Without one, what is no secret: a shared variable does not say whether
 * it is one.
 */
function forPreview(own: OwnVariables, setId: string | null, setIn: (setId: string) => readonly Variable[]) {
  const nothing = { PROJECT: [], ENVIRONMENT: [], APPLICATION: [] }
  if (setId !== null) return { ...nothing, SET: setIn(setId) }
  const plain = (variables: readonly Variable[]) => variables.filter(({ secret }) => !secret)
  return { ...nothing, APPLICATION: plain(own.APPLICATION), SET: plain(own.SET) }
}

/** The values that the caller may read. Those of the whole project need apps:env in the whole project. */
export function maskedFor<Shown extends Variable & { readonly source?: Source }>(
  variables: readonly Shown[],
  rights: Rights,
): Shown[] {
  const isHidden = ({ secret, source }: Shown) => secret || (source === 'PROJECT' && !hasPermission(rights, 'apps:env'))
  return variables.map((each) => (isHidden(each) ? { ...each, value: MASK } : each))
}
