/** Where the mailed link of a registration leads; without its token, another mail can be asked for. */
import { useState } from 'react'
import { useLocation } from 'wouter'
import { postAuthResendVerification, postAuthVerifyEmail } from '#api-client/panel/auth'
import { OperationForm } from '../../kit/form.tsx'
import { Page } from '../../kit/page.tsx'
import { useSession } from '../../session/context.tsx'
import { takeFragmentToken } from '../../session/fragment.ts'
import { MailedLink } from './mailed-link.tsx'

export default function VerifyEmail() {
  const [token] = useState(takeFragmentToken)
  if (token === undefined)
    return (
      <MailedLink
        title="Prove your address"
        operation={postAuthResendVerification}
        about="The link in the mail proves that the address is yours. Another mail can be sent here."
      />
    )
  return <Verify token={token} />
}

function Verify({ token }: { readonly token: string }) {
  const { enter } = useSession()
  const [, go] = useLocation()
  return (
    <Page title="Prove your address">
      <p>This proves that the address is yours, and signs you in.</p>
      <div className="narrow">
        <OperationForm
          operation={postAuthVerifyEmail}
          fixed={{ token }}
          labels={{ totp: 'Code of your second factor, if you have one' }}
          submit="This is my address"
          isOwn
          onDone={(signedIn) => {
            go('/')
            enter(signedIn)
          }}
        />
      </div>
    </Page>
  )
}
