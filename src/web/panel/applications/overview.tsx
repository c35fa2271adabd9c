import { patchApplicationsById } from '#api-client/panel/applications'
import type { Application } from '#api-client/panel/schemas'
import { Actions } from '../../kit/actions.tsx'
import { Fact, Facts, Part } from '../../kit/controls.tsx'
import { Time } from '../../kit/time.tsx'
import { ProjectAction } from '../projects/rights.tsx'
import { Addresses } from './addresses.tsx'
import { ApplicationPage } from './application-page.tsx'
import { DeleteApplication } from './delete-application.tsx'
import { DuplicateApplication } from './duplicate-application.tsx'
import { healthInput, healthWords } from './health-input.tsx'
import { AMOUNTS } from './labels.ts'
import { MoveApplication } from './move-application.tsx'
import { Replacing, Reserved, Volumes } from './overview-parts.tsx'
import { Running } from './running.tsx'
import { SourceFacts } from './source-facts.tsx'
import { sourceInput } from './source-input.tsx'

export default function ApplicationOverview() {
  return <ApplicationPage>{(application) => <Overview of={application} />}</ApplicationPage>
}

const Overview = ({ of: application }: { readonly of: Application }) => (
  <>
    <Running of={application} />
    <div className="columns">
      <Part title="Application" actions={<Changes of={application} />}>
        <Facts>
          <SourceFacts of={application.source} />
          <Fact label="Program">{application.command?.join(' ') ?? 'that of the image'}</Fact>
          <Fact label="Port of HTTP">{application.port}</Fact>
          <Fact label="Healthy when">{healthWords(application.healthCheck)}</Fact>
          <Fact label="Created">
            <Time at={application.createdAt} />
          </Fact>
        </Facts>
      </Part>
      <Reserved of={application} />
      <Replacing of={application} />
      <Volumes of={application} />
    </div>
    <Addresses of={application} />
  </>
)

const FIELDS = ['name', 'source', 'port', 'command', 'healthCheck']

function Changes({ of: application }: { readonly of: Application }) {
  const { id, name } = application
  return (
    <Actions
      more={
        <>
          <DuplicateApplication of={application} />
          <MoveApplication of={application} />
        </>
      }
    >
      <ProjectAction
        operation={patchApplicationsById}
        input={{ params: { id } }}
        label="Change"
        title={`Change ${name}`}
        about={<p>The next deployment takes it. What runs stays as it is until then.</p>}
        only={FIELDS}
        order={FIELDS}
        initial={{ ...application }}
        labels={AMOUNTS}
        inputs={{ ...sourceInput(application), ...healthInput }}
        done="The application is changed"
      />
      <DeleteApplication of={application} />
    </Actions>
  )
}
