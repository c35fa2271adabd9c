import { Link } from 'wouter'
import { getShopLicenses } from '#api-client/licensing'
import { Empty, State } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'

export default function MyLicenses() {
  return (
    <Page title="My licenses">
      <RecordTable
        operation={getShopLicenses}
        caption="My licenses"
        keyOf={({ id }) => id}
        columns={[
          { label: 'Key', of: ({ id, keyId }) => <Link href={`/shop/licenses/${id}`}>{keyId}</Link> },
          { label: 'State', of: ({ effectiveStatus }) => <State of={effectiveStatus} /> },
          { label: 'Ends', of: ({ expiresAt }) => <Time at={expiresAt} /> },
        ]}
        empty={<Empty>You have no license yet.</Empty>}
      />
    </Page>
  )
}
