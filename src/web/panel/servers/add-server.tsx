import { useState } from 'react'
import { useLocation } from 'wouter'
import { postServers } from '#api-client/panel/servers'
import { Action } from '../../kit/action.tsx'
import { InstallCommand } from './install-command.tsx'
import type { Install } from './install-command.tsx'

export const SERVER_LABELS = {
  publicAddress: 'Public address',
  allowedIps: 'The agent may call from',
  meshPort: 'Port for measuring links',
}

export function AddServer() {
  const [added, setAdded] = useState<Install>()
  const [, go] = useLocation()
  return (
    <>
      <Action
        operation={postServers}
        label="Add a server"
        tone="main"
        about={<p>The next step shows the command that makes a host this server.</p>}
        order={['name', 'description', 'labels', 'publicAddress', 'allowedIps']}
        labels={SERVER_LABELS}
        done="The server is added"
        onDone={({ server, installCommand, expiresAt }) =>
          setAdded({ serverId: server.id, command: installCommand, expiresAt })
        }
      />
      {added && <InstallCommand of={added} onClose={() => go(`/servers/${added.serverId}`)} />}
    </>
  )
}
