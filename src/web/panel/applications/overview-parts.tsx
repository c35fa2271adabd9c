/** What an application may use, how its containers are replaced, and what stays of them. */
import { Link } from 'wouter'
import type { Application } from '#api-client/panel/schemas'
import { getServersMine } from '#api-client/panel/servers'
import { ButtonLink, Empty, Fact, Facts, Part } from '../../kit/controls.tsx'
import { useList } from '../../session/context.tsx'
import { useEnvironments } from '../projects/environments-choice.tsx'
import { ChangePart } from './change-part.tsx'
import { rolloverInput, ROLLOVERS } from './rollover-input.tsx'
import { isComposed } from './sources.ts'
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
      actions={<ButtonLink to={`/applications/${application.id}/containers`}>See the containers</ButtonLink>}
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
  const { volumes, source } = application
  if (isComposed(source))
    return (
      <Part title="Volumes">
        <p className="soft">Its Compose file says them.</p>
      </Part>
    )
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
