/** What an application may use, how its containers are replaced, and what stays of them. */
import { Link } from 'wouter'
import { patchApplicationsById } from '#api-client/panel/applications'
import type { Application } from '#api-client/panel/schemas'
import { getServersMine } from '#api-client/panel/servers'
import { Empty, Fact, Facts, Part } from '../../kit/controls.tsx'
import { useList } from '../../session/context.tsx'
import type { Inputs } from '../projects/environments-choice.tsx'
import { useEnvironments } from '../projects/environments-choice.tsx'
import { ProjectAction } from '../projects/rights.tsx'
import { AMOUNTS } from './labels.ts'
import { rolloverInput, ROLLOVERS } from './rollover-input.tsx'
import { volumeInput } from './volume-input.tsx'

interface OfApplication {
  readonly of: Application
}

const MILLIS_PER_CPU = 1_000

export function Reserved({ of: application }: OfApplication) {
  const { replicas, memoryMiB, cpuMillis } = application
  return (
    <Part
      title="Reserved"
      actions={<ChangePart of={application} label="Resize" only={['replicas', 'memoryMiB', 'cpuMillis']} />}
    >
      <Facts>
        <Place of={application} />
        <Fact label="Containers">{replicas}</Fact>
        <Fact label="Memory">{`${replicas * memoryMiB} MiB`}</Fact>
        <Fact label="CPU">{(replicas * cpuMillis) / MILLIS_PER_CPU}</Fact>
      </Facts>
    </Part>
  )
}

function Place({ of: { projectId, environmentId, serverId, slug } }: OfApplication) {
  const environment = useEnvironments().find(({ id }) => id === environmentId)
  const server = useList(getServersMine, {}).items.find(({ id }) => id === serverId)
  return (
    <>
      <Fact label="Environment">
        <Link href={`/projects/${projectId}/applications`}>{environment?.name ?? 'of the project'}</Link>
      </Fact>
      <Fact label="Server">{server?.name ?? 'one that is not open to you'}</Fact>
      <Fact label="Slug">
        <code>{slug}</code>
      </Fact>
    </>
  )
}

const REPLACING = ['rollover', 'drainSeconds', 'stopSeconds', 'buildTimeoutSeconds', 'keepImages']

export function Replacing({ of: application }: OfApplication) {
  const { rollover, drainSeconds, stopSeconds, keepImages, buildTimeoutSeconds, source } = application
  return (
    <Part
      title="Deploying"
      actions={<ChangePart of={application} label="Set how" only={REPLACING} inputs={rolloverInput} />}
    >
      <Facts>
        <Fact label="Containers are replaced">{ROLLOVERS[rollover]}</Fact>
        <Fact label="Open requests may go on for">{`${drainSeconds} s`}</Fact>
        <Fact label="A container may take to stop">{`${stopSeconds} s`}</Fact>
        {source.kind !== 'IMAGE' && <Fact label="A build may take">{`${buildTimeoutSeconds} s`}</Fact>}
        <Fact label="Images that stay">{keepImages}</Fact>
      </Facts>
    </Part>
  )
}

export function Volumes({ of: application }: OfApplication) {
  const { volumes } = application
  return (
    <Part
      title="Volumes"
      actions={<ChangePart of={application} label="Set the volumes" only={['volumes']} inputs={volumeInput} />}
    >
      {volumes.length === 0 ? (
        <Empty>What its containers write is gone when they are replaced. A volume keeps it.</Empty>
      ) : (
        <Facts>
          {volumes.map(({ name, mountPath, shared }) => (
            <Fact key={name} label={name}>
              <code className="long">{mountPath}</code>
              {shared && ', shared by old and new containers'}
            </Fact>
          ))}
        </Facts>
      )}
    </Part>
  )
}

interface ChangePartProps extends OfApplication {
  readonly label: string
  readonly only: readonly string[]
  readonly inputs?: Inputs
}

const ChangePart = ({ of: application, label, only, inputs = {} }: ChangePartProps) => (
  <ProjectAction
    operation={patchApplicationsById}
    input={{ params: { id: application.id } }}
    label={label}
    about={<p>The next deployment takes it. What runs stays as it is until then.</p>}
    only={only}
    order={only}
    initial={{ ...application }}
    labels={AMOUNTS}
    inputs={inputs}
    done="The application is changed"
  />
)
