import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { fits } from '#kernel/lib/record-states'
import type { States } from '#kernel/lib/record-states'
import { found, reject } from '#kernel/lib/rejection'
import { withoutKey } from '#kernel/lib/without-key'
import { MASK } from '../../projects/environments/decider.ts'
import { sealedForApplication } from '../events.ts'
import { applicationEnvEvents } from './events.ts'

type VariableSet = DataOf<typeof applicationEnvEvents.ApplicationVariableSet>
export type Variable = Pick<VariableSet, 'name' | 'value' | 'secret' | 'when'>

/** By name. */
type Variables = Readonly<Record<string, Variable>>

export interface EnvSet {
  readonly id: string
  readonly name: string
  readonly variables: Variables
}

export interface ApplicationEnv {
  readonly variables: Variables
  readonly sets: Readonly<Record<string, EnvSet>>
  readonly activeSetId: string | null
}

interface About {
  readonly applicationId: string
  readonly projectId: string
  readonly environmentId: string
}

/** What a request asks of a variable. It keeps what is not given. */
export interface VariableInput extends Pick<Variable, 'name' | 'value'> {
  readonly secret?: boolean | undefined
  readonly when?: Variable['when'] | undefined
}

interface VariableChanges {
  readonly about: About
  readonly set: readonly VariableInput[]
  /** Names. What is not there is left out. */
  readonly remove: readonly string[]
}

/** The active set stays. */
export const INACTIVE_SET = { isActive: [false] } as const satisfies States<{ isActive: boolean }>

const SETS_MAX = 20
const VARIABLES_MAX = 500
/** Of the names and values of one set. */
const ENV_BYTES_MAX = 262_144
/** Given by the panel itself. */
const RESERVED = /^DAYBOOK_/

const EMPTY: ApplicationEnv = { variables: {}, sets: {}, activeSetId: null }

export const applicationEnv = decider(applicationEnvEvents, {
  initial: EMPTY,
  // Each write of many variables appends as many events, so replay needs a snapshot.
  snapshot: { version: 1, everyEvents: 500, sealedFor: (applicationId) => sealedForApplication({ applicationId }) },
  evolve: {
    ApplicationVariableSet: (env, { setId, name, value, secret, when }) =>
      withVariables(env, setId, (all) => ({ ...all, [name]: { name, value, secret, when } })),
    ApplicationVariableRemoved: (env, { setId, name }) => withVariables(env, setId, (all) => withoutKey(all, name)),
    ApplicationEnvSetAdded: (env, { setId: id, name }) => withSet(env, { id, name, variables: {} }),
    ApplicationEnvSetRenamed: (env, { setId, name }) => withSet(env, { ...env.sets[setId]!, name }),
    ApplicationEnvSetRemoved: (env, { setId }) => ({ ...env, sets: withoutKey(env.sets, setId) }),
    ApplicationEnvSetActivated: (env, { setId }) => ({ ...env, activeSetId: setId }),
  },
  commands: {
    Write: ({ variables }, ask: VariableChanges) => changesOf(variables, null, ask),
    AddSet: ({ sets }, ask: VariableChanges & { readonly setId: string; readonly name: string }) => {
      const { about, setId, name } = ask
      if (Object.keys(sets).length >= SETS_MAX)
        reject('conflict', `An application can have at most ${SETS_MAX} sets: delete one first`, 'TOO_MANY')
      rejectTakenName(sets, setId, name)
      return [applicationEnvEvents.ApplicationEnvSetAdded({ ...about, setId, name }), ...changesOf({}, setId, ask)]
    },
    ChangeSet: ({ sets }, ask: VariableChanges & { readonly setId: string; readonly name: string | undefined }) => {
      const { about, setId, name } = ask
      const known = found(sets[setId])
      if (name === undefined || name === known.name) return changesOf(known.variables, setId, ask)
      rejectTakenName(sets, setId, name)
      return [
        applicationEnvEvents.ApplicationEnvSetRenamed({ ...about, setId, name }),
        ...changesOf(known.variables, setId, ask),
      ]
    },
    RemoveSet: ({ sets, activeSetId }, { about, setId }: { readonly about: About; readonly setId: string }) => {
      found(sets[setId])
      if (!fits({ isActive: activeSetId === setId }, INACTIVE_SET))
        reject('conflict', 'The set is the active one: activate another one first', 'SET_ACTIVE')
      return [applicationEnvEvents.ApplicationEnvSetRemoved({ ...about, setId })]
    },
    Activate: ({ sets, activeSetId }, { about, setId }: { readonly about: About; readonly setId: string }) => {
      found(sets[setId])
      return activeSetId === setId ? [] : [applicationEnvEvents.ApplicationEnvSetActivated({ ...about, setId })]
    },
  },
})

