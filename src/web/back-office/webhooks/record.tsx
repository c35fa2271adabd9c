import { useParams } from 'wouter'
import { getAdminWebhooksById } from '#api-client/licensing/webhooks'
import { Fact, Facts, Part, Value } from '../../kit/controls.tsx'
import { RecordPage } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { useAnswer } from '../../session/context.tsx'
import { RecordHistory } from '../records/history.tsx'
import { WebhookActions } from './actions.tsx'
import type { Webhook } from './actions.tsx'
import { Deliveries } from './deliveries.tsx'
import { WebhookState } from './state.tsx'

export default function WebhookRecord() {
  const { id } = useParams<{ id: string }>()
  return (
    <RecordPage
      kind="Webhook"
      parent={{ to: '/console/webhooks', title: 'Webhooks' }}
      answer={useAnswer(getAdminWebhooksById, { params: { id } })}
      title={({ url }) => new URL(url).host}
      state={(webhook) => <WebhookState webhook={webhook} />}
      actions={(webhook) => <WebhookActions webhook={webhook} />}
    >
      {(webhook) => (
        <>
          <WebhookFacts webhook={webhook} />
          <Part title="Deliveries">
            <Deliveries webhookId={id} isEnabled={webhook.status !== 'DISABLED'} />
          </Part>
          <RecordHistory id={id} />
        </>
      )}
    </RecordPage>
  )
}

const WebhookFacts = ({ webhook }: { readonly webhook: Webhook }) => (
  <Facts>
    <Fact label="Address">{webhook.url}</Fact>
    <Fact label="Events">{webhook.events.includes('*') ? 'all' : <Value of={webhook.events} />}</Fact>
    <Fact label="Order">
      {webhook.ordering === 'subject' ? 'the events of one record in their order' : 'as fast as possible'}
    </Fact>
    <Fact label="Verified">
      <Time at={webhook.verifiedAt} absent="not yet" />
    </Fact>
    <Fact label="Created">
      <Time at={webhook.createdAt} />
    </Fact>
    {webhook.oldSecretUntil && (
      <Fact label="Old secret signs until">
        <Time at={webhook.oldSecretUntil} />
      </Fact>
    )}
    {webhook.publicKey && (
      <Fact label="Public key (Ed25519)">
        <code>{webhook.publicKey}</code>
      </Fact>
    )}
  </Facts>
)
