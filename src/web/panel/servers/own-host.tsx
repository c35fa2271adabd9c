/** The host of the panel: what it lacks, and how it becomes a server. */
import { useState } from 'react'
import { getServersLocal, postServersLocalInstallAgent } from '#api-client/panel/servers'
import { Action } from '../../kit/action.tsx'
import { Notice } from '../../kit/controls.tsx'
import { useAnswerIf, useCan } from '../../session/context.tsx'
import { InstallCommand } from './install-command.tsx'
import { BEAT_MS } from './load.tsx'

interface Command {
  readonly command: string
  readonly expiresAt: string
}

export function OwnHost() {
  const can = useCan()
  const { data } = useAnswerIf(can(getServersLocal), getServersLocal, {}, () => true, BEAT_MS)
  const [shown, setShown] = useState<Command>()
  if (!data) return null
  const { server, problem } = data
  if (shown && server)
    return <InstallCommand of={{ serverId: server.id, ...shown }} onClose={() => setShown(undefined)} />
  if (!problem) return null
  return (
    <Notice tone="warn">
      <p>{problem.message}.</p>
      <p>{problem.remedy}.</p>
      <Action
        operation={postServersLocalInstallAgent}
        label="Make this host a server"
        tone="main"
        about={<p>An agent is started on the host of the panel, or you get the command that does.</p>}
        isOffered={server === null || server.agent === null}
        done={({ state }) => (state === 'STARTED' ? 'The agent of this host runs' : 'The install command is made')}
        onDone={({ command, expiresAt }) => command !== null && setShown({ command, expiresAt: expiresAt! })}
      />
    </Notice>
  )
}
