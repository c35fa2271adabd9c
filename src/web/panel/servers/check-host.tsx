import { useState } from 'react'
import type { DataOf } from '#api-client/operation'
import { postServersLocalSetup } from '#api-client/panel/servers'
import { Action } from '../../kit/action.tsx'
import { Button, Fact, Facts, ToneText } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/overlay.tsx'
import { wordOf } from '../../kit/words.ts'
import { outcomeOf } from '../agent/outcome.ts'
import type { WholeServer } from './server-page.tsx'

type Checked = DataOf<typeof postServersLocalSetup>

/** Of the panel's own host: whether it can run what is asked of it. */
export function CheckHost({ server: { kind, agent } }: { readonly server: WholeServer }) {
  const [shown, setShown] = useState<Checked['result']>(null)
  const isLocal = kind === 'LOCAL'
  const close = () => setShown(null)
  return (
    <>
      <Action
        operation={postServersLocalSetup}
        label="Check this host"
        about={<p>Its agent looks at the container engine, the disks and the clock. It changes nothing.</p>}
        isOffered={isLocal && agent !== null}
        onDone={({ result }) => setShown(result)}
        {...outcomeOf('The host is checked')}
      />
      {shown && (
        <Dialog title="The host of the panel" isOpen onClose={close}>
          <Facts>
            {shown.checks.map(({ name, ok, detail }) => (
              <Fact key={name} label={wordOf(name)}>
                <ToneText tone={ok ? 'good' : 'bad'}>{detail}</ToneText>
              </Fact>
            ))}
          </Facts>
          <div className="dialog-buttons">
            <Button tone="main" onClick={close}>
              Close
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
