import { postAdminAuthSetPassword } from '#api-client/licensing/auth'
import { ChoosePassword } from '../../session/choose-password.tsx'

export default function SetPassword() {
  return (
    <ChoosePassword
      operation={postAdminAuthSetPassword}
      title="Set your password"
      done="Your password is set. All earlier sessions of the account have ended."
      signIn="/console"
      again="An administrator of this service can make a new one."
    />
  )
}
