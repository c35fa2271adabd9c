import { deleteEngineServersByServerIdNetworksById, getEngineServersByServerIdNetworks } from '#api-client/panel/engine'
import { Action } from '../../kit/action.tsx'
import { Empty, Part } from '../../kit/controls.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { outcomeOf } from '../agent/outcome.ts'
import { EnginePage } from './engine-page.tsx'
import { isFree, Owner } from './owner.tsx'

export default function Networks() {
  return (
    <EnginePage>
      {({ id: serverId, name: server }, isManaged) => (
        <Part title="Networks">
          <RecordTable
            operation={getEngineServersByServerIdNetworks}
            caption={`Networks on ${server}`}
            input={{ params: { serverId } }}
            keyOf={({ id }) => id}
            columns={[
              { label: 'Network', of: ({ name }) => <span className="long">{name}</span> },
              { label: 'Driver', of: ({ driver, isInternal }) => (isInternal ? `${driver}, internal` : driver) },
              { label: 'Containers', isNumber: true, of: ({ containers }) => containers },
              { label: 'Of', of: (network) => (network.isPredefined ? 'the engine' : <Owner of={network} />) },
              { label: 'Made', of: ({ createdAt }) => <Time at={createdAt} absent="unknown" /> },
              {
                label: 'Actions',
                of: (network) => (
                  <Action
                    operation={deleteEngineServersByServerIdNetworksById}
                    input={{ params: { serverId, id: network.id } }}
                    label="Remove"
                    title={`Remove ${network.name}`}
                    tone="bad"
                    isOffered={isManaged && !network.isPredefined && isFree(network) && network.containers === 0}
                    {...outcomeOf('The network is removed')}
                  />
                ),
              },
            ]}
            empty={<Empty>No network is on this server.</Empty>}
          />
        </Part>
      )}
    </EnginePage>
  )
}
