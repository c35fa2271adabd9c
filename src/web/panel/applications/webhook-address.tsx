/** What a provider needs to send pushes: the address, and the secret when it is asked for. */
import { useState } from 'react'
import type { DataOf } from '#api-client/operation'
import type { getApplicationsByIdWebhook } from '#api-client/panel/applications'
import { Button } from '../../kit/controls.tsx'
import { CopyText } from '../../kit/reveal.tsx'

export type Webhook = DataOf<typeof getApplicationsByIdWebhook>

export function WebhookAddress({ of: { url, secret } }: { readonly of: Webhook }) {
  const [isShown, setShown] = useState(false)
  return (
    <div className="stack">
      <CopyText label="Address" text={url} />
      {secret === null ? (
        <p className="small soft">Its secret is not for you to see.</p>
      ) : (
        <>
          {isShown && <CopyText label="Secret" text={secret} />}
          <div className="row">
            <Button aria-expanded={isShown} onClick={() => setShown(!isShown)}>
              {isShown ? 'Hide the secret' : 'Show the secret'}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
