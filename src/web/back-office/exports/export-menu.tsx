import { getAdminExportsByResource } from '#api-client/licensing/exports'
import { Menu, MenuItem } from '../../kit/overlay.tsx'
import { useCan } from '../../session/context.tsx'
import { useDownload } from '../../session/download.ts'

type Resource = NonNullable<typeof getAdminExportsByResource.shape>['params']['resource']

/** All records of a kind as a file. Each export is recorded in the audit trail. */
export function ExportMenu({ resource }: { readonly resource: Resource }) {
  const can = useCan()
  const download = useDownload()
  if (!can(getAdminExportsByResource)) return null
  return (
    <Menu label="Export" tone="plain">
      {(['csv', 'ndjson'] as const).map((format) => (
        <MenuItem
          key={format}
          onSelect={() =>
            void download(
              getAdminExportsByResource,
              { params: { resource }, query: { format } },
              `${resource}.${format}`,
            )
          }
        >
          {format.toUpperCase()}
        </MenuItem>
      ))}
    </Menu>
  )
}
