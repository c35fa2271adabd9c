import { Link } from 'wouter'
import type { getAdminInstances } from '#api-client/licensing/instances'
import type { DataOf } from '#api-client/operation'
import type { ItemOf } from '#api-client/paging'
import { State, ToneText } from '../../kit/controls.tsx'
import type { Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'

export type Panel = ItemOf<DataOf<typeof getAdminInstances>>

export const Flags = ({ of }: { readonly of: Panel['flags'] }) =>
  of.length === 0 ? (
    <span className="soft">–</span>
  ) : (
    of.map((flag) => (
      <ToneText key={flag} tone="warn">
        {wordOf(flag)}
      </ToneText>
    ))
  )

export const PANEL_COLUMNS: readonly Column<Panel>[] = [
  {
    label: 'Panel',
    of: ({ id, name, hostname }) => (
      <>
        <Link href={`/console/panels/${id}`}>{name}</Link>
        {hostname !== name && <span className="soft"> {hostname}</span>}
      </>
    ),
  },
  { label: 'State', of: ({ status }) => <State of={status} /> },
  { label: 'Version', sort: 'version', of: ({ version }) => version },
  { label: 'System', of: ({ os, arch }) => `${os} ${arch}` },
  { label: 'Last heartbeat', of: ({ lastHeartbeatAt }) => <Time at={lastHeartbeatAt} absent="none yet" /> },
  { label: 'Flags', of: ({ flags }) => <Flags of={flags} /> },
]
