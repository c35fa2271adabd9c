/** A list of what the container engine of a server holds. */
import type { ReactNode } from 'react'
import { Notice } from '../../kit/controls.tsx'
import { ServerPage } from '../servers/server-page.tsx'
import type { WholeServer } from '../servers/server-page.tsx'

interface EnginePageProps {
  readonly children: (server: WholeServer, isManaged: boolean) => ReactNode
}

/** A host that cannot be looked at now is not asked. */
export function EnginePage({ children }: EnginePageProps) {
  return (
    <ServerPage>
      {(server) => {
        if (server.status === 'PENDING_INSTALL')
          return (
            <Notice>
              <p>What its engine holds is shown here once the agent of the server has registered.</p>
            </Notice>
          )
        if (server.status === 'OFFLINE' || server.status === 'STALE')
          return (
            <Notice tone="warn">
              <p>The agent of the server is not heard of now. What runs on the host may run on.</p>
            </Notice>
          )
        return children(server, server.level === 'MANAGE')
      }}
    </ServerPage>
  )
}
