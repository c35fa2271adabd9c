import { Link } from 'wouter'
import type { getAdminLicenses } from '#api-client/licensing/licenses'
import type { DataOf } from '#api-client/operation'
import type { ItemOf } from '#api-client/paging'
import { State } from '../../kit/controls.tsx'
import type { Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'

type License = ItemOf<DataOf<typeof getAdminLicenses>>

export const LICENSE_COLUMNS: readonly Column<License>[] = [
  {
    label: 'Key',
    of: ({ id, keyId }) => (
      <Link href={`/console/licenses/${id}`} className="mono">
        {keyId}
      </Link>
    ),
  },
  { label: 'State', of: ({ effectiveStatus }) => <State of={effectiveStatus} /> },
  { label: 'Plan', of: ({ planSlug }) => planSlug },
  {
    label: 'Panels',
    isNumber: true,
    of: ({ activeInstances, maxActivations }) => `${activeInstances} of ${maxActivations}`,
  },
  { label: 'Issued', sort: 'issuedAt', of: ({ issuedAt }) => <Time at={issuedAt} /> },
  { label: 'Ends', sort: 'expiresAt', of: ({ expiresAt }) => <Time at={expiresAt} /> },
]
