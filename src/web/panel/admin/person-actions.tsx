import { useLocation } from 'wouter'
import type { DataOf } from '#api-client/operation'
import {
  deleteAdminUsersById,
  deleteAdminUsersByIdAvatar,
  getAdminUsersById,
  patchAdminUsersByIdAdminPermissions,
  patchAdminUsersByIdAdminRole,
  patchAdminUsersByIdProfile,
  patchAdminUsersByIdRole,
  patchAdminUsersByIdStatus,
  postAdminUsersByIdResetPassword,
} from '#api-client/panel/users'
import { Action } from '../../kit/action.tsx'
import { Actions } from '../../kit/actions.tsx'
import { passwordLink } from './password-link.tsx'

interface PersonActionsProps {
  readonly person: DataOf<typeof getAdminUsersById>
}

export function PersonActions({ person }: PersonActionsProps) {
  const { id, email, name, role, status, adminPermissions, adminRole, avatarId } = person
  const [, go] = useLocation()
  const input = { params: { id } }
  return (
    <Actions
      more={
        <>
          <Action operation={patchAdminUsersByIdProfile} input={input} initial={{ name }} label="Name" />
          <Action
            operation={patchAdminUsersByIdAdminRole}
            input={input}
            initial={{ adminRoleId: adminRole?.id ?? null }}
            label="Admin role"
            labels={{ adminRoleId: 'Admin role' }}
            record={person}
          />
          <Action
            operation={patchAdminUsersByIdAdminPermissions}
            input={input}
            initial={{ permissions: adminPermissions }}
            label="Permissions"
            record={person}
          />
          <Action
            operation={postAdminUsersByIdResetPassword}
            input={input}
            label="New password"
            about={<p>The person gets a link to choose one. Without a mail server it is shown here.</p>}
            secrets={({ link }) => passwordLink(link, email)}
          />
          <Action
            operation={deleteAdminUsersByIdAvatar}
            input={input}
            label="Remove the photo"
            isOffered={avatarId !== null}
            done="The photo is removed"
          />
          <Action
            operation={deleteAdminUsersById}
            input={input}
            label="Erase"
            title={`Erase ${email}`}
            tone="bad"
            about={
              <p>Name, address and sign-in are erased for good. Projects of this person are left without an owner.</p>
            }
            done="The person is erased"
            onDone={() => go('/admin/people')}
          />
        </>
      }
    >
      <Action
        operation={patchAdminUsersByIdStatus}
        input={input}
        initial={{ status }}
        label="State"
        about={<p>Sessions and API keys of a suspended or banned person end at once.</p>}
      />
      <Action operation={patchAdminUsersByIdRole} input={input} initial={{ role }} label="Role" />
    </Actions>
  )
}
