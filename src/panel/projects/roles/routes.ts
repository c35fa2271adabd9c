import { z } from 'zod'
import { route } from '#kernel/http/route'
import { nameSchema } from '#kernel/lib/display-text'
import { found } from '#kernel/lib/rejection'
import { projectRoleTable } from '#projections/panel/projects'
import { panelList, panelListReply, panelListQuery } from '../../access/panel-list.ts'
import { PROJECT_PERMISSIONS, projectPermission } from '../../access/permissions.ts'
import { inProject, projectAdmin } from '../../access/project-access.ts'
import { userPrincipalOf } from '../../workflows/project-memberships.ts'
import { projects } from '../decider.ts'
import type { Project } from '../rights/rules.ts'

const Role = z.object({ id: z.uuid(), name: z.string(), permissions: z.array(z.string()), createdAt: z.iso.datetime() })
const Grants = z.object({ permissions: z.array(z.string()) })

const name = nameSchema(50)
const permissions = z
  .array(projectPermission)
  .max(PROJECT_PERMISSIONS.length)
  .transform((all) => [...new Set(all)])

function requireRole(project: Project | undefined, roleId: string) {
  const role = found(project?.roles[roleId])
  return { ...role, permissions: [...role.permissions] }
}

export const projectRoleRoutes = [
  route('GET /api/projects/:id/roles', {
    does: 'List the project’s own roles.',
    access: inProject(undefined, 'platform:projects:view'),
    query: panelListQuery({}),
    reply: panelListReply(Role),
    handle: ({ read, vault, query, params: { id } }) =>
      panelList(projectRoleTable.queryIn(read).selectAll().where('projectId', '=', id), query, (rows) =>
        projectRoleTable.open(vault, rows),
      ),
  }),

  route('POST /api/projects/:id/roles', {
    does: 'Create a custom role. Its name must be unique in the project.',
    access: projectAdmin,
    status: 201,
    body: z.strictObject({ name, permissions: permissions.default([]) }),
    reply: Role,
    handle: ({ run, caller, body, params: { id } }) =>
      run(async (unit) => {
        const roleId = unit.newId()
        await unit.decide(projects, id, 'CreateRole', { roleId, ...body, by: await userPrincipalOf(unit, caller) })
        return requireRole(await unit.load(projects, id), roleId)
      }),
  }),

  route('PATCH /api/projects/:id/roles/:roleId', {
    does: 'Rename a custom role.',
    access: projectAdmin,
    body: z.strictObject({ name }),
    reply: Role,
    handle: ({ run, caller, body, params: { id, roleId } }) =>
      run(async (unit) => {
        await unit.decide(projects, id, 'RenameRole', { roleId, ...body, by: await userPrincipalOf(unit, caller) })
        return requireRole(await unit.load(projects, id), roleId)
      }),
  }),

  route('DELETE /api/projects/:id/roles/:roleId', {
    does: 'Delete a custom role that no member and no team has.',
    access: projectAdmin,
    handle: ({ run, caller, params: { id, roleId } }) =>
      run(async (unit) => {
        await unit.decide(projects, id, 'DeleteRole', { roleId, by: await userPrincipalOf(unit, caller) })
      }),
  }),

  route('GET /api/projects/:id/roles/:roleId/grants', {
    does: 'Get the permissions of a custom role.',
    access: inProject(),
    reply: Grants,
    handle: async ({ read, params: { id, roleId } }) =>
      found(
        await projectRoleTable
          .queryIn(read)
          .select('permissions')
          .where('projectId', '=', id)
          .where('id', '=', roleId)
          .executeTakeFirst(),
      ),
  }),

  route('PUT /api/projects/:id/roles/:roleId/grants', {
    does: 'Replace the permissions of a custom role. The change applies to all its members and teams at once.',
    access: projectAdmin,
    body: z.strictObject({ permissions }),
    reply: Grants,
    handle: ({ run, caller, body, params: { id, roleId } }) =>
      run(async (unit) => {
        await unit.decide(projects, id, 'GrantRole', { roleId, ...body, by: await userPrincipalOf(unit, caller) })
        return requireRole(await unit.load(projects, id), roleId)
      }),
  }),
]
