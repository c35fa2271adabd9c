import { useState } from 'react'
import type { DataOf } from '#api-client/operation'
import { postRegistriesByIdTest } from '#api-client/panel/registries'
import { Action } from '../../kit/action.tsx'
import { Button, ToneText } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/overlay.tsx'
import { wordOf } from '../../kit/words.ts'

interface TestRegistryProps {
  readonly id: string
  readonly name: string
}

/** The panel logs in, and the page says at which step that failed. */
export function TestRegistry({ id, name }: TestRegistryProps) {
  const [result, setResult] = useState<DataOf<typeof postRegistriesByIdTest>>()
  const close = () => setResult(undefined)
  return (
    <>
      <Action
        operation={postRegistriesByIdTest}
        input={{ params: { id } }}
        label="Test"
        title={`Test the login at ${name}`}
        about={<p>The panel logs in with the stored account, or the server that runs the registry does.</p>}
        fixed={{ serverId: undefined }}
        done="The login is tested"
        onDone={setResult}
      />
      {result && (
        <Dialog title={`Login at ${name}`} isOpen onClose={close}>
          <p>
            {result.ok ? (
              <ToneText tone="good">The login works</ToneText>
            ) : (
              <ToneText tone="bad">
                {result.step && `${wordOf(result.step)}: `}
                {result.reason ?? 'the login failed'}
              </ToneText>
            )}
          </p>
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
