/** The frame of all pages of a server: its name, its state, its parts, and what the person may do with it. */
import type { ReactNode } from 'react'
import { useParams } from 'wouter'
import type { SeenServer, Server } from '#api-client/panel/schemas'
import { getServersById } from '#api-client/panel/servers'
import { State } from '../../kit/controls.tsx'
import { RecordPage } from '../../kit/page.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { useAnswerIf } from '../../session/context.tsx'
import { BEAT_MS } from './load.tsx'
import { ServerActions } from './server-actions.tsx'

/** As those see it who may view servers or manage this one. */
export type WholeServer = Server & Pick<SeenServer, 'level'>

export const isWhole = (server: SeenServer): server is WholeServer => server.kind !== undefined

const PARTS = [
  { at: '', title: 'Overview' },
  { at: '/containers', title: 'Containers' },
  { at: '/images', title: 'Images' },
  { at: '/networks', title: 'Networks' },
  { at: '/volumes', title: 'Volumes' },
  { at: '/access', title: 'Access' },
]

interface ServerPageProps {
  readonly children: (server: WholeServer) => ReactNode
  /** For a person who may only use the server; absent: the page is not theirs. */
  readonly forUser?: (server: SeenServer) => ReactNode
}

export function ServerPage({ children, forUser }: ServerPageProps) {
  const { id } = useParams<{ id: string }>()
  const server = useAnswerIf(true, getServersById, { params: { id } }, () => true, BEAT_MS)
  return (
    <RecordPage
      kind="Server"
      parent={{ to: '/servers', title: 'Servers' }}
      answer={server}
      gone="This server is gone, or it is not open to you."
      title={({ name }) => name}
      state={({ status }) => <State of={status} />}
      actions={(data) => isWhole(data) && <ServerActions server={data} />}
    >
      {(data) => {
        if (!isWhole(data))
          return forUser?.(data) ?? <p className="soft">Your access to this server does not include this.</p>
        return (
          <>
            <Tabs
              label="Parts of the server"
              tabs={PARTS.map(({ at, title }) => ({ to: `/servers/${id}${at}`, title }))}
            />
            {children(data)}
          </>
        )
      }}
    </RecordPage>
  )
}
