import { useState } from 'react'
import type { postShopAuthResetPassword, postShopAuthVerifyEmail } from '#api-client/licensing'
import { ButtonLink, Notice } from '../../kit/controls.tsx'
import { OperationForm } from '../../kit/form.tsx'
import { Page } from '../../kit/page.tsx'
import { takeFragmentToken } from '../../session/fragment.ts'

interface ChoosePasswordProps {
  readonly operation: typeof postShopAuthVerifyEmail | typeof postShopAuthResetPassword
  readonly title: string
  /** Where a link that has ended is replaced. */
  readonly again: { readonly to: string; readonly label: string }
}

/** The page of a mailed link: it sends the link's secret with the new password. */
export function ChoosePassword({ operation, title, again }: ChoosePasswordProps) {
  const [token] = useState(takeFragmentToken)
  const [isDone, setDone] = useState(false)
  if (isDone)
    return (
      <Page title={title}>
        <Notice tone="good" isUrgent>
          <p>Your password is set.</p>
        </Notice>
        <div>
          <ButtonLink to="/shop" tone="main">
            Sign in
          </ButtonLink>
        </div>
      </Page>
    )
  if (token === undefined)
    return (
      <Page title={title}>
        <p>This page is opened by a mailed link. Open the link in the mail again, or ask for a new one.</p>
        <div>
          <ButtonLink to={again.to}>{again.label}</ButtonLink>
        </div>
      </Page>
    )
  return (
    <Page title={title}>
      <div className="narrow">
        <OperationForm operation={operation} fixed={{ token }} submit="Set the password" onDone={() => setDone(true)} />
      </div>
      <p className="small">
        The link can be used once, and not for long. <ButtonLink to={again.to}>{again.label}</ButtonLink>
      </p>
    </Page>
  )
}
