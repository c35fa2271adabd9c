/** Where mailed links to choose a password lead: of an invitation, and of a forgotten password. */
import { useState } from 'react'
import { Link } from 'wouter'
import { postAuthResetPassword } from '#api-client/panel'
import { ButtonLink, Notice } from '../../kit/controls.tsx'
import { OperationForm } from '../../kit/form.tsx'
import { Page } from '../../kit/page.tsx'
import { takeFragmentToken } from '../../session/fragment.ts'

export default function ResetPassword() {
  const [token] = useState(takeFragmentToken)
  const [isDone, setDone] = useState(false)
  return (
    <Page title="Choose your password">
      {token === undefined && (
        <p>
          This address is not whole. Open the link of the mail again, or{' '}
          <Link href="/forgot-password">ask for another mail</Link>.
        </p>
      )}
      {isDone && <PasswordSet />}
      {token !== undefined && !isDone && (
        <div className="narrow">
          <OperationForm
            operation={postAuthResetPassword}
            fixed={{ token }}
            labels={{ revokeApiKeys: 'Revoke my API keys too' }}
            submit="Set the password"
            isOwn
            onDone={() => setDone(true)}
          />
        </div>
      )}
    </Page>
  )
}

const PasswordSet = () => (
  <>
    <Notice tone="good">
      <p>Your password is set. All earlier sessions of the account have ended.</p>
    </Notice>
    <div>
      <ButtonLink to="/" tone="main">
        Sign in
      </ButtonLink>
    </div>
  </>
)
