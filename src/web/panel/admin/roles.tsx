import {
  deleteAdminRolesByRoleId,
  getAdminRoles,
  patchAdminRolesByRoleId,
  postAdminRoles,
} from '#api-client/panel/roles'
import { Action } from '../../kit/action.tsx'
import { Empty, Value } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'

export default function AdminRoles() {
  return (
    <Page title="Admin roles" actions={<Action operation={postAdminRoles} label="New role" tone="main" />}>
      <RecordTable
        operation={getAdminRoles}
        caption="Admin roles"
        keyOf={({ id }) => id}
        columns={[
          { label: 'Role', of: ({ name }) => name },
          { label: 'Permissions', of: ({ permissions }) => <Value of={permissions} /> },
          { label: 'Created', of: ({ createdAt }) => <Time at={createdAt} /> },
          {
            label: 'Actions',
            of: ({ id, name, permissions }) => (
              <>
                <Action
                  key={`${name} ${permissions.join()}`}
                  operation={patchAdminRolesByRoleId}
                  input={{ params: { roleId: id } }}
                  initial={{ name, permissions }}
                  label="Change"
                  title={`Change ${name}`}
                  tone="quiet"
                />
                <Action
                  operation={deleteAdminRolesByRoleId}
                  input={{ params: { roleId: id } }}
                  label="Delete"
                  title={`Delete ${name}`}
                  tone="quiet"
                  about={<p>Who holds this role loses its permissions at once.</p>}
                  done="The role is deleted"
                />
              </>
            ),
          },
        ]}
        empty={<Empty>An admin role gives some permissions of the installation to people with the role ADMIN.</Empty>}
      />
    </Page>
  )
}
