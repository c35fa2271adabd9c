import { getAdminAudit } from '#api-client/licensing'
import { Part } from '../../kit/controls.tsx'
import { ListFoot } from '../../kit/filters.tsx'
import { RefusalNotice } from '../../kit/refusal.tsx'
import { Timeline } from '../../kit/timeline.tsx'
import { useCan, useList } from '../../session/context.tsx'
import { AUDIT, pathOf } from '../paths.ts'

/** The entries of the audit trail about one record, for those who may read the trail. */
export function RecordHistory({ id }: { readonly id: string }) {
  const can = useCan()
  return can(getAdminAudit) ? <Entries id={id} /> : null
}

function Entries({ id }: { readonly id: string }) {
  const { items, total, more, isLoadingMore, error } = useList(getAdminAudit, { query: { subject: id } })
  return (
    <Part title="History">
      {error && <RefusalNotice of={error} />}
      <Timeline entries={items} auditPath={AUDIT} pathOf={pathOf} />
      <ListFoot count={items.length} total={total} more={more} isLoadingMore={isLoadingMore} />
    </Part>
  )
}
