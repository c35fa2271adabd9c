import { useState } from 'react'
import { useLocation } from 'wouter'
import {
  deleteServersById,
  getServersByIdInstallCommand,
  patchServersById,
  postServersByIdRegenToken,
  postServersByIdReset,
} from '#api-client/panel/servers'
import { Action } from '../../kit/action.tsx'
import { Actions } from '../../kit/actions.tsx'
import { SERVER_LABELS } from './add-server.tsx'
import { CheckHost } from './check-host.tsx'
import { InstallCommand } from './install-command.tsx'
import type { Install } from './install-command.tsx'
import type { WholeServer } from './server-page.tsx'

export function ServerActions({ server }: { readonly server: WholeServer }) {
  const [shown, setShown] = useState<Install>()
  const [, go] = useLocation()
  const { id, name, status, level } = server
  const input = { params: { id } }
  const show = (install: Omit<Install, 'serverId'>) => setShown({ serverId: id, ...install })
  const isNew = status === 'PENDING_INSTALL'
  const mayManage = level === 'MANAGE'
  return (
    <>
      <Actions
        more={
          <>
            <Action
              operation={patchServersById}
              input={input}
              label="Cordon"
              title={`Cordon ${name}`}
              about={<p>The server takes no new workload. What is there runs on.</p>}
              fixed={{ cordoned: true }}
              only={['cordoned']}
              record={server}
              isOffered={mayManage}
              done="The server takes no new workload"
            />
            <Action
              operation={patchServersById}
              input={input}
              label="Lift the cordon"
              title={`Lift the cordon of ${name}`}
              about={<p>The server takes new workloads again.</p>}
              fixed={{ cordoned: false }}
              only={['cordoned']}
              record={server}
              isOffered={mayManage}
              done="The server takes new workloads"
            />
            <CheckHost server={server} />
            <Action
              operation={postServersByIdRegenToken}
              input={input}
              label="New install command"
              about={<p>The command before is void. The present agent runs on until another one registers.</p>}
              done="The install command is made"
              onDone={show}
            />
            <Action
              operation={postServersByIdReset}
              input={input}
              label="Reset"
              title={`Reset ${name}`}
              tone="bad"
              about={<p>The token of the agent is void at once. What runs on the host runs on.</p>}
              isOffered={!isNew}
              done="The server is reset"
              onDone={show}
            />
            <Action
              operation={deleteServersById}
              input={input}
              label="Remove"
              title={`Remove ${name}`}
              tone="bad"
              about={<p>The token of the agent is void at once. The host stays as it is.</p>}
              record={server}
              confirm={name}
              done="The server is removed"
              onDone={() => go('/servers')}
            />
          </>
        }
      >
        <Action
          operation={getServersByIdInstallCommand}
          input={input}
          label="Install command"
          submit="Show it"
          tone="main"
          about={<p>The audit log keeps who has seen it. It can be shown until it is used or ends.</p>}
          isOffered={isNew}
          done="The install command is shown"
          onDone={show}
        />
        <Action
          operation={patchServersById}
          input={input}
          label="Change"
          title={`Change ${name}`}
          order={['name', 'description', 'labels', 'publicAddress', 'allowedIps']}
          only={['name', 'description', 'labels', 'publicAddress', 'allowedIps', 'meshPort']}
          labels={SERVER_LABELS}
          initial={server}
          isOffered={mayManage}
          done="The server is changed"
        />
      </Actions>
      {shown && <InstallCommand of={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
