import { Empty, ToneText } from '../../kit/controls.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { Time } from '../../kit/time.tsx'
import type { Tone } from '../../kit/words.ts'
import type { Webhook } from './webhook-address.tsx'

type Delivery = Webhook['deliveries'][number]

const OUTCOMES: Readonly<Record<Delivery['outcome'], readonly [Tone, string]>> = {
  QUEUED: ['good', 'deploys'],
  UNCHANGED: ['quiet', 'nothing watched'],
  IGNORED: ['quiet', 'ignored'],
  REFUSED: ['bad', 'refused'],
}

export function Deliveries({ of }: { readonly of: Webhook['deliveries'] }) {
  if (of.length === 0) return <Empty>What its provider sends stands here for a day, with what followed from it.</Empty>
  return (
    <RowsTable
      rows={of}
      caption="Deliveries of the last day"
      keyOf={({ at, event, outcome }) => `${at} ${event} ${outcome}`}
      columns={[
        { label: 'Came', of: ({ at }) => <Time at={at} /> },
        { label: 'Event', of: ({ event }) => <code className="long">{event}</code> },
        { label: 'Outcome', of: ({ outcome }) => <Outcome of={outcome} /> },
        { label: 'Answered', isNumber: true, of: ({ status }) => status },
      ]}
    />
  )
}

function Outcome({ of }: { readonly of: Delivery['outcome'] }) {
  const [tone, words] = OUTCOMES[of]
  return <ToneText tone={tone}>{words}</ToneText>
}
