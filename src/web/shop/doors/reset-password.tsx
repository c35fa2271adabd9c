import { postShopAuthResetPassword } from '#api-client/licensing'
import { ChoosePassword } from './choose-password.tsx'

export default function ResetPassword() {
  return (
    <ChoosePassword
      operation={postShopAuthResetPassword}
      title="Choose a new password"
      again={{ to: '/shop/forgot-password', label: 'Ask for a new link' }}
    />
  )
}
