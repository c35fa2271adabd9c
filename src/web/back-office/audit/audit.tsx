import { getAdminAudit, getAdminAuditActions } from '#api-client/licensing/audit'
import { Empty } from '../../kit/controls.tsx'
import { ListFoot, NothingMatches, useFilters } from '../../kit/filters.tsx'
import { NewRows } from '../../kit/new-rows.tsx'
import { Page } from '../../kit/page.tsx'
import { Timeline } from '../../kit/timeline.tsx'
import { useAnswer, useList } from '../../session/context.tsx'
import { AUDIT } from '../paths.ts'
import { EVENT_FACTS } from '../records/event-facts.ts'
import { usePathOf } from '../records/id-link.tsx'
import { ChainBadge } from './chain-badge.tsx'
import { ExportTrail } from './export-trail.tsx'

const FILTERS = ['actor', 'action', 'subject', 'requestId', 'from', 'to']

export default function Audit() {
  const actions = useAnswer(getAdminAuditActions)
  const filters = useFilters(
    getAdminAudit,
    FILTERS,
    { subject: 'Record id', actor: 'Actor id', requestId: 'Request id' },
    { action: actions.data?.actions.map(({ action }) => action) },
  )
  const pathOf = usePathOf()
  const trail = useList(getAdminAudit, { query: filters.given }, { holdsNew: true })
  const isEmpty = !trail.isLoading && !trail.error && trail.items.length === 0
  return (
    <Page title="Audit" state={<ChainBadge />} actions={<ExportTrail filters={filters.given} />}>
      {filters.inputs}
      {isEmpty &&
        (filters.isFiltered ? (
          <NothingMatches onClear={filters.clear} />
        ) : (
          <Empty>Every change of this installation is written here, with who made it and from where.</Empty>
        ))}
      <NewRows of={trail} />
      <Timeline entries={trail.items} auditPath={AUDIT} pathOf={pathOf} facts={EVENT_FACTS} />
      <ListFoot list={trail} />
    </Page>
  )
}
