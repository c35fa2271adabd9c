import { postShopAuthVerifyEmail } from '#api-client/licensing/shop'
import { ButtonLink } from '../../kit/controls.tsx'
import { ChoosePassword } from '../../session/choose-password.tsx'

export default function VerifyEmail() {
  return (
    <ChoosePassword
      operation={postShopAuthVerifyEmail}
      title="Choose your password"
      signIn="/shop"
      again={<ButtonLink to="/shop/register">Ask for a new link</ButtonLink>}
    />
  )
}
