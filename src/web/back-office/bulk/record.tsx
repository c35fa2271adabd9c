import { useId } from 'react'
import { Link, useParams } from 'wouter'
import { getAdminBulkById } from '#api-client/licensing/bulk'
import type { DataOf } from '#api-client/operation'
import { Fact, Facts, Figures, Part, State } from '../../kit/controls.tsx'
import { RecordPage } from '../../kit/page.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { Time } from '../../kit/time.tsx'
import { useAnswerIf } from '../../session/context.tsx'
import { RecordHistory } from '../records/history.tsx'
import { StaffName } from '../staff/staff-name.tsx'
import { bulkLabel } from './action-choice.tsx'

type BulkAction = DataOf<typeof getAdminBulkById>

export default function BulkRecord() {
  const { id } = useParams<{ id: string }>()
  const answer = useAnswerIf(true, getAdminBulkById, { params: { id } }, (data) => data?.status === 'RUNNING')
  return (
    <RecordPage
      kind="Bulk action"
      parent={{ to: '/console/bulk', title: 'Bulk' }}
      answer={answer}
      title={({ action }) => bulkLabel(action)}
      state={({ status }) => <State of={status} />}
    >
      {(bulk) => (
        <>
          <Progress bulk={bulk} />
          <Facts>
            <Fact label="Started">
              <Time at={bulk.createdAt} /> by <StaffName id={bulk.requestedBy} />
            </Fact>
            <Fact label="Completed">
              <Time at={bulk.completedAt} absent="not yet" />
            </Fact>
            {bulk.reason && <Fact label="Reason">{bulk.reason}</Fact>}
          </Facts>
          <Problems bulk={bulk} />
          <RecordHistory id={id} />
        </>
      )}
    </RecordPage>
  )
}

function Progress({ bulk: { total, done, skipped, failed } }: { readonly bulk: BulkAction }) {
  const id = useId()
  const handled = done + skipped + failed
  return (
    <div className="stack">
      <div className="field">
        <label htmlFor={id}>
          {handled} of {total} records
        </label>
        <progress id={id} className="progress" max={Math.max(total, 1)} value={total === 0 ? 1 : handled} />
      </div>
      <Figures>
        <Fact label="Done">{done}</Fact>
        <Fact label="Skipped">{skipped}</Fact>
        <Fact label="Failed">{failed}</Fact>
      </Figures>
    </div>
  )
}

const Problems = ({ bulk: { action, problems } }: { readonly bulk: BulkAction }) =>
  problems.length === 0 ? null : (
    <Part title="Problems">
      <RowsTable
        caption="Records that were skipped or failed"
        rows={problems}
        keyOf={({ target }) => target}
        columns={[
          {
            label: 'Record',
            of: ({ target }) => (
              <Link href={`/console/${action.split('.')[0]}/${target}`}>
                <code>{target}</code>
              </Link>
            ),
          },
          { label: 'State', of: ({ status }) => <State of={status} /> },
          { label: 'Why', of: ({ message }) => message },
        ]}
      />
    </Part>
  )
