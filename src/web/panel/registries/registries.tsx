/** Registries of the installation, or of one project with those of the installation. */
import { deleteRegistriesById, getRegistries, patchRegistriesById } from '#api-client/panel/registries'
import type { Registry } from '#api-client/panel/schemas'
import { Action } from '../../kit/action.tsx'
import { Empty, ToneText } from '../../kit/controls.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { TestRegistry } from './test-registry.tsx'

interface RegistriesProps {
  /** Null: of the installation. */
  readonly projectId: string | null
  readonly isManaged: boolean
}

/** Below a heading, which names what they are of. */
export const Registries = ({ projectId, isManaged }: RegistriesProps) => (
  <RecordTable
    operation={getRegistries}
    caption="Registries"
    input={{ query: projectId === null ? {} : { projectId } }}
    keyOf={({ id }) => id}
    columns={[
      { label: 'Registry', of: ({ name }) => <span className="long">{name}</span> },
      { label: 'Address', of: (registry) => <Address of={registry} /> },
      { label: 'Account', of: ({ username }) => username ?? <span className="soft">not shown</span> },
      { label: 'For', of: (each) => (each.projectId === null ? 'every project' : 'this project') },
      { label: 'Added', of: ({ createdAt }) => <Time at={createdAt} /> },
      {
        label: 'Actions',
        of: (registry) => isManaged && registry.projectId === projectId && <RegistryActions of={registry} />,
      },
    ]}
    empty={<Empty>Servers pull images from a registry with the login that stands here.</Empty>}
  />
)

function Address({ of: { address, problem } }: { readonly of: Registry }) {
  if (problem) return <ToneText tone={problem.code === 'IMAGE_COMING' ? 'warn' : 'bad'}>{problem.message}</ToneText>
  return address === null ? <span className="soft">not running yet</span> : <span className="long">{address}</span>
}

const RegistryActions = ({ of: { id, name, username, serverId } }: { readonly of: Registry }) => (
  <div className="row">
    <TestRegistry id={id} name={name} />
    <Action
      operation={patchRegistriesById}
      input={{ params: { id } }}
      label="Change"
      title={`Change ${name}`}
      initial={{ name, username, password: '' }}
      hasNewPassword={false}
      done="The registry is changed"
    />
    <Action
      operation={deleteRegistriesById}
      input={{ params: { id } }}
      label="Remove"
      title={`Remove ${name}`}
      tone="bad"
      about={<p>Its login is removed. Images that were pulled from it stay on their servers.</p>}
      fixed={serverId === null ? { deleteData: undefined } : {}}
      confirm={name}
      done="The registry is removed"
    />
  </div>
)
