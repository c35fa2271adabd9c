import { getAdminLicensesByIdHistory } from '#api-client/licensing'
import { getAdminAudit } from '#api-client/licensing'
import { Part } from '../../kit/controls.tsx'
import { ListFoot } from '../../kit/filters.tsx'
import { RefusalNotice } from '../../kit/refusal.tsx'
import { Timeline } from '../../kit/timeline.tsx'
import { useCan, useList } from '../../session/context.tsx'
import { AUDIT } from '../paths.ts'

export function LicenseHistory({ id }: { readonly id: string }) {
  const history = useList(getAdminLicensesByIdHistory, { params: { id } })
  const can = useCan()
  return (
    <Part title="History">
      {history.error && <RefusalNotice of={history.error} />}
      <Timeline entries={history.items} auditPath={can(getAdminAudit) ? AUDIT : undefined} />
      <ListFoot
        count={history.items.length}
        total={history.total}
        more={history.more}
        isLoadingMore={history.isLoadingMore}
      />
    </Part>
  )
}
