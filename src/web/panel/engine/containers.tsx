import { getEngineServersByServerIdContainers } from '#api-client/panel/engine'
import { Empty, Part, State } from '../../kit/controls.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { BEAT_MS } from '../servers/load.tsx'
import { ContainerActions } from './container-actions.tsx'
import { EnginePage } from './engine-page.tsx'
import { Owner } from './owner.tsx'
import { Size } from './size.tsx'

export default function Containers() {
  return (
    <EnginePage>
      {({ id: serverId, name }, isManaged) => (
        <Part title="Containers">
          <RecordTable
            operation={getEngineServersByServerIdContainers}
            caption={`Containers on ${name}`}
            input={{ params: { serverId } }}
            everyMs={BEAT_MS}
            keyOf={({ id }) => id}
            columns={[
              { label: 'Container', of: (each) => <span className="long">{each.name}</span> },
              { label: 'State', of: ({ state, status }) => <RunState state={state} status={status} /> },
              { label: 'Image', of: ({ image }) => <span className="long">{image}</span> },
              { label: 'Of', of: (each) => <Owner of={each} /> },
              { label: 'Made', of: ({ createdAt }) => <Time at={createdAt} absent="unknown" /> },
              { label: 'Written', of: ({ size }) => <Size of={size} /> },
              {
                label: 'Actions',
                of: (each) => isManaged && <ContainerActions serverId={serverId} container={each} />,
              },
            ]}
            empty={<Empty>No container is on this server, running or not.</Empty>}
          />
        </Part>
      )}
    </EnginePage>
  )
}

/** In the engine's words. */
const RunState = ({ state, status }: { readonly state: string; readonly status: string }) => (
  <>
    <State of={state.toUpperCase()} />
    {status.toLowerCase() !== state && <div className="soft">{status}</div>}
  </>
)
