import { deleteEngineServersByServerIdVolumesByName, getEngineServersByServerIdVolumes } from '#api-client/panel/engine'
import { Action } from '../../kit/action.tsx'
import { Empty, Part, Value } from '../../kit/controls.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { outcomeOf } from '../agent/outcome.ts'
import { EnginePage } from './engine-page.tsx'
import { isFree, Owner } from './owner.tsx'
import { Size } from './size.tsx'

export default function Volumes() {
  return (
    <EnginePage>
      {({ id: serverId, name: server }, isManaged) => (
        <Part title="Volumes">
          <RecordTable
            operation={getEngineServersByServerIdVolumes}
            caption={`Volumes on ${server}`}
            input={{ params: { serverId } }}
            keyOf={({ name }) => name}
            columns={[
              { label: 'Volume', of: ({ name }) => <span className="long">{name}</span> },
              { label: 'Mounted by', of: ({ containers }) => <Value of={containers} /> },
              { label: 'Of', of: (volume) => <Owner of={volume} /> },
              { label: 'Made', of: ({ createdAt }) => <Time at={createdAt} absent="unknown" /> },
              { label: 'Size', of: ({ size }) => <Size of={size} /> },
              {
                label: 'Actions',
                of: (volume) => (
                  <Action
                    operation={deleteEngineServersByServerIdVolumesByName}
                    input={{ params: { serverId, name: volume.name } }}
                    label="Remove"
                    title={`Remove ${volume.name}`}
                    tone="bad"
                    about={<p>Its data is lost.</p>}
                    confirm={volume.name}
                    isOffered={isManaged && isFree(volume) && volume.containers.length === 0}
                    {...outcomeOf('The volume is removed')}
                  />
                ),
              },
            ]}
            empty={<Empty>No volume is on this server.</Empty>}
          />
        </Part>
      )}
    </EnginePage>
  )
}
