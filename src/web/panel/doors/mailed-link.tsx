/** Asks for a mail with a link. The service answers the same for any address. */
import { useState } from 'react'
import type { Operation, Shape } from '#api-client/operation'
import { Notice } from '../../kit/controls.tsx'
import { OperationForm } from '../../kit/form.tsx'
import { Page } from '../../kit/page.tsx'

interface MailedLinkProps {
  readonly title: string
  readonly operation: Operation<
    Shape & { readonly body: { readonly email: string }; readonly data: { readonly message: string } }
  >
  readonly about: string
}

export function MailedLink({ title, operation, about }: MailedLinkProps) {
  const [told, setTold] = useState<string>()
  return (
    <Page title={title}>
      <p>{about}</p>
      <div className="narrow stack">
        {told && (
          <Notice tone="good">
            <p>{told}</p>
          </Notice>
        )}
        <OperationForm
          operation={operation}
          labels={{ email: 'E-mail address' }}
          submit={told ? 'Send another mail' : 'Send the mail'}
          isOwn
          onDone={({ message }) => setTold(message)}
        />
      </div>
    </Page>
  )
}
