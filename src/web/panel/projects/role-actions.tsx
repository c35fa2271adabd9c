import type { ReactNode } from 'react'
import {
  deleteProjectsByIdRolesByRoleId,
  getProjectsRbacCatalog,
  patchProjectsByIdRolesByRoleId,
  putProjectsByIdRolesByRoleIdGrants,
} from '#api-client/panel/projects'
import { PermissionChoice } from '../../kit/permissions.tsx'
import { useAnswer } from '../../session/context.tsx'
import { ProjectAction } from './rights.tsx'

/** The field `permissions`, with what the catalog of the projects knows. */
export function usePermissionInput(): Readonly<
  Record<string, (value: unknown, change: (value: unknown) => void) => ReactNode>
> {
  const { data: catalog } = useAnswer(getProjectsRbacCatalog)
  return {
    permissions: (value, change) => (
      <PermissionChoice
        legend="Permissions"
        of={catalog?.permissions ?? []}
        value={(value as readonly string[] | undefined) ?? []}
        onChange={change}
      />
    ),
  }
}

interface RoleActionsProps {
  readonly projectId: string
  readonly role: { readonly id: string; readonly name: string; readonly permissions: readonly string[] }
}

export function RoleActions({ projectId, role: { id, name, permissions } }: RoleActionsProps) {
  const input = { params: { id: projectId, roleId: id } }
  const inputs = usePermissionInput()
  return (
    <div className="row">
      <ProjectAction
        operation={putProjectsByIdRolesByRoleIdGrants}
        input={input}
        label="Permissions"
        title={`Permissions of ${name}`}
        about={<p>The change applies at once to all members and teams with this role.</p>}
        initial={{ permissions }}
        inputs={inputs}
        submit="Save"
        done="The permissions are changed"
      />
      <ProjectAction
        operation={patchProjectsByIdRolesByRoleId}
        input={input}
        label="Rename"
        title={`Rename ${name}`}
        initial={{ name }}
        done="The role is renamed"
      />
      <ProjectAction
        operation={deleteProjectsByIdRolesByRoleId}
        input={input}
        label="Delete"
        title={`Delete ${name}`}
        tone="bad"
        about={<p>Only a role that no member and no team has can be deleted.</p>}
        done="The role is deleted"
      />
    </div>
  )
}
