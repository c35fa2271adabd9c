import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { recordVersion } from '#kernel/http/record-version'
import { route } from '#kernel/http/route'
import { nameSchema } from '#kernel/lib/display-text'
import { found } from '#kernel/lib/rejection'
import { readRow } from '#kernel/resource/read-row'
import { projectRoleTable } from '#projections/panel/projects'
import { PROJECT_PERMISSIONS, projectPermission } from '../../access/permissions.ts'
import { inProject, inProjectByKey, projectAdmin } from '../../access/project-access.ts'
import { projectRoutes } from '../../access/project-routes.ts'
import { projects } from '../decider.ts'
import { projectRoleFields } from '../events.ts'

const Role = z.object({ id: z.uuid(), ...projectRoleFields, createdAt: z.iso.datetime() }).meta({ id: 'ProjectRole' })
const Grants = Role.pick({ permissions: true })

const name = nameSchema(50)
const permissions = z
  .array(projectPermission)
  .max(PROJECT_PERMISSIONS.length)
  .transform((all) => [...new Set(all)])

async function loadRole(unit: UnitOfWork, projectId: string, roleId: string) {
  const role = found((await unit.load(projects, projectId))?.roles[roleId])
  return { ...role, permissions: [...role.permissions] }
}

const version = recordVersion(Grants, async (unit, { params }) => {
  const role = (await unit.look(projects, params['id']))?.roles[params['roleId']!]
  return role && { permissions: [...role.permissions] }
})

const admin = projectRoutes(projectAdmin)

export const projectRoleRoutes = [
  projectRoutes(inProjectByKey('platform:projects:view')).list('GET /api/projects/:id/roles', projectRoleTable, {
    does: 'List the project’s own roles.',
    item: Role,
  }),

  admin.change('POST /api/projects/:id/roles', {
    does: 'Create a custom role. Its name must be unique in the project.',
    status: 201,
    body: z.strictObject({ name, permissions: permissions.default([]) }),
    reply: Role,
    async decide({ unit, projectId, body, by }) {
      const roleId = unit.newId()
      await unit.decide(projects, projectId, 'CreateRole', { roleId, ...body, by })
      return loadRole(unit, projectId, roleId)
    },
  }),

  admin.change('PATCH /api/projects/:id/roles/:roleId', {
    does: 'Rename a custom role.',
    body: z.strictObject({ name }),
    reply: Role,
    async decide({ unit, projectId, params: { roleId }, body, by }) {
      await unit.decide(projects, projectId, 'RenameRole', { roleId, ...body, by })
      return loadRole(unit, projectId, roleId)
    },
  }),

  admin.change('DELETE /api/projects/:id/roles/:roleId', {
    does: 'Delete a custom role that no member and no team has.',
    decide: ({ unit, projectId, params: { roleId }, by }) =>
      unit.decide(projects, projectId, 'DeleteRole', { roleId, by }),
  }),

  route('GET /api/projects/:id/roles/:roleId/grants', {
    does: 'Get the permissions of a custom role.',
    access: inProject(),
    version,
    reply: Grants,
    handle: (call) => readRow(call, projectRoleTable, { projectId: call.params.id, id: call.params.roleId }),
  }),

  admin.change('PUT /api/projects/:id/roles/:roleId/grants', {
    does: 'Replace the permissions of a custom role. The change applies to all its members and teams at once.',
    version,
    body: z.strictObject({ permissions }),
    reply: Grants,
    async decide({ unit, projectId, params: { roleId }, body, by }) {
      await unit.decide(projects, projectId, 'GrantRole', { roleId, ...body, by })
      return loadRole(unit, projectId, roleId)
    },
  }),
]
