import { postAuthForgotPassword } from '#api-client/panel/auth'
import { MailedLink } from './mailed-link.tsx'

export default function ForgotPassword() {
  return (
    <MailedLink
      title="Choose a new password"
      operation={postAuthForgotPassword}
      about="A mail with a link is sent to the address of your account."
    />
  )
}
