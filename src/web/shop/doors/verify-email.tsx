import { postShopAuthVerifyEmail } from '#api-client/licensing'
import { ChoosePassword } from './choose-password.tsx'

export default function VerifyEmail() {
  return (
    <ChoosePassword
      operation={postShopAuthVerifyEmail}
      title="Choose your password"
      again={{ to: '/shop/register', label: 'Ask for a new link' }}
    />
  )
}
