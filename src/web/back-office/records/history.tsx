/**
 * The history of a record. The audit trail tells more of it, from where each change came and what else names the
 * record; a person who may not read that trail sees the record's own events.
 */
import { getAdminAudit } from '#api-client/licensing/audit'
import type { getAdminLicensesByIdHistory } from '#api-client/licensing/licenses'
import type { AuditEntry } from '../../kit/audit-entry.ts'
import { Part } from '../../kit/controls.tsx'
import { ListFoot } from '../../kit/filters.tsx'
import { Timeline } from '../../kit/timeline.tsx'
import { useCan, useList } from '../../session/context.tsx'
import type { ListAnswer } from '../../session/context.tsx'
import { AUDIT } from '../paths.ts'
import { EVENT_FACTS } from './event-facts.ts'
import { usePathOf } from './id-link.tsx'

interface RecordHistoryProps {
  readonly id: string
  /** Absent for a record whose events only the audit trail lists. */
  readonly operation?: typeof getAdminLicensesByIdHistory
}

export function RecordHistory({ id, operation }: RecordHistoryProps) {
  const can = useCan()
  if (can(getAdminAudit)) return <FromTrail id={id} />
  return operation && can(operation) ? <OwnEvents id={id} operation={operation} /> : null
}

const FromTrail = ({ id }: RecordHistoryProps) => (
  <Entries list={useList(getAdminAudit, { query: { subject: id } })} auditPath={AUDIT} />
)

const OwnEvents = ({ id, operation }: Required<RecordHistoryProps>) => (
  <Entries list={useList(operation, { params: { id } })} />
)

interface EntriesProps {
  readonly list: ListAnswer<AuditEntry>
  readonly auditPath?: string
}

function Entries({ list, auditPath }: EntriesProps) {
  const pathOf = usePathOf()
  return (
    <Part title="History">
      <Timeline entries={list.items} auditPath={auditPath} pathOf={pathOf} facts={EVENT_FACTS} />
      <ListFoot list={list} />
    </Part>
  )
}
