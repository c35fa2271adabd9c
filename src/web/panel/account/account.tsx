import {
  deleteAuthSessions,
  deleteAuthSessionsById,
  getAuthSessions,
  postAuth2faDisable,
  postAuth2faEnable,
  postAuth2faSetup,
  postAuthChangePassword,
} from '#api-client/panel/auth'
import { AccountPage } from '../../session/account.tsx'
import { NotificationPreferences } from './notification-preferences.tsx'
import { Profile } from './profile.tsx'

export default function OwnAccount() {
  return (
    <AccountPage
      profile={<Profile />}
      operations={{
        changePassword: postAuthChangePassword,
        setup: postAuth2faSetup,
        enable: postAuth2faEnable,
        disable: postAuth2faDisable,
        sessions: {
          list: getAuthSessions,
          endOne: deleteAuthSessionsById,
          endOthers: deleteAuthSessions,
        },
      }}
    >
      <NotificationPreferences />
    </AccountPage>
  )
}
