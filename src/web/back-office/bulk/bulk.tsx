import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { getAdminBulk, postAdminBulk } from '#api-client/licensing/bulk'
import type { DataOf } from '#api-client/operation'
import { Action } from '../../kit/action.tsx'
import { Notice, Part, State } from '../../kit/controls.tsx'
import { OperationForm } from '../../kit/form.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { ActionChoice, bulkLabel, useOfferedActions } from './action-choice.tsx'
import type { BulkChoice } from './bulk-bar.tsx'
import { TargetFilter } from './target-filter.tsx'
import type { FilterValue } from './target-filter.tsx'

type Started = DataOf<typeof postAdminBulk>

/** A dry run, and what would be sent to do it. */
interface Tried {
  readonly result: Extract<Started, { readonly sample: unknown }>
  readonly sent: Readonly<Record<string, unknown>>
}

export default function Bulk() {
  const isOffered = useOfferedActions().length > 0
  return (
    <Page title="Bulk">
      {isOffered && <NewBulk />}
      <Part title="Earlier bulk actions">
        <Earlier />
      </Part>
    </Page>
  )
}

function NewBulk() {
  const [tried, setTried] = useState<Tried>()
  const chosen = useHistoryState<BulkChoice | null>()
  return (
    <Part title={chosen ? `${bulkLabel(chosen.action)}: ${chosen.ids.length} selected` : 'One action on many records'}>
      <div className="narrow">
        <OperationForm
          operation={postAdminBulk}
          fixed={{ dryRun: true, ...(chosen && { ...chosen, filter: undefined }) }}
          order={['action', 'filter', 'ids', 'reason', 'expiresAt']}
          labels={{ ids: 'Ids', expiresAt: 'New end' }}
          inputs={{
            action: (value, change) => <ActionChoice value={(value ?? '') as string} onChange={change} />,
            filter: (value, change) => <TargetFilter value={value as FilterValue | undefined} onChange={change} />,
          }}
          submit="Dry run"
          onDone={(result, sent) => 'sample' in result && setTried({ result, sent })}
        />
      </div>
      {tried && <DryRun tried={tried} />}
    </Part>
  )
}

function DryRun({ tried: { result, sent } }: { readonly tried: Tried }) {
  const [, go] = useLocation()
  const { action, total, sample } = result
  return (
    <Notice tone={total === 0 ? 'quiet' : 'warn'}>
      <p>
        {bulkLabel(action)}: {total} {total === 1 ? 'record matches' : 'records match'}.
        {total > sample.length && ` These are the first ${sample.length}.`}
      </p>
      <ul className="plain small">
        {sample.map((id) => (
          <li key={id}>
            <Link href={`/console/${action.split('.')[0]}/${id}`}>
              <code>{id}</code>
            </Link>
          </li>
        ))}
      </ul>
      <div>
        <Action
          operation={postAdminBulk}
          only={[]}
          fixed={{ ...sent, dryRun: false }}
          label={`Start on ${total}`}
          title={`${bulkLabel(action)}: start on ${total}`}
          tone="bad"
          about={<p>Records that match when it starts are changed one after another. It cannot be stopped.</p>}
          isOffered={total > 0}
          done="The bulk action has started"
          onDone={(started) => 'id' in started && go(`/console/bulk/${started.id}`)}
        />
      </div>
    </Notice>
  )
}

const Earlier = () => (
  <RecordTable
    operation={getAdminBulk}
    caption="Earlier bulk actions"
    filters={['action', 'status']}
    keyOf={({ id }) => id}
    columns={[
      { label: 'Action', of: ({ id, action }) => <Link href={`/console/bulk/${id}`}>{bulkLabel(action)}</Link> },
      { label: 'State', of: ({ status }) => <State of={status} /> },
      { label: 'Records', isNumber: true, of: ({ total }) => total },
      { label: 'Done', isNumber: true, of: ({ done }) => done },
      { label: 'Skipped', isNumber: true, of: ({ skipped }) => skipped },
      { label: 'Failed', isNumber: true, of: ({ failed }) => failed },
      { label: 'Started', sort: 'createdAt', of: ({ createdAt }) => <Time at={createdAt} /> },
    ]}
    empty={<p className="soft">No bulk action has been started.</p>}
  />
)
