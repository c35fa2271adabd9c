import { getAdminAuditLogs, getAdminAuditLogsActions } from '#api-client/panel/audit-logs'
import { getAdminHealth } from '#api-client/panel/health'
import { Empty } from '../../kit/controls.tsx'
import { NothingMatches, useFilters } from '../../kit/filters.tsx'
import { Page } from '../../kit/page.tsx'
import { useAnswer, useAnswerIf } from '../../session/context.tsx'
import { Trail } from './trail.tsx'

const FILTERS = ['actor', 'action', 'subject', 'project', 'from', 'to']

export default function Audit() {
  const actions = useAnswer(getAdminAuditLogsActions)
  const filters = useFilters(
    getAdminAuditLogs,
    FILTERS,
    { actor: 'Actor id', subject: 'Record id', project: 'Project id' },
    { action: actions.data },
  )
  const health = useAnswerIf(true, getAdminHealth, {})
  return (
    <Page title="Audit" state={health.data && <span className="soft">up to #{health.data.position}</span>}>
      {filters.inputs}
      <Trail
        query={filters.given}
        empty={
          filters.isFiltered ? (
            <NothingMatches onClear={filters.clear} />
          ) : (
            <Empty>Every change of this panel is written here, with who made it and from where.</Empty>
          )
        }
      />
    </Page>
  )
}
