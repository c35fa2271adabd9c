import {
  deleteAdminAuthSessions,
  deleteAdminAuthSessionsById,
  getAdminAuthSessions,
  postAdminAuth2faDisable,
  postAdminAuth2faEnable,
  postAdminAuth2faSetup,
  postAdminAuthPassword,
} from '#api-client/licensing/auth'
import { Fact, Facts, Part, Value } from '../../kit/controls.tsx'
import { PermissionList } from '../../kit/permissions.tsx'
import { wordOf } from '../../kit/words.ts'
import { AccountPage } from '../../session/account.tsx'
import { useAccount } from '../../session/context.tsx'
import type { Account } from '../../session/realm.ts'

interface Staff extends Account {
  readonly roles: readonly string[]
}

export default function OwnAccount() {
  const { roles, permissions } = useAccount<Staff>()
  return (
    <AccountPage
      operations={{
        changePassword: postAdminAuthPassword,
        setup: postAdminAuth2faSetup,
        enable: postAdminAuth2faEnable,
        disable: postAdminAuth2faDisable,
        sessions: {
          list: getAdminAuthSessions,
          endOne: deleteAdminAuthSessionsById,
          endOthers: deleteAdminAuthSessions,
        },
      }}
    >
      <Part title="What you may do">
        <Facts>
          <Fact label="Roles">
            <Value of={roles.map(wordOf)} />
          </Fact>
        </Facts>
        <PermissionList of={permissions ?? []} />
      </Part>
    </AccountPage>
  )
}
