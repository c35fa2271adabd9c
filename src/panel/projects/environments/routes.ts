import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { projectEnvironmentTable, projectVariableTable } from '#projections/panel/projects'
import { panelList, panelListReply, panelListQuery } from '../../access/panel-list.ts'
import { inEnvironment, inProject, inSharedEnv, inVariable, rightsIn } from '../../access/project-access.ts'
import { hasPermission, canSeeEnvironment } from '../../access/rights.ts'
import type { Rights } from '../../access/rights.ts'
import { quotaOfProject } from '../../quotas/effective-quota.ts'
import { principalOf } from '../../workflows/project-memberships.ts'
import { projects } from '../decider.ts'
import { rightsOf } from '../rights/rules.ts'
import { MASK, projectEnvironments } from './decider.ts'

const Environment = z.object({ id: z.uuid(), name: z.string(), createdAt: z.iso.datetime() })

const Variable = z.object({
  id: z.uuid(),
  /** Null: shared by all environments. */
  environmentId: z.uuid().nullable(),
  name: z.string(),
  value: z.string(),
  /** True if the value is hidden, because the caller lacks apps:env in this environment. */
  masked: z.boolean(),
  updatedAt: z.iso.datetime(),
})

const name = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, 'Use lower-case letters, digits, and hyphens between them')
  .max(40)

const SharedEnv = z.strictObject({
  variables: z
    .array(
      z.strictObject({
        name: z
          .string()
          .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Use letters, digits and _; do not start with a digit')
          .max(128),
        value: z.string().max(32_768),
      }),
    )
    .max(500),
})

const environmentId = uuid.optional()

type ProjectContext = Pick<HandlerContext<{ readonly id: string }>, 'caller' | 'params'>

/**
 * The caller's rights in the project at the time of this unit of work.
 * @throws Rejection 401 | 404 if the project does not exist
 */
async function currentRights(unit: UnitOfWork, { caller, params: { id } }: ProjectContext): Promise<Rights> {
  return rightsOf(found(await unit.look(projects, id)), await principalOf(unit, caller))
}

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

export const environmentRoutes = [
  route('GET /api/projects/:id/environments', {
    does: 'List the environments of a project that the caller’s roles include.',
    access: inProject(),
    query: panelListQuery({}),
    reply: panelListReply(Environment),
    async handle({ read, caller, query, params: { id } }) {
      const seen = await visibleEnvironmentIds({ read, caller }, id)
      const rows = projectEnvironmentTable.queryIn(read).selectAll().where('projectId', '=', id)
      const within = seen.length === 0 ? rows.where('id', 'is', null) : rows.where('id', 'in', seen)
      return panelList(within, query, (found) => found)
    },
  }),

  route('POST /api/projects/:id/environments', {
    does: 'Add an environment. Its name must be unique in the project.',
    access: inProject('environments:manage'),
    status: 201,
    body: z.strictObject({ name }),
    reply: Environment,
    handle: ({ run, body, caller, params }) =>
      run(async (unit) => {
        const rights = await currentRights(unit, { caller, params })
        const [projectId, environmentId] = [params.id, unit.newId()]
        const environmentsMax = (await quotaOfProject(unit, projectId)).environments ?? undefined
        const environment = { rights, projectId, environmentId, ...body, environmentsMax }
        await unit.decide(projectEnvironments, projectId, 'AddEnvironment', environment)
        return loadEnvironment(unit, projectId, environmentId)
      }),
  }),

  route('PATCH /api/projects/:id/environments/:envId', {
    does: 'Rename an environment.',
    access: inEnvironment('environments:manage'),
    body: z.strictObject({ name }),
    reply: Environment,
    handle: ({ run, body, caller, params }) =>
      run(async (unit) => {
        const { id: projectId, envId: environmentId } = params
        const asked = { rights: await currentRights(unit, { caller, params }), projectId, environmentId, ...body }
        await unit.decide(projectEnvironments, projectId, 'RenameEnvironment', asked)
        return loadEnvironment(unit, projectId, environmentId)
      }),
  }),

  route('DELETE /api/projects/:id/environments/:envId', {
    does: 'Delete an environment that has no shared variables.',
    access: inEnvironment('environments:manage'),
    handle: ({ run, caller, params }) =>
      run(async (unit) => {
        const { id: projectId, envId: environmentId } = params
        const asked = { rights: await currentRights(unit, { caller, params }), projectId, environmentId }
        await unit.decide(projectEnvironments, projectId, 'RemoveEnvironment', asked)
      }),
  }),

  route('GET /api/projects/:id/shared-env', {
    does:
      'List the shared variables of all environments, or of one with `environmentId`. Values are masked without ' +
      'apps:env.',
    access: inSharedEnv(),
    query: panelListQuery({ environmentId }),
    reply: panelListReply(Variable),
    async handle({ read, vault, caller, query, params: { id } }) {
      const place = query.environmentId ?? null
      const masked = !hasPermission(await rightsIn(read, caller, id), 'apps:env', place)
      const rows = projectVariableTable.queryIn(read).selectAll().where('projectId', '=', id)
      const within = place === null ? rows.where('environmentId', 'is', null) : rows.where('environmentId', '=', place)
      return panelList(
        within,
        query,
        async (found): Promise<z.input<typeof Variable>[]> =>
          masked
            ? found.map((row) => ({ ...row, value: MASK, masked }))
            : (await projectVariableTable.open(vault, found)).map((row) => ({ ...row, masked })),
        ['updatedAt', 'id'],
      )
    },
  }),

  route('PUT /api/projects/:id/shared-env', {
    does:
      'Replace the shared variables of all environments, or of one with `environmentId`. A masked value keeps the ' +
      'stored one.',
    access: inSharedEnv('apps:env'),
    query: z.strictObject({ environmentId }),
    body: SharedEnv,
    reply: z.array(Variable),
    shownOnce: ['value'],
    handle: ({ run, query, body, caller, params }) =>
      run(async (unit) => {
        const rights = await currentRights(unit, { caller, params })
        const [projectId, place] = [params.id, query.environmentId ?? null]
        const variables = body.variables.map((each) => ({ ...each, variableId: unit.newId() }))
        const asked = { rights, projectId, environmentId: place, variables }
        await unit.decide(projectEnvironments, projectId, 'WriteSharedEnv', asked)
        return loadVariables(unit, projectId, place)
      }),
  }),

  route('DELETE /api/projects/:id/shared-env/:rowId', {
    does: 'Delete one shared variable.',
    access: inVariable('apps:env'),
    handle: ({ run, caller, params }) =>
      run(async (unit) => {
        const { id: projectId, rowId: variableId } = params
        const asked = { rights: await currentRights(unit, { caller, params }), projectId, variableId }
        await unit.decide(projectEnvironments, projectId, 'RemoveVariable', asked)
      }),
  }),
]
