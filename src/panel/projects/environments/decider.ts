import { decider } from '#kernel/events/decider'
import { found, reject } from '#kernel/lib/rejection'
import { withoutKey } from '#kernel/lib/without-key'
import type { Item, ValuesOf } from '#kernel/resource/resource'
import type { Rights } from '../../access/rights.ts'
import { sealedForProject } from '../events.ts'
import { mustHold } from '../rights/rules.ts'
import { projectEnvironmentEvents } from './events.ts'
import type { projectEnvironmentFields, projectVariableFields } from './events.ts'

type Environment = Item<typeof projectEnvironmentFields>

interface Variable extends ValuesOf<typeof projectVariableFields> {
  readonly id: string
  readonly updatedAt: string
}

interface Environments {
  readonly environments: Readonly<Record<string, Environment>>
  readonly variables: Readonly<Record<string, Variable>>
}

/** Replaces a value that the caller may not read. In a request it means: keep the stored value. */
export const MASK = '••••••••'

const ENVIRONMENTS_MAX = 50
const VARIABLES_MAX = 500

const NONE: Environments = { environments: {}, variables: {} }

/** The caller's current rights in the project. */
interface CallerRights {
  readonly rights: Rights
}

interface NamedEnvironment {
  readonly projectId: string
  readonly environmentId: string
  readonly name: string
}

interface SharedEnvInput {
  readonly projectId: string
  readonly environmentId: string | null
  /** The complete new set. `variableId` is used only for a new name. */
  readonly variables: readonly { readonly variableId: string; readonly name: string; readonly value: string }[]
}

export const projectEnvironments = decider(projectEnvironmentEvents, {
  initial: NONE,
  // Each write of all variables can append hundreds of events, so replay needs a snapshot.
  snapshot: { version: 1, everyEvents: 500, sealedFor: (projectId) => sealedForProject({ projectId }) },
  evolve: {
    ProjectEnvironmentAdded: (all, { environmentId, name }, at) =>
      withEnvironment(all, { id: environmentId, name, createdAt: at.toISOString() }),
    ProjectEnvironmentRenamed: (all, { environmentId, name }) =>
      withEnvironment(all, { ...all.environments[environmentId]!, name }),
    ProjectEnvironmentRemoved: ({ environments, variables }, { environmentId }) => ({
      environments: withoutKey(environments, environmentId),
      variables,
    }),
    ProjectVariableSet: ({ environments, variables }, { variableId: id, environmentId, name, value }, at) => ({
      environments,
      variables: { ...variables, [id]: { id, environmentId, name, value, updatedAt: at.toISOString() } },
    }),
    ProjectVariableRemoved: ({ environments, variables }, { variableId }) => ({
      environments,
      variables: withoutKey(variables, variableId),
    }),
    ProjectSharedEnvWritten: (all) => all,
  },
  commands: {
    AddEnvironment: (
      { environments },
      ask: CallerRights & NamedEnvironment & { environmentsMax?: number | undefined },
    ) => {
      const { rights, environmentsMax, ...environment } = ask
      mustHold(rights, 'environments:manage')
      const present = Object.keys(environments).length
      if (environmentsMax !== undefined && present >= environmentsMax)
        reject(
          'conflict',
          `The quota of this project allows ${environmentsMax} environments: delete one first`,
          'QUOTA_REACHED',
        )
      if (present >= ENVIRONMENTS_MAX)
        reject('conflict', `A project can have at most ${ENVIRONMENTS_MAX} environments: delete one first`, 'TOO_MANY')
      rejectTakenName(environments, environment)
      return [projectEnvironmentEvents.ProjectEnvironmentAdded(environment)]
    },
    RenameEnvironment: ({ environments }, { rights, ...ask }: CallerRights & NamedEnvironment) => {
      found(environments[ask.environmentId])
      mustHold(rights, 'environments:manage', ask.environmentId)
      rejectTakenName(environments, ask)
      return [projectEnvironmentEvents.ProjectEnvironmentRenamed(ask)]
    },
    RemoveEnvironment: ({ environments, variables }, ask: CallerRights & Omit<NamedEnvironment, 'name'>) => {
      const { id: environmentId } = found(environments[ask.environmentId])
      mustHold(ask.rights, 'environments:manage', environmentId)
      if (Object.values(variables).some((each) => each.environmentId === environmentId))
        reject('conflict', 'The environment is not empty: delete its shared variables first', 'ENVIRONMENT_NOT_EMPTY')
      return [projectEnvironmentEvents.ProjectEnvironmentRemoved({ projectId: ask.projectId, environmentId })]
    },
    /** Removes the variables that are not listed; a masked value keeps the stored one. */
    WriteSharedEnv: (
      { environments, variables },
      { rights, projectId, environmentId, variables: asked }: CallerRights & SharedEnvInput,
    ) => {
      if (environmentId !== null) found(environments[environmentId])
      mustHold(rights, 'apps:env', environmentId)
      const all = Object.values(variables)
      const present = all.filter((each) => each.environmentId === environmentId)
      if (all.length - present.length + asked.length > VARIABLES_MAX)
        reject('conflict', `A project can have at most ${VARIABLES_MAX} shared variables`, 'TOO_MANY')
      const names = new Set(asked.map(({ name }) => name))
      if (names.size < asked.length)
        reject('invalid', 'A variable name is listed twice: names must be unique', 'NAME_TWICE')
      const place = { projectId, environmentId }
      const gone = present.filter(({ name }) => !names.has(name))
      const set = asked.flatMap((each) =>
        changedVariables(each, present).map((one) => projectEnvironmentEvents.ProjectVariableSet({ ...place, ...one })),
      )
      return [
        ...gone.map(({ id: variableId, name }) =>
          projectEnvironmentEvents.ProjectVariableRemoved({ ...place, variableId, name }),
        ),
        ...set,
        projectEnvironmentEvents.ProjectSharedEnvWritten({ ...place, set: set.length, removed: gone.length }),
      ]
    },
    RemoveVariable: ({ variables }, ask: CallerRights & { projectId: string; variableId: string }) => {
      const { rights, projectId, variableId } = ask
      const { environmentId, name } = found(variables[variableId])
      mustHold(rights, 'apps:env', environmentId)
      return [projectEnvironmentEvents.ProjectVariableRemoved({ projectId, variableId, environmentId, name })]
    },
  },
})

const withEnvironment = ({ environments, variables }: Environments, environment: Environment): Environments => ({
  environments: { ...environments, [environment.id]: environment },
  variables,
})

function rejectTakenName(environments: Environments['environments'], { environmentId, name }: NamedEnvironment): void {
  if (Object.values(environments).some((each) => each.id !== environmentId && each.name === name))
    reject('conflict', 'An environment with this name already exists in the project', 'NAME_TAKEN')
}

type VariableInput = SharedEnvInput['variables'][number]

/** Empty for an unchanged variable. A variable keeps its id as long as its name exists. */
function changedVariables({ variableId, name, value }: VariableInput, present: readonly Variable[]): VariableInput[] {
  const before = present.find((each) => each.name === name)
  if (before ? value === MASK || value === before.value : value === MASK)
    return before ? [] : reject('invalid', 'A new variable cannot have a masked value: send the real value', 'MASKED')
  return [{ variableId: before?.id ?? variableId, name, value }]
}
