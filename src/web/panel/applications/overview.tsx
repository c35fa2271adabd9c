import { Link } from 'wouter'
import { deleteApplicationsById, patchApplicationsById } from '#api-client/panel/applications'
import type { Application } from '#api-client/panel/schemas'
import { getServersMine } from '#api-client/panel/servers'
import { Fact, Facts, Notice, Part } from '../../kit/controls.tsx'
import { Time } from '../../kit/time.tsx'
import { useList } from '../../session/context.tsx'
import { useEnvironments } from '../projects/environments-choice.tsx'
import { ProjectAction } from '../projects/rights.tsx'
import { Addresses } from './addresses.tsx'
import { ApplicationPage } from './application-page.tsx'
import { healthInput, healthWords } from './health-input.tsx'
import { sourceInput } from './image-input.tsx'
import { AMOUNTS } from './labels.ts'

const MILLIS_PER_CPU = 1_000

export default function ApplicationOverview() {
  return <ApplicationPage>{(application) => <Overview of={application} />}</ApplicationPage>
}

function Overview({ of: application }: { readonly of: Application }) {
  const { replicas, memoryMiB, cpuMillis } = application
  return (
    <>
      <Notice>
        <p>This version of the panel keeps applications and reserves their place. It starts no containers yet.</p>
      </Notice>
      <div className="columns">
        <Part title="Application" actions={<Changes of={application} />}>
          <Facts>
            <Fact label="Image">
              <code className="long">{application.source.image}</code>
            </Fact>
            <Fact label="Program">{application.command?.join(' ') ?? 'that of the image'}</Fact>
            <Fact label="Port of HTTP">{application.port}</Fact>
            <Fact label="Healthy when">{healthWords(application.healthCheck)}</Fact>
            <Fact label="Created">
              <Time at={application.createdAt} />
            </Fact>
          </Facts>
        </Part>
        <Part title="Reserved">
          <Facts>
            <Place of={application} />
            <Fact label="Containers">{replicas}</Fact>
            <Fact label="Memory">{`${replicas * memoryMiB} MiB`}</Fact>
            <Fact label="CPU">{(replicas * cpuMillis) / MILLIS_PER_CPU}</Fact>
            <Fact label="Images that stay">{application.keepImages}</Fact>
          </Facts>
        </Part>
      </div>
      <Addresses of={application} />
    </>
  )
}

function Place({ of: { projectId, environmentId, serverId, slug } }: { readonly of: Application }) {
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

function Changes({ of: application }: { readonly of: Application }) {
  const { id, name } = application
  return (
    <>
      <ProjectAction
        operation={patchApplicationsById}
        input={{ params: { id } }}
        label="Change"
        title={`Change ${name}`}
        tone="main"
        order={['name', 'source', 'port', 'replicas', 'memoryMiB', 'cpuMillis', 'command', 'healthCheck']}
        initial={{ ...application }}
        labels={AMOUNTS}
        inputs={{ ...sourceInput, ...healthInput }}
        done="The application is changed"
      />
      <ProjectAction
        operation={deleteApplicationsById}
        input={{ params: { id } }}
        label="Delete"
        title={`Delete ${name}`}
        tone="bad"
        about={<p>Its variables are deleted too, for good. What it reserved on its server is free.</p>}
        confirm={name}
        done="The application is deleted"
      />
    </>
  )
}
