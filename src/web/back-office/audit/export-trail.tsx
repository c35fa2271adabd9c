import { getAdminAuditExport } from '#api-client/licensing/audit'
import { Menu, MenuItem } from '../../kit/overlay.tsx'
import { useCan } from '../../session/context.tsx'
import { useDownload } from '../../session/download.ts'

type Filters = Readonly<Record<string, string>>

/** What the filters show now, as a file. */
export function ExportTrail({ filters: { sort: _sort, ...query } }: { readonly filters: Filters }) {
  const can = useCan()
  const download = useDownload()
  if (!can(getAdminAuditExport)) return null
  return (
    <Menu label="Export" tone="plain">
      {(['csv', 'ndjson'] as const).map((format) => (
        <MenuItem
          key={format}
          onSelect={() => void download(getAdminAuditExport, { query: { ...query, format } }, `audit.${format}`)}
        >
          {format.toUpperCase()}
        </MenuItem>
      ))}
    </Menu>
  )
}
