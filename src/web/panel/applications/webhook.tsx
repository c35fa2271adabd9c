/** How pushes deploy an application: the webhook of its repository, and what came in. */
import {
  getApplicationsByIdWebhook,
  patchApplicationsByIdAutoDeploy,
  postApplicationsByIdWebhookInstall,
  postApplicationsByIdWebhookRotate,
} from '#api-client/panel/applications'
import type { Application } from '#api-client/panel/schemas'
import { Fact, Facts, Part } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { useAnswer } from '../../session/context.tsx'
import { ProjectAction } from '../projects/rights.tsx'
import { ApplicationPage } from './application-page.tsx'
import { Deliveries } from './deliveries.tsx'
import { WebhookAddress } from './webhook-address.tsx'

export default function ApplicationWebhook() {
  return (
    <ApplicationPage needs={getApplicationsByIdWebhook}>
      {(application) =>
        application.source.kind === 'GIT' ? (
          <Pushes of={application} source={application.source} />
        ) : (
          <p className="soft">It is not made from a git repository, so no push deploys it.</p>
        )
      }
    </ApplicationPage>
  )
}

interface PushesProps {
  readonly of: Application
  readonly source: Extract<Application['source'], { readonly kind: 'GIT' }>
}

function Pushes({ of: application, source }: PushesProps) {
  const { id, autoDeploy } = application
  const answer = useAnswer(getApplicationsByIdWebhook, { params: { id } })
  return (
    <>
      <Part title="Pushes" actions={<Changes of={application} hasProvider={source.providerId !== null} />}>
        <Facts>
          <Fact label="A push to its branch">{autoDeploy ? 'deploys it' : 'does nothing'}</Fact>
          <Fact label="Branch">{source.branch}</Fact>
          <Fact label="Only if it changes">
            {source.watchPaths.length === 0 ? 'anything' : source.watchPaths.join(', ')}
          </Fact>
        </Facts>
        <Shown answer={answer}>{(webhook) => <WebhookAddress of={webhook} />}</Shown>
      </Part>
      <Part title="Deliveries of the last day">
        <Shown answer={answer}>{({ deliveries }) => <Deliveries of={deliveries} />}</Shown>
      </Part>
    </>
  )
}

function Changes({ of: { id, autoDeploy }, hasProvider }: { readonly of: Application; readonly hasProvider: boolean }) {
  const input = { params: { id } }
  return (
    <>
      <ProjectAction
        operation={patchApplicationsByIdAutoDeploy}
        input={input}
        label={autoDeploy ? 'Stop deploying pushes' : 'Deploy pushes'}
        about={
          <p>
            {autoDeploy
              ? 'A push to its branch does nothing any more. The webhook stays.'
              : 'A push to its branch deploys it. Its provider needs the address and the secret below.'}
          </p>
        }
        fixed={{ enabled: !autoDeploy }}
        done={autoDeploy ? 'Pushes do nothing' : 'Pushes deploy'}
      />
      <ProjectAction
        operation={postApplicationsByIdWebhookInstall}
        input={input}
        label="Install"
        title="Install the webhook"
        tone="main"
        about={<p>Its git provider gets the address and the secret. Pushes deploy from then on.</p>}
        isOffered={hasProvider}
        done={({ repository }) => `The webhook is installed at ${repository}`}
      />
      <ProjectAction
        operation={postApplicationsByIdWebhookRotate}
        input={input}
        label="New secret"
        about={<p>An installed webhook needs the new one: install it again, or enter it at the provider.</p>}
        labels={{ graceSeconds: 'Seconds that the present one is accepted' }}
        secrets={({ secret }) => [{ label: 'Secret of the webhook', text: secret }]}
        done="The secret is replaced"
      />
    </>
  )
}
