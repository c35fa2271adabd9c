/** Where links to choose a password lead: of an invitation, and of a forgotten password. */
import { postAuthResetPassword } from '#api-client/panel/auth'
import { ButtonLink } from '../../kit/controls.tsx'
import { ChoosePassword } from '../../session/choose-password.tsx'

export default function ResetPassword() {
  return (
    <ChoosePassword
      operation={postAuthResetPassword}
      title="Choose your password"
      labels={{ revokeApiKeys: 'Revoke my API keys too' }}
      done="Your password is set. All earlier sessions of the account have ended."
      signIn="/"
      again={<ButtonLink to="/forgot-password">Ask for a new link</ButtonLink>}
    />
  )
}
