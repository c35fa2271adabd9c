import type { ReactNode } from 'react'
import { getAdminAuditLogs } from '#api-client/panel/audit-logs'
import { ListFoot } from '../../kit/filters.tsx'
import { NewRows } from '../../kit/new-rows.tsx'
import { Timeline } from '../../kit/timeline.tsx'
import { useList } from '../../session/context.tsx'

const PAGES: Readonly<Record<string, string>> = { user: '/admin/people', project: '/projects', team: '/admin/teams' }

const pathOf = (kind: string, id: string): string | undefined => PAGES[kind] && `${PAGES[kind]}/${id}`

interface TrailProps {
  readonly query: Readonly<Record<string, string>>
  readonly empty?: ReactNode
}

/** A part of the audit trail of the panel. */
export function Trail({ query, empty }: TrailProps) {
  const trail = useList(getAdminAuditLogs, { query }, { holdsNew: true })
  const { items, error, isLoading } = trail
  if (!error && !isLoading && items.length === 0) return empty
  return (
    <>
      <NewRows of={trail} />
      <Timeline entries={items} auditPath="/admin/audit" pathOf={pathOf} />
      <ListFoot list={trail} />
    </>
  )
}
