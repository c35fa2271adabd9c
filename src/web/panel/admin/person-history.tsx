import { getAdminAuditLogs } from '#api-client/panel/audit-logs'
import { Part } from '../../kit/controls.tsx'
import { useCan } from '../../session/context.tsx'
import { Trail } from './trail.tsx'

export function PersonHistory({ id }: { readonly id: string }) {
  const can = useCan()
  if (!can(getAdminAuditLogs)) return null
  return (
    <Part title="History">
      <Trail query={{ subject: id }} />
    </Part>
  )
}
