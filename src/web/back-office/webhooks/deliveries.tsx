/** The deliveries of a webhook, with the answer to every attempt. */
import {
  getAdminWebhooksByIdDeliveries,
  postAdminWebhooksDeliveriesByIdRedeliver,
} from '#api-client/licensing/webhooks'
import type { DataOf } from '#api-client/operation'
import type { ItemOf } from '#api-client/paging'
import { State } from '../../kit/controls.tsx'
import { DirectAction } from '../../kit/direct-action.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { IdLink } from '../records/id-link.tsx'

type Delivery = ItemOf<DataOf<typeof getAdminWebhooksByIdDeliveries>>

interface DeliveriesProps {
  readonly webhookId: string
  readonly isEnabled: boolean
}

export const Deliveries = ({ webhookId, isEnabled }: DeliveriesProps) => (
  <RecordTable
    operation={getAdminWebhooksByIdDeliveries}
    caption="Deliveries"
    input={{ params: { id: webhookId } }}
    filters={['status', 'type']}
    labels={{ type: 'Event' }}
    keyOf={({ id }) => id}
    columns={[
      { label: 'Event', of: (delivery) => <Message delivery={delivery} /> },
      { label: 'State', of: ({ status }) => <State of={status} /> },
      { label: 'About', of: ({ subject }) => <IdLink kind={subject.type} id={subject.id} /> },
      { label: 'Attempts', of: (delivery) => <Attempts delivery={delivery} /> },
      { label: 'Created', sort: 'createdAt', of: ({ createdAt }) => <Time at={createdAt} /> },
      {
        label: 'Again',
        of: ({ id }) =>
          isEnabled && (
            <DirectAction
              operation={postAdminWebhooksDeliveriesByIdRedeliver}
              input={{ params: { id } }}
              label="Redeliver"
              tone="quiet"
              done="The delivery is repeated"
            />
          ),
      },
    ]}
    empty={<p className="soft">Nothing has been sent yet. Send a ping to try the address.</p>}
  />
)

const Message = ({ delivery: { id, type, payload } }: { readonly delivery: Delivery }) => (
  <details>
    <summary>{type}</summary>
    <p className="small soft">
      webhook-id <code>{id}</code>
    </p>
    <pre className="small">{JSON.stringify(payload, undefined, 2)}</pre>
  </details>
)

const Attempts = ({ delivery: { tries, nextAttemptAt } }: { readonly delivery: Delivery }) => (
  <ol className="plain">
    {tries.map(({ at, status, error, ms }) => (
      <li key={at}>
        {status ?? error ?? 'no answer'}{' '}
        <span className="small soft">
          · {ms} ms · <Time at={at} />
        </span>
      </li>
    ))}
    {nextAttemptAt && (
      <li className="small soft">
        next attempt <Time at={nextAttemptAt} />
      </li>
    )}
    {tries.length === 0 && !nextAttemptAt && <li className="soft">none</li>}
  </ol>
)
