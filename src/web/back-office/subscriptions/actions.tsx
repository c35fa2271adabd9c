/** What may be done with a subscription. */
import {
  postAdminSubscriptionsByIdCancel,
  postAdminSubscriptionsByIdPause,
  postAdminSubscriptionsByIdResume,
  postAdminSubscriptionsByIdUncancel,
} from '#api-client/licensing/subscriptions'
import { Action } from '../../kit/action.tsx'
import { Actions } from '../../kit/actions.tsx'
import { Fact, Facts, State } from '../../kit/controls.tsx'
import { PreviewedAction } from '../../kit/previewed-action.tsx'
import { exactTime } from '../../kit/time.tsx'
import { ChangeTerms } from './change.tsx'
import type { Subscription } from './columns.tsx'

interface SubscriptionProps {
  readonly subscription: Subscription
}

export const isEnded = ({ status }: Pick<Subscription, 'status'>): boolean =>
  status === 'CANCELLED' || status === 'EXPIRED'

export function SubscriptionActions({ subscription }: SubscriptionProps) {
  const input = { params: { id: subscription.id } }
  return (
    <Actions
      more={
        <>
          <Action
            operation={postAdminSubscriptionsByIdPause}
            input={input}
            label="Pause"
            about={
              <p>Its license is suspended until the subscription is resumed. The end of the period does not move.</p>
            }
            record={subscription}
            done="The subscription is paused"
          />
          <PreviewedAction
            operation={postAdminSubscriptionsByIdCancel}
            input={input}
            label="Cancel"
            title="Cancel the subscription"
            about={<p>At once, which revokes its license, or at the end of the period, without grace.</p>}
            done="The cancellation is recorded"
            record={subscription}
            isFinal
            preview={{
              operation: postAdminSubscriptionsByIdCancel,
              input: { ...input, query: { dryRun: 'true' } },
              labels: { mode: 'When', comment: 'What the customer says about it' },
            }}
            shown={(after) => <Cancelled after={after} before={subscription} />}
          />
        </>
      }
    >
      <ChangeTerms subscription={subscription} />
      <Action
        operation={postAdminSubscriptionsByIdResume}
        input={input}
        label="Resume"
        about={<p>Its license is valid again.</p>}
        record={subscription}
        done="The subscription is resumed"
      />
      <Action
        operation={postAdminSubscriptionsByIdUncancel}
        input={input}
        label="Withdraw the cancellation"
        about={<p>The subscription goes on after its period.</p>}
        record={subscription}
        done="The cancellation is withdrawn"
      />
    </Actions>
  )
}

interface CancelledProps {
  readonly before: Subscription
  /** As the subscription would be. Nothing is recorded yet. */
  readonly after: Subscription
}

const Cancelled = ({ before, after }: CancelledProps) => (
  <Facts>
    <Fact label="State afterwards">
      <State of={after.status} />
    </Fact>
    <Fact label="Ends">
      {after.cancelledAt ? exactTime(after.cancelledAt) : `${exactTime(after.currentPeriodEnd)}, with its period`}
    </Fact>
    <Fact label="License">
      {before.licenseId === null && 'There is none'}
      {before.licenseId !== null && (after.licenseId === null ? 'It is revoked' : 'It stays until then')}
    </Fact>
  </Facts>
)
