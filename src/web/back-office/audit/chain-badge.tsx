/** Whether the chain over all events holds. It is asked for by a click: it reads the whole history. */
import { useState } from 'react'
import { getAdminAuditVerify } from '#api-client/licensing/audit'
import type { DataOf } from '#api-client/operation'
import { Button, ToneText } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/overlay.tsx'
import { textOf } from '../../kit/refusal.tsx'
import { useSession } from '../../session/context.tsx'

type Verified = DataOf<typeof getAdminAuditVerify>

export function ChainBadge() {
  const { call } = useSession()
  const [state, setState] = useState<'not asked' | 'verifying' | Verified | Error>('not asked')
  const [isOpen, setOpen] = useState(false)
  const verify = async (): Promise<void> => {
    setState('verifying')
    await call(getAdminAuditVerify).then(({ data }) => setState(data), setState)
  }
  if (state === 'not asked') return <Button onClick={() => void verify()}>Verify the chain</Button>
  if (state === 'verifying') return <span className="tone">Verifying …</span>
  if (state instanceof Error)
    return (
      <span className="row" role="alert">
        <ToneText tone="warn">{textOf(state)}</ToneText>
        <Button tone="quiet" onClick={() => void verify()}>
          Again
        </Button>
      </span>
    )
  const { valid, events, head, after, firstBad } = state
  return (
    <>
      <Button tone="quiet" onClick={() => setOpen(true)}>
        <ToneText tone={valid ? 'good' : 'bad'}>
          {valid ? `The chain holds${after > 0 ? ` since #${after}` : ''}` : `Broken at #${firstBad?.position ?? '?'}`}
        </ToneText>
      </Button>
      <Dialog title="The chain" isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>
          {events} events up to #{head} were read{after > 0 ? `, from #${after} on` : ''}.
        </p>
        {firstBad && <p>{firstBad.sentence}</p>}
        {state.checkpoint && (
          <p>
            A signed checkpoint covers everything up to #{state.checkpoint.position} (key{' '}
            <code>{state.checkpoint.kid}</code>
            ).
          </p>
        )}
        <div className="dialog-buttons">
          <Button onClick={() => void verify()}>Verify again</Button>
          <Button tone="main" onClick={() => setOpen(false)}>
            Close
          </Button>
        </div>
      </Dialog>
    </>
  )
}
