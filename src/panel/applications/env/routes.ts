import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { inState } from '#kernel/http/in-state'
import { recordVersion } from '#kernel/http/record-version'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { nameSchema } from '#kernel/lib/display-text'
import { anyField } from '#kernel/lib/given-fields'
import { found, reject } from '#kernel/lib/rejection'
import { inApplication, inApplicationByKey } from '../../access/application-access.ts'
import type { ApplicationView } from '../../access/application-access.ts'
import { changeApplication } from '../../access/application-routes.ts'
import { variableName, variableValue } from '../../projects/environments/input.ts'
import { aboutOf } from '../about/events.ts'
import { applicationEnv, INACTIVE_SET } from './decider.ts'
import type { EnvSet } from './decider.ts'
import { maskedFor, variablesFor, VARIABLE_SOURCES } from './effective.ts'
import { VARIABLE_TIMES, variableFields } from './events.ts'

/** Room for 256 KiB of values as JSON. */
const BODY_BYTES_MAX = 1_048_576
const CHANGES_MAX = 500

const ApplicationVariable = z
  .object({
    ...variableFields,
    source: z.enum(VARIABLE_SOURCES),
    inEffect: z.boolean(),
  })
  .meta({ id: 'ApplicationVariable' })

const SetVariable = z.object(variableFields).meta({ id: 'SetVariable' })

const EnvSetEntry = z
  .object({ id: z.uuid(), name: z.string(), isActive: z.boolean(), variables: z.int() })
  .meta({ id: 'EnvSetEntry' })

const EnvSetView = z
  .object({ id: z.uuid(), name: z.string(), isActive: z.boolean(), variables: z.array(SetVariable) })
  .meta({ id: 'EnvSet' })

const variable = z.strictObject({
  name: variableName,
  value: variableValue.refine((text) => !text.includes('\0'), 'must not have a NUL character'),
  secret: z.boolean().optional(),
  when: z.enum(VARIABLE_TIMES).optional(),
})
const set = z.array(variable).max(CHANGES_MAX)
const remove = z.array(variableName).max(CHANGES_MAX)
const name = nameSchema(40)

const EnvChange = anyField(z.strictObject({ set, remove }).partial(), 'Give set or remove')
const SetChange = anyField(z.strictObject({ name, set, remove }).partial(), 'Give name, set or remove')
const NewSet = z.strictObject({ name, variables: set.default([]) })

const setView = ({ id, name, variables }: EnvSet, activeSetId: string | null): z.input<typeof EnvSetView> => ({
  id,
  name,
  isActive: id === activeSetId,
  variables: maskedFor(Object.values(variables), []),
})

const INACTIVE = inState(EnvSetView, INACTIVE_SET)

const version = recordVersion(EnvSetView.pick({ name: true, variables: true }), async (unit, { params }) => {
  const { sets, activeSetId } = await unit.look(applicationEnv, params['id'])
  const known = sets[params['setId'] ?? '']
  return known && setView(known, activeSetId)
})

async function loadSet(unit: UnitOfWork, applicationId: string, setId: string) {
  const { sets, activeSetId } = await unit.load(applicationEnv, applicationId)
  return setView(found(sets[setId]), activeSetId)
}

type Call = Pick<HandlerContext<unknown, unknown, unknown, ApplicationView>, 'run' | 'ruleResult'>

const readEnv = ({ run, ruleResult: { application } }: Call) => run((unit) => unit.look(applicationEnv, application.id))

export const applicationEnvRoutes = [
  route('GET /api/applications/:id/env', {
    does: 'List the variables of an application: shared ones, its own, and those of its active set.',
    access: inApplicationByKey('apps:env'),
    reply: z.array(ApplicationVariable),
    handle: async ({ run, ruleResult: { application, rights } }) =>
      maskedFor(await run((unit) => variablesFor(unit, application)), rights),
  }),

  changeApplication('PATCH /api/applications/:id/env', inApplicationByKey('apps:env'), {
    does: 'Set and remove variables of an application. The next deployment uses them.',
    refuses: [409],
    bodyMax: BODY_BYTES_MAX,
    body: EnvChange,
    shownOnce: ['value'],
    reply: z.array(ApplicationVariable),
    async decide({ unit, application, body: { set = [], remove = [] }, rights }) {
      await unit.decide(applicationEnv, application.id, 'Write', { about: aboutOf(application), set, remove })
      return maskedFor(await variablesFor(unit, application), rights)
    },
  }),

  route('GET /api/applications/:id/env-sets', {
    does: 'List the sets of variables of an application, without the variables.',
    access: inApplication('apps:env'),
    reply: z.array(EnvSetEntry),
    async handle(call) {
      const { sets, activeSetId } = await readEnv(call)
      return Object.values(sets).map(({ id, name, variables }) => ({
        id,
        name,
        isActive: id === activeSetId,
        variables: Object.keys(variables).length,
      }))
    },
  }),

  changeApplication('POST /api/applications/:id/env-sets', inApplication('apps:env'), {
    does: 'Add a set of variables to an application. It has no effect until it is activated.',
    refuses: [409],
    bodyMax: BODY_BYTES_MAX,
    status: 201,
    body: NewSet,
    shownOnce: ['value'],
    reply: EnvSetView,
    async decide({ unit, application, body: { name, variables: set } }) {
      const setId = unit.newId()
      const added = { about: aboutOf(application), setId, name, set, remove: [] }
      await unit.decide(applicationEnv, application.id, 'AddSet', added)
      return loadSet(unit, application.id, setId)
    },
  }),

  route('GET /api/applications/:id/env-sets/:setId', {
    does: 'Get a set of variables of an application.',
    access: inApplication('apps:env'),
    version,
    reply: EnvSetView,
    async handle(call) {
      const { sets, activeSetId } = await readEnv(call)
      return setView(found(sets[call.params.setId]), activeSetId)
    },
  }),

  changeApplication('PATCH /api/applications/:id/env-sets/:setId', inApplication('apps:env'), {
    does: 'Rename a set of variables, and set and remove its variables.',
    refuses: [409],
    bodyMax: BODY_BYTES_MAX,
    body: SetChange,
    version,
    shownOnce: ['value'],
    reply: EnvSetView,
    async decide({ unit, application, params: { setId }, body: { name, set = [], remove = [] } }) {
      const change = { about: aboutOf(application), setId, name, set, remove }
      await unit.decide(applicationEnv, application.id, 'ChangeSet', change)
      return loadSet(unit, application.id, setId)
    },
  }),

  changeApplication('DELETE /api/applications/:id/env-sets/:setId', inApplication('apps:env'), {
    does: 'Delete a set of variables, unless it is the active one or that of previews.',
    from: INACTIVE,
    decide: ({ unit, application, params: { setId } }) => {
      if (application.previews.setId === setId)
        reject(
          'conflict',
          'Previews have the variables of this set: name another one for them first',
          'SET_OF_PREVIEWS',
        )
      return unit.decide(applicationEnv, application.id, 'RemoveSet', { about: aboutOf(application), setId })
    },
  }),

  changeApplication('POST /api/applications/:id/env-sets/:setId/activate', inApplication('apps:env'), {
    does: 'Make a set of variables the active one of its application. The next deployment uses it.',
    from: INACTIVE,
    reply: z.object({ setId: z.uuid() }),
    async decide({ unit, application, params: { setId } }) {
      await unit.decide(applicationEnv, application.id, 'Activate', { about: aboutOf(application), setId })
      return { setId }
    },
  }),
]
