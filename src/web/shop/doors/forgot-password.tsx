import { useState } from 'react'
import { postShopAuthForgotPassword } from '#api-client/licensing/shop'
import { Notice } from '../../kit/controls.tsx'
import { OperationForm } from '../../kit/form.tsx'
import { Page } from '../../kit/page.tsx'

export default function ForgotPassword() {
  const [isSent, setSent] = useState(false)
  return (
    <Page title="Choose a new password">
      {isSent ? (
        <Notice tone="good" isUrgent>
          <p>If there is an account with this address, a mail with a link is on its way.</p>
        </Notice>
      ) : (
        <div className="narrow">
          <OperationForm
            operation={postShopAuthForgotPassword}
            labels={{ email: 'E-mail address' }}
            submit="Mail me a link"
            onDone={() => setSent(true)}
          />
        </div>
      )}
    </Page>
  )
}
