import { Link } from 'wouter'
import { getShopLicenses } from '#api-client/licensing/shop'
import { ButtonLink, Empty, State } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { Announcements } from './announcements.tsx'

export default function MyLicenses() {
  return (
    <Page title="My licenses">
      <Announcements />
      <RecordTable
        operation={getShopLicenses}
        caption="My licenses"
        keyOf={({ id }) => id}
        columns={[
          {
            label: 'Key',
            of: ({ id, keyId }) => (
              <Link href={`/shop/licenses/${id}`} className="mono">
                {keyId}
              </Link>
            ),
          },
          { label: 'State', of: ({ effectiveStatus }) => <State of={effectiveStatus} /> },
          { label: 'Plan', of: ({ planSlug }) => planSlug },
          {
            label: 'Machines',
            isNumber: true,
            of: ({ activeInstances, maxActivations }) => `${activeInstances} of ${maxActivations}`,
          },
          { label: 'Ends', of: ({ expiresAt }) => <Time at={expiresAt} /> },
        ]}
        empty={
          <Empty
            action={
              <ButtonLink to="/shop/plans" tone="main">
                See the plans
              </ButtonLink>
            }
          >
            You have no license yet. A license lets your machines run the panel.
          </Empty>
        }
      />
    </Page>
  )
}
