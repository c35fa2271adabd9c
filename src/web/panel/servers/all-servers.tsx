import { Link } from 'wouter'
import type { Server } from '#api-client/panel/schemas'
import { getServers } from '#api-client/panel/servers'
import { Empty, State, Value } from '../../kit/controls.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { AddServer } from './add-server.tsx'
import { BEAT_MS, Used, useLoads } from './load.tsx'

export function AllServers() {
  const loads = useLoads()
  return (
    <RecordTable
      operation={getServers}
      caption="All servers"
      everyMs={BEAT_MS}
      keyOf={({ id }) => id}
      columns={[
        { label: 'Server', of: (server) => <ServerName of={server} /> },
        { label: 'State', of: (server) => <ServerState of={server} /> },
        { label: 'CPU', of: ({ id }) => <Used of={loads.get(id)} part="CPU" /> },
        { label: 'Memory', of: ({ id }) => <Used of={loads.get(id)} part="Memory" /> },
        { label: 'Disk', of: ({ id }) => <Used of={loads.get(id)} part="Disk" /> },
        { label: 'Engine', of: ({ engine }) => engine?.version ?? <span className="soft">none</span> },
        { label: 'Labels', of: ({ labels }) => <Value of={labels} /> },
      ]}
      empty={
        <Empty action={<AddServer />}>
          A server is a host whose containers the panel runs. Its agent calls the panel, so it may stand behind a
          firewall.
        </Empty>
      }
    />
  )
}

const ServerName = ({ of: { id, name, kind } }: { readonly of: Server }) => (
  <>
    <Link href={`/servers/${id}`} className="long">
      {name}
    </Link>
    {kind === 'LOCAL' && <div className="soft">the host of the panel</div>}
  </>
)

const ServerState = ({ of: { status, problem, cordoned } }: { readonly of: Server }) => (
  <>
    <State of={status} />
    {problem && <div className="soft">{problem.message}</div>}
    {cordoned && <div className="soft">takes no new workload</div>}
  </>
)
