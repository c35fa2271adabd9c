import {
  deleteEngineServersByServerIdImagesByImageId,
  getEngineServersByServerIdImages,
} from '#api-client/panel/engine'
import { Action } from '../../kit/action.tsx'
import { Empty, Part } from '../../kit/controls.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { outcomeOf } from '../agent/outcome.ts'
import { EnginePage } from './engine-page.tsx'
import { isFree, Owner } from './owner.tsx'
import { Prune } from './prune.tsx'
import { Size } from './size.tsx'

const SHOWN = 12
const nameOf = ({ id, tags }: { readonly id: string; readonly tags: readonly string[] }): string =>
  tags[0] ?? id.replace('sha256:', '').slice(0, SHOWN)

export default function Images() {
  return (
    <EnginePage>
      {({ id: serverId, name }, isManaged) => (
        <Part title="Images" actions={isManaged && <Prune serverId={serverId} />}>
          <RecordTable
            operation={getEngineServersByServerIdImages}
            caption={`Images on ${name}`}
            input={{ params: { serverId } }}
            keyOf={({ id }) => id}
            columns={[
              { label: 'Image', of: (image) => <Names of={image.tags} name={nameOf(image)} /> },
              { label: 'Containers', isNumber: true, of: ({ containers }) => containers },
              { label: 'Of', of: (image) => <Owner of={image} /> },
              { label: 'Made', of: ({ createdAt }) => <Time at={createdAt} absent="unknown" /> },
              { label: 'Size', of: ({ size }) => <Size of={size} /> },
              {
                label: 'Actions',
                of: (image) => (
                  <Action
                    operation={deleteEngineServersByServerIdImagesByImageId}
                    input={{ params: { serverId, imageId: image.id } }}
                    label="Remove"
                    title={`Remove ${nameOf(image)}`}
                    tone="bad"
                    about={<p>It goes with all its names. What needs it later pulls it again.</p>}
                    isOffered={isManaged && isFree(image) && image.containers === 0}
                    {...outcomeOf('The image is removed')}
                  />
                ),
              },
            ]}
            empty={<Empty>No image is on this server.</Empty>}
          />
        </Part>
      )}
    </EnginePage>
  )
}

const Names = ({ of, name }: { readonly of: readonly string[]; readonly name: string }) => (
  <>
    <span className="long">{name}</span>
    {of.length === 0 && <div className="soft">without a name</div>}
    {of.length > 1 && <div className="soft long">{of.slice(1).join(', ')}</div>}
  </>
)
