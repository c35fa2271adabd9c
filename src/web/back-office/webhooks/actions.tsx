/** What may be done with webhooks. */
import { useLocation } from 'wouter'
import {
  deleteAdminWebhooksById,
  patchAdminWebhooksById,
  postAdminWebhooks,
  postAdminWebhooksByIdPing,
  postAdminWebhooksByIdRotateSecret,
} from '#api-client/licensing/webhooks'
import type { getAdminWebhooksById } from '#api-client/licensing/webhooks'
import type { DataOf } from '#api-client/operation'
import { Action } from '../../kit/action.tsx'
import { Actions } from '../../kit/actions.tsx'
import { EventChoice } from './event-choice.tsx'

export type Webhook = DataOf<typeof getAdminWebhooksById>

const TERMS = ['url', 'events', 'ordering', 'ed25519']

const FORM = {
  order: TERMS,
  labels: { url: 'Address', ordering: 'Order', ed25519: 'Also sign with Ed25519' },
  inputs: {
    events: (value: unknown, change: (value: unknown) => void) => (
      <EventChoice value={(value ?? []) as readonly string[]} onChange={change} />
    ),
  },
}

const secretOf = ({ secret }: { readonly secret: string }) => [
  { label: 'Secret', text: secret, file: 'webhook-secret.txt' },
]

export function NewWebhook() {
  const [, go] = useLocation()
  return (
    <Action
      {...FORM}
      operation={postAdminWebhooks}
      label="Create a webhook"
      tone="main"
      about={<p>Its address is sent a ping first. It gets events as soon as it has answered that.</p>}
      secrets={secretOf}
      onDone={({ webhook }) => go(`/console/webhooks/${webhook.id}`)}
    />
  )
}

export function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const [, go] = useLocation()
  const { id, status } = webhook
  const input = { params: { id } }
  const isEnabled = status !== 'DISABLED'
  return (
    <Actions
      more={
        <>
          <Action
            operation={postAdminWebhooksByIdRotateSecret}
            input={input}
            label="New secret"
            about={
              <p>Messages are signed with both secrets for the minutes of overlap, so the receiver can change over.</p>
            }
            labels={{ overlapMinutes: 'Minutes of overlap' }}
            secrets={secretOf}
          />
          <Action
            operation={patchAdminWebhooksById}
            input={input}
            only={[]}
            fixed={{ active: !isEnabled }}
            label={isEnabled ? 'Disable' : 'Enable'}
            about={
              <p>
                {isEnabled
                  ? 'No message is sent until it is enabled.'
                  : 'It has to answer a ping before it gets events.'}
              </p>
            }
            done={isEnabled ? 'The webhook is disabled' : 'The webhook is sent a ping'}
          />
          <Action
            operation={deleteAdminWebhooksById}
            input={input}
            label="Delete"
            title="Delete this webhook"
            tone="bad"
            about={<p>Its deliveries are deleted with it. No further event is sent to {webhook.url}.</p>}
            done="The webhook is deleted"
            onDone={() => go('/console/webhooks')}
          />
        </>
      }
    >
      <Action
        operation={postAdminWebhooksByIdPing}
        input={input}
        label="Ping"
        about={<p>One message without an event is sent. What the address answers is listed among the deliveries.</p>}
        record={webhook}
        done="The ping is on its way"
      />
      <Action
        {...FORM}
        operation={patchAdminWebhooksById}
        input={input}
        initial={webhook}
        only={TERMS}
        label="Change"
        about={<p>Another address has to answer a ping before its deliveries go on.</p>}
        submit="Save"
        done="The webhook is changed"
      />
    </Actions>
  )
}
