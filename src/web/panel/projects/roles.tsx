import { getProjectsByIdRoles, postProjectsByIdRoles } from '#api-client/panel/projects'
import { Empty, Part } from '../../kit/controls.tsx'
import { PermissionList } from '../../kit/permissions.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { BuiltInRoles } from './built-in-roles.tsx'
import { ProjectPage } from './project-page.tsx'
import { ProjectAction } from './rights.tsx'
import { RoleActions, usePermissionInput } from './role-actions.tsx'

export default function ProjectRoles() {
  return (
    <ProjectPage>
      {({ id }) => (
        <>
          <OwnRoles id={id} />
          <Part title="Built-in roles">
            <BuiltInRoles />
          </Part>
        </>
      )}
    </ProjectPage>
  )
}

function OwnRoles({ id }: { readonly id: string }) {
  const inputs = usePermissionInput()
  const create = (
    <ProjectAction
      operation={postProjectsByIdRoles}
      input={{ params: { id } }}
      label="New role"
      tone="main"
      inputs={inputs}
      done="The role is created"
    />
  )
  return (
    <Part title="Roles of this project" actions={create}>
      <RecordTable
        operation={getProjectsByIdRoles}
        caption="Roles of this project"
        input={{ params: { id } }}
        keyOf={(role) => role.id}
        columns={[
          { label: 'Role', of: ({ name }) => name },
          { label: 'Permissions', of: ({ permissions }) => <PermissionList of={permissions} /> },
          { label: 'Created', of: ({ createdAt }) => <Time at={createdAt} /> },
          { label: 'Actions', of: (role) => <RoleActions projectId={id} role={role} /> },
        ]}
        empty={<Empty>A role of the project’s own holds the permissions that you choose for it.</Empty>}
      />
    </Part>
  )
}
