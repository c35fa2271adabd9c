/** The page of a mailed link: it sends the link's secret with the password that is chosen. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Operation, Shape } from '#api-client/operation'
import { ButtonLink, Notice } from '../kit/controls.tsx'
import { OperationForm } from '../kit/form.tsx'
import { Page } from '../kit/page.tsx'
import { takeFragmentToken } from './fragment.ts'

interface ChoosePasswordProps<S extends Shape> {
  readonly operation: Operation<S & { readonly body: { readonly token: string; readonly password: string } }>
  readonly title: string
  readonly labels?: Readonly<Record<string, string>>
  /** What is told when it is done. */
  readonly done?: string
  /** The page that then asks for the password. */
  readonly signIn: string
  /** How a link that has ended is replaced. */
  readonly again: ReactNode
}

export function ChoosePassword<S extends Shape>(props: ChoosePasswordProps<S>) {
  const { operation, title, labels = {}, done = 'Your password is set.', signIn, again } = props
  const [token] = useState(takeFragmentToken)
  const [isDone, setDone] = useState(false)
  if (isDone)
    return (
      <Page title={title}>
        <Notice tone="good" isUrgent>
          <p>{done}</p>
        </Notice>
        <div>
          <ButtonLink to={signIn} tone="main">
            Sign in
          </ButtonLink>
        </div>
      </Page>
    )
  if (token === undefined)
    return (
      <Page title={title}>
        <p>This page is opened by a link. Open the link again, whole, or replace it:</p>
        <div>{again}</div>
      </Page>
    )
  return (
    <Page title={title}>
      <div className="narrow">
        <OperationForm
          operation={operation}
          fixed={{ token }}
          labels={labels}
          submit="Set the password"
          isOwn
          onDone={() => setDone(true)}
        />
      </div>
      <p className="small">The link works once, within the time that its mail names. {again}</p>
    </Page>
  )
}
