import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { arrayLists } from '#kernel/resource/array-lists'
import { projectEnvironmentTable, projectVariableTable } from '#projections/panel/projects'
import { inEnvironment, inProject, inSharedEnv, inVariable, rightsIn } from '../../access/project-access.ts'
import { projectRoutes } from '../../access/project-routes.ts'
import { hasPermission, canSeeEnvironment } from '../../access/rights.ts'
import { quotaOfProject } from '../../quotas/effective-quota.ts'
import { projectContents } from '../contents/decider.ts'
import { MASK, projectEnvironments } from './decider.ts'
import { projectEnvironmentFields, projectVariableFields } from './events.ts'
import { variableName, variableValue } from './input.ts'

const Environment = z
  .object({ id: z.uuid(), ...projectEnvironmentFields, createdAt: z.iso.datetime() })
  .meta({ id: 'Environment' })

const Variable = z
  .object({
    id: z.uuid(),
    ...projectVariableFields,
    /** True if the value is hidden, because the caller lacks apps:env in this environment. */
    masked: z.boolean(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Variable' })

const name = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, 'Use lower-case letters, digits, and hyphens between them')
  .max(40)

const SharedEnv = z.strictObject({
  variables: z
    .array(
      z.strictObject({
        name: variableName,
        value: variableValue,
      }),
    )
    .max(500),
})

const environmentId = uuid.optional()

async function loadEnvironment(unit: UnitOfWork, projectId: string, environmentId: string) {
  return found((await unit.load(projectEnvironments, projectId)).environments[environmentId])
}

async function loadVariables(unit: UnitOfWork, projectId: string, environmentId: string | null) {
  const { variables } = await unit.load(projectEnvironments, projectId)
  const here = Object.values(variables).filter((each) => each.environmentId === environmentId)
  return here.map((each) => ({ ...each, masked: false }))
}

/** Ids of the environments that the caller's assignments include. */
async function visibleEnvironmentIds(
  { read, caller }: Pick<HandlerContext, 'read' | 'caller'>,
  projectId: string,
): Promise<string[]> {
  const rows = projectEnvironmentTable.queryIn(read).select('id').where('projectId', '=', projectId)
  const [rights, all] = await Promise.all([rightsIn(read, caller, projectId), rows.execute()])
  return all.flatMap(({ id }) => (canSeeEnvironment(rights, id) ? [id] : []))
}

const managed = projectRoutes(inEnvironment('environments:manage'))

export const environmentRoutes = [
  projectRoutes(inProject()).list('GET /api/projects/:id/environments', projectEnvironmentTable, {
    does: 'List the environments of a project that the caller’s roles include.',
    item: Environment,
    async only(rows, call) {
      const seen = await visibleEnvironmentIds(call, call.params.id)
      return seen.length === 0 ? rows.where('id', 'is', null) : rows.where('id', 'in', seen)
    },
  }),

  projectRoutes(inProject('environments:manage')).change('POST /api/projects/:id/environments', {
    does: 'Add an environment. Its name must be unique in the project.',
    status: 201,
    body: z.strictObject({ name }),
    reply: Environment,
    async decide({ unit, projectId, body, rights }) {
      const environmentId = unit.newId()
      const environmentsMax = (await quotaOfProject(unit, projectId)).environments ?? undefined
      const environment = { rights: await rights(), projectId, environmentId, ...body, environmentsMax }
      await unit.decide(projectEnvironments, projectId, 'AddEnvironment', environment)
      return loadEnvironment(unit, projectId, environmentId)
    },
  }),

  managed.change('PATCH /api/projects/:id/environments/:envId', {
    does: 'Rename an environment.',
    body: z.strictObject({ name }),
    reply: Environment,
    async decide({ unit, projectId, params: { envId: environmentId }, body, rights }) {
      const asked = { rights: await rights(), projectId, environmentId, ...body }
      await unit.decide(projectEnvironments, projectId, 'RenameEnvironment', asked)
      return loadEnvironment(unit, projectId, environmentId)
    },
  }),

  managed.change('DELETE /api/projects/:id/environments/:envId', {
    does: 'Delete an environment that has no shared variables and no applications.',
    async decide({ unit, projectId, params: { envId: environmentId }, rights }) {
      const asked = { rights: await rights(), projectId, environmentId }
      await unit.decide(projectEnvironments, projectId, 'RemoveEnvironment', asked)
      await unit.decide(projectContents, projectId, 'MustBeEmpty', { environmentId })
    },
  }),

  projectRoutes(inSharedEnv()).list(
    'GET /api/projects/:id/shared-env',
    projectVariableTable,
    {
      does: 'List the shared variables of all environments or of `environmentId`. Without apps:env, values are masked.',
      item: Variable,
      only: (rows, { query: { environmentId = null } }) =>
        environmentId === null
          ? rows.where('environmentId', 'is', null)
          : rows.where('environmentId', '=', environmentId),
      async shown(rows, { read, vault, caller, query: { environmentId = null }, params: { id } }) {
        if (!hasPermission(await rightsIn(read, caller, id), 'apps:env', environmentId))
          return rows.map((row) => ({ ...row, value: MASK, masked: true }))
        return (await projectVariableTable.open(vault, rows)).map((row) => ({ ...row, masked: false }))
      },
    },
    arrayLists({ environmentId }, ['updatedAt', 'id']),
  ),

  projectRoutes(inSharedEnv('apps:env')).change('PUT /api/projects/:id/shared-env', {
    does: 'Replace the shared variables of all environments or of `environmentId`. A masked value keeps the old one.',
    query: z.strictObject({ environmentId }),
    body: SharedEnv,
    reply: z.array(Variable),
    shownOnce: ['value'],
    async decide({ unit, projectId, query: { environmentId = null }, body, rights }) {
      const variables = body.variables.map((each) => ({ ...each, variableId: unit.newId() }))
      const asked = { rights: await rights(), projectId, environmentId, variables }
      await unit.decide(projectEnvironments, projectId, 'WriteSharedEnv', asked)
      return loadVariables(unit, projectId, environmentId)
    },
  }),

  projectRoutes(inVariable('apps:env')).change('DELETE /api/projects/:id/shared-env/:rowId', {
    does: 'Delete one shared variable.',
    async decide({ unit, projectId, params: { rowId: variableId }, rights }) {
      const asked = { rights: await rights(), projectId, variableId }
      await unit.decide(projectEnvironments, projectId, 'RemoveVariable', asked)
    },
  }),
]
