import { useState } from 'react'
import { postShopAuthRegister } from '#api-client/licensing/shop'
import { Notice } from '../../kit/controls.tsx'
import { OperationForm } from '../../kit/form.tsx'
import { Page } from '../../kit/page.tsx'

export default function Register() {
  const [isSent, setSent] = useState(false)
  return (
    <Page title="Make an account">
      {isSent ? (
        <Notice tone="good" isUrgent>
          <p>A mail is on its way, if this address can be used. Its link lets you choose a password.</p>
        </Notice>
      ) : (
        <div className="narrow">
          <OperationForm
            operation={postShopAuthRegister}
            labels={{ email: 'E-mail address' }}
            submit="Continue"
            onDone={() => setSent(true)}
          />
        </div>
      )}
    </Page>
  )
}
