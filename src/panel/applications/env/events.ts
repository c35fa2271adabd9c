/** The variables of an application: its own, and those of named sets, of which one is active. */
import { z } from 'zod'
import { eventsAbout, sealed, stream } from '#kernel/events/event'
import { aboutApplication, sealedForApplication } from '../events.ts'

/** When a variable is given: to the running containers, to the build of the image, or to both. */
export const VARIABLE_TIMES = ['RUN', 'BUILD', 'BOTH'] as const

export const variableFields = {
  name: z.string(),
  value: sealed(z.string()),
  /** No answer shows the value again. */
  secret: z.boolean(),
  when: z.enum(VARIABLE_TIMES),
}

const setId = z.uuid()
/** Null: the application's own. */
const holder = setId.nullable()
/** The audit trail shows it, so it must not name a person. */
const name = z.string()

const placeOf = (applicationId: string, setId: string | null): string =>
  `${setId === null ? '' : `set ${setId} of `}application ${applicationId}`

const events = eventsAbout(
  aboutApplication,
  sealedForApplication,
)({
  ApplicationVariableSet: {
    fields: { setId: holder, ...variableFields },
    sentence: ({ applicationId, setId, name }) => `set the variable ${name} of ${placeOf(applicationId, setId)}`,
  },
  ApplicationVariableRemoved: {
    fields: { setId: holder, name },
    sentence: ({ applicationId, setId, name }) => `removed the variable ${name} of ${placeOf(applicationId, setId)}`,
  },
  ApplicationEnvSetAdded: {
    fields: { setId, name },
    sentence: ({ applicationId, setId, name }) => `added set ${setId} “${name}” to application ${applicationId}`,
  },
  ApplicationEnvSetRenamed: {
    fields: { setId, name },
    sentence: ({ applicationId, setId, name }) => `renamed set ${setId} of application ${applicationId} to “${name}”`,
  },
  ApplicationEnvSetRemoved: {
    fields: { setId },
    sentence: ({ applicationId, setId }) => `removed set ${setId} from application ${applicationId}`,
  },
  ApplicationEnvSetActivated: {
    fields: { setId },
    sentence: ({ applicationId, setId }) => `made set ${setId} the active one of application ${applicationId}`,
  },
})

/** One stream for each application: names are unique within it, and its active set stays. */
export const applicationEnvEvents = stream('applicationEnv', events)
