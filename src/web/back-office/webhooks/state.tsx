import { State, ToneText } from '../../kit/controls.tsx'
import { Time } from '../../kit/time.tsx'

interface WebhookStateProps {
  readonly webhook: {
    readonly status: 'PENDING' | 'ACTIVE' | 'DISABLED'
    readonly disabledReason: 'STAFF' | 'GONE' | 'FAILING' | 'UNVERIFIED' | null
    readonly failingSince: string | null
  }
}

const REASONS = {
  STAFF: 'by staff',
  GONE: 'its address answered that it is gone',
  FAILING: 'it failed for too long',
  UNVERIFIED: 'its address did not answer the ping',
} as const

export const WebhookState = ({ webhook: { status, disabledReason, failingSince } }: WebhookStateProps) => (
  <span className="row">
    <State of={status} />
    {disabledReason && <span className="small soft">{REASONS[disabledReason]}</span>}
    {failingSince && status !== 'DISABLED' && (
      <span className="row">
        <ToneText tone="bad">Failing</ToneText>
        <span className="small soft">
          since <Time at={failingSince} />
        </span>
      </span>
    )}
  </span>
)
