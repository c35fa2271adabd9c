/** The command that makes a host a server: it is shown, and the dialog waits until its agent has registered. */
import { useState } from 'react'
import { getServersById } from '#api-client/panel/servers'
import { Button, State } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/overlay.tsx'
import { SecretText } from '../../kit/reveal.tsx'
import { Time } from '../../kit/time.tsx'
import { useAnswerIf } from '../../session/context.tsx'

export interface Install {
  readonly serverId: string
  /** Undefined in a replayed answer. */
  readonly command: string | undefined
  readonly expiresAt: string
}

/** In the command of a panel that has no agent to hand out. */
const CLONE = 'bin/daybook.mjs'

interface InstallCommandProps {
  readonly of: Install
  readonly onClose: () => void
}

export const InstallCommand = ({ of: { serverId, command, expiresAt }, onClose }: InstallCommandProps) => (
  <Dialog title="Run this on the host" isOpen onClose={onClose}>
    <p>
      Run it as root {command?.includes(CLONE) ? 'in a clone of Daybook on the host' : 'on the host'}. It opens the
      panel to one agent, once. It ends <Time at={expiresAt} />.
    </p>
    <SecretText label="Install command" text={command} />
    <Registration serverId={serverId} />
    <div className="dialog-buttons">
      <Button tone="main" onClick={onClose}>
        Close
      </Button>
    </div>
  </Dialog>
)

/** A server whose agent runs on needs no other: then nothing is awaited. */
function Registration({ serverId }: { readonly serverId: string }) {
  const { data } = useAnswerIf(true, getServersById, { params: { id: serverId } })
  const [wasAwaited, setAwaited] = useState(false)
  const isAwaited = data?.status === 'PENDING_INSTALL'
  if (isAwaited && !wasAwaited) setAwaited(true)
  return (
    <output>
      {isAwaited && 'Waiting until the agent has registered …'}
      {wasAwaited && data && !isAwaited && (
        <>
          The agent has registered. The server is <State of={data.status} />
        </>
      )}
    </output>
  )
}
