/** Environments of a project, and the variables that its apps share, in all environments or in one. */
import { z } from 'zod'
import { event, sealed, stream } from '#kernel/events/event'
import { sealedForProject } from '../events.ts'

const projectId = z.uuid()
const environmentId = z.uuid()
const variableId = z.uuid()
/** Null: all environments. */
const scope = environmentId.nullable()

const describeScope = (environmentId: string | null, projectId: string): string =>
  environmentId === null ? `project ${projectId}` : `environment ${environmentId} of project ${projectId}`

export const ProjectEnvironmentAdded = event(
  'ProjectEnvironmentAdded',
  'projectId',
  { projectId, environmentId, name: z.string() },
  ({ projectId, environmentId, name }) => `added environment ${environmentId} (${name}) to project ${projectId}`,
)

export const ProjectEnvironmentRenamed = event(
  'ProjectEnvironmentRenamed',
  'projectId',
  { projectId, environmentId, name: z.string() },
  ({ projectId, environmentId, name }) => `renamed environment ${environmentId} of project ${projectId} to ${name}`,
)

export const ProjectEnvironmentRemoved = event(
  'ProjectEnvironmentRemoved',
  'projectId',
  { projectId, environmentId },
  ({ projectId, environmentId }) => `removed environment ${environmentId} from project ${projectId}`,
  { strict: true },
)

export const ProjectVariableSet = event(
  'ProjectVariableSet',
  'projectId',
  { projectId, variableId, environmentId: scope, name: z.string(), value: sealed(z.string()) },
  ({ projectId, environmentId, name }) =>
    `set the shared variable ${name} of ${describeScope(environmentId, projectId)}`,
  { sealedFor: sealedForProject },
)

export const ProjectVariableRemoved = event(
  'ProjectVariableRemoved',
  'projectId',
  { projectId, variableId, environmentId: scope, name: z.string() },
  ({ projectId, environmentId, name }) =>
    `removed the shared variable ${name} of ${describeScope(environmentId, projectId)}`,
)

/** Recorded on every write of the whole set, even without a change. */
export const ProjectSharedEnvWritten = event(
  'ProjectSharedEnvWritten',
  'projectId',
  { projectId, environmentId: scope, set: z.int().min(0), removed: z.int().min(0) },
  ({ projectId, environmentId, set, removed }) =>
    `wrote the shared variables of ${describeScope(environmentId, projectId)}: ${set} set, ${removed} removed`,
)

/** One stream per project, because names are unique, and an environment with variables must not be removed. */
export const projectEnvironmentEvents = stream('projectEnvironments', [
  ProjectEnvironmentAdded,
  ProjectEnvironmentRenamed,
  ProjectEnvironmentRemoved,
  ProjectVariableSet,
  ProjectVariableRemoved,
  ProjectSharedEnvWritten,
])
