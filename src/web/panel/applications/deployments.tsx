/** What was deployed, and what can be deployed. */
import { getApplicationsByIdDeployments } from '#api-client/panel/applications'
import type { Application, Deployment } from '#api-client/panel/schemas'
import { Empty, Part, State } from '../../kit/controls.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { ApplicationPage } from './application-page.tsx'
import { DeployActions } from './deploy-actions.tsx'
import { DeploymentLink } from './deployment-link.tsx'
import { CAUSE_WORDS, contentOf, durationBetween } from './deployment-words.ts'

export default function ApplicationDeployments() {
  return <ApplicationPage needs={getApplicationsByIdDeployments}>{(of) => <Deployments of={of} />}</ApplicationPage>
}

const Deployments = ({ of: application }: { readonly of: Application }) => (
  <Part title="Deployments" actions={<DeployActions of={application} />}>
    <RecordTable
      operation={getApplicationsByIdDeployments}
      caption="Deployments of the application"
      input={{ params: { id: application.id } }}
      keyOf={({ id }) => id}
      columns={[
        { label: 'Deployment', of: (deployment) => <DeploymentLink of={deployment} /> },
        { label: 'State', of: ({ status }) => <State of={status} /> },
        { label: 'Content', of: (deployment) => <Content of={deployment} /> },
        { label: 'Caused by', of: ({ cause }) => CAUSE_WORDS[cause.type] },
        { label: 'Took', isNumber: true, of: (deployment) => <Took of={deployment} /> },
        { label: 'Asked', of: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
      empty={
        <Empty>Nothing was deployed yet. “Deploy” brings its image to its server and starts its containers.</Empty>
      }
    />
  </Part>
)

function Content({ of: deployment }: { readonly of: Deployment }) {
  const content = contentOf(deployment)
  return content === undefined ? <span className="soft">–</span> : <span className="long">{content}</span>
}

const Took = ({ of: { createdAt, endedAt } }: { readonly of: Deployment }) =>
  endedAt === null ? <span className="soft">not over</span> : durationBetween(createdAt, endedAt)
