import { postShopAuthResetPassword } from '#api-client/licensing/shop'
import { ButtonLink } from '../../kit/controls.tsx'
import { ChoosePassword } from '../../session/choose-password.tsx'

export default function ResetPassword() {
  return (
    <ChoosePassword
      operation={postShopAuthResetPassword}
      title="Choose a new password"
      signIn="/shop"
      again={<ButtonLink to="/shop/forgot-password">Ask for a new link</ButtonLink>}
    />
  )
}
