/** A registry that runs elsewhere, or one that a server is to run. */
import { postRegistries } from '#api-client/panel/registries'
import { getServersMine } from '#api-client/panel/servers'
import { Action } from '../../kit/action.tsx'
import { Actions } from '../../kit/actions.tsx'
import { chosenIn, SelectInput } from '../../kit/select-input.tsx'
import { useAnswer } from '../../session/context.tsx'

interface AddRegistryProps {
  /** Null: of the installation. */
  readonly projectId: string | null
  readonly isManaged: boolean
}

const NO_LOGIN = { address: undefined, username: undefined, password: undefined }
const NO_PLACE = { serverId: undefined, diskMiB: undefined, memoryMiB: undefined, cpuMillis: undefined }

export function AddRegistry({ projectId, isManaged }: AddRegistryProps) {
  const { data } = useAnswer(getServersMine)
  const servers = (data && 'items' in data ? data.items : data) ?? []
  const of = { projectId: projectId ?? undefined }
  return (
    <Actions
      more={
        <Action
          operation={postRegistries}
          label="Run a registry"
          title="Run a registry on a server"
          about={<p>The server needs the image of the registry. It listens on that server alone.</p>}
          isOffered={isManaged && servers.length > 0}
          order={['name', 'serverId', 'diskMiB', 'memoryMiB', 'cpuMillis']}
          fixed={{ kind: 'SELF_HOSTED', ...of, ...NO_LOGIN }}
          initial={{ diskMiB: 20_000, memoryMiB: 256, cpuMillis: 250 }}
          labels={{ diskMiB: 'Disk in MiB', memoryMiB: 'Memory in MiB', cpuMillis: 'Thousandths of a CPU' }}
          inputs={{
            serverId: (value, change) => (
              <SelectInput
                label="Server"
                value={chosenIn(value)}
                options={servers.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={change}
              />
            ),
          }}
          done="The registry is added"
        />
      }
    >
      <Action
        operation={postRegistries}
        label="Add a registry"
        tone="main"
        isOffered={isManaged}
        order={['name', 'address', 'username', 'password']}
        hasNewPassword={false}
        fixed={{ kind: 'EXTERNAL', ...of, ...NO_PLACE }}
        done="The registry is added"
      />
    </Actions>
  )
}
