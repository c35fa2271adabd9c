/** Environments of a project, and the variables that its apps share, in all environments or in one. */
import { z } from 'zod'
import { eventsAbout, sealed, stream } from '#kernel/events/event'
import { sealedForProject } from '../events.ts'

const environmentId = z.uuid()
const variableId = z.uuid()
/** Null: all environments. */
const scope = environmentId.nullable()

export const projectEnvironmentFields = { name: z.string() }
export const projectVariableFields = { environmentId: scope, name: z.string(), value: sealed(z.string()) }

const describeScope = (environmentId: string | null, projectId: string): string =>
  environmentId === null ? `project ${projectId}` : `environment ${environmentId} of project ${projectId}`

const declareEvents = eventsAbout({ projectId: z.uuid() }, sealedForProject)
const events = declareEvents({
  ProjectEnvironmentAdded: {
    fields: { environmentId, ...projectEnvironmentFields },
    sentence: ({ projectId, environmentId, name }) =>
      `added environment ${environmentId} (${name}) to project ${projectId}`,
  },
  ProjectEnvironmentRenamed: {
    fields: { environmentId, ...projectEnvironmentFields },
    sentence: ({ projectId, environmentId, name }) =>
      `renamed environment ${environmentId} of project ${projectId} to ${name}`,
  },
  ProjectEnvironmentRemoved: {
    fields: { environmentId },
    sentence: ({ projectId, environmentId }) => `removed environment ${environmentId} from project ${projectId}`,
    strict: true,
  },
  ProjectVariableSet: {
    fields: { variableId, ...projectVariableFields },
    sentence: ({ projectId, environmentId, name }) =>
      `set the shared variable ${name} of ${describeScope(environmentId, projectId)}`,
  },
  ProjectVariableRemoved: {
    fields: { variableId, environmentId: scope, name: z.string() },
    sentence: ({ projectId, environmentId, name }) =>
      `removed the shared variable ${name} of ${describeScope(environmentId, projectId)}`,
  },
  /** Recorded on every write of the whole set, even without a change. */
  ProjectSharedEnvWritten: {
    fields: { environmentId: scope, set: z.int().min(0), removed: z.int().min(0) },
    sentence: ({ projectId, environmentId, set, removed }) =>
      `wrote the shared variables of ${describeScope(environmentId, projectId)}: ${set} set, ${removed} removed`,
  },
})

/** One stream per project, because names are unique, and an environment with variables must not be removed. */
export const projectEnvironmentEvents = stream('projectEnvironments', events)