function withVariables(env: ApplicationEnv, setId: string | null, change: (all: Variables) => Variables) {
  if (setId === null) return { ...env, variables: change(env.variables) }
  const set = env.sets[setId]!
  return withSet(env, { ...set, variables: change(set.variables) })
}

const withSet = (env: ApplicationEnv, set: EnvSet): ApplicationEnv => ({ ...env, sets: { ...env.sets, [set.id]: set } })

/** A name may be that of a member that every object has, such as `constructor`. */
const variableIn = (all: Variables, name: string): Variable | undefined =>
  Object.hasOwn(all, name) ? all[name] : undefined

function rejectTakenName(sets: ApplicationEnv['sets'], setId: string, name: string): void {
  if (Object.values(sets).some((each) => each.id !== setId && each.name === name))
    reject('conflict', 'A set with this name already exists', 'NAME_TAKEN')
}

function changesOf(present: Variables, setId: string | null, { about, set, remove }: VariableChanges) {
  const names = [...set.map(({ name }) => name), ...remove]
  if (new Set(names).size < names.length)
    reject('invalid', 'A variable name is listed twice: names must be unique', 'NAME_TWICE')
  const gone = remove.filter((name) => variableIn(present, name))
  const changed = set.flatMap((each) => changedVariable(variableIn(present, each.name), each))
  const left = Object.values(present).filter(({ name }) => !names.includes(name))
  mustFit([...left, ...set.map((each) => valueAfter(variableIn(present, each.name), each))])
  return [
    ...gone.map((name) => applicationEnvEvents.ApplicationVariableRemoved({ ...about, setId, name })),
    ...changed.map((each) => applicationEnvEvents.ApplicationVariableSet({ ...about, setId, ...each })),
  ]
}

function valueAfter(before: Variable | undefined, { name, value, secret, when }: VariableInput): Variable {
  const isKept = before?.secret === true && value === MASK
  return {
    name,
    value: isKept ? before.value : value,
    secret: secret ?? before?.secret ?? false,
    when: when ?? before?.when ?? 'RUN',
  }
}

/** Empty for an unchanged variable. @throws Rejection 400 RESERVED | MASKED */
function changedVariable(before: Variable | undefined, asked: VariableInput): Variable[] {
  if (RESERVED.test(asked.name))
    reject('invalid', `Names that begin with DAYBOOK_ are given by the panel: choose another one`, 'RESERVED')
  const after = valueAfter(before, asked)
  // A mask that is stored as a value, or a secret that its mask would show.
  if (asked.value === MASK && (before?.secret !== true || !after.secret))
    reject('invalid', 'The mask stands for the value of a secret variable alone: send the real value', 'MASKED')
  const isSame = before && before.value === after.value && before.secret === after.secret && before.when === after.when
  return isSame ? [] : [after]
}

/** @throws Rejection 409 TOO_MANY · 413 */
function mustFit(all: readonly Variable[]): void {
  if (all.length > VARIABLES_MAX)
    reject('conflict', `An application or a set can have at most ${VARIABLES_MAX} variables`, 'TOO_MANY')
  const bytes = all.reduce((sum, { name, value }) => sum + Buffer.byteLength(name) + Buffer.byteLength(value), 0)
  if (bytes > ENV_BYTES_MAX)
    reject('tooLarge', `The variables have more than ${ENV_BYTES_MAX / 1_024} KiB in all: remove some`, 'TOO_LARGE')
}
