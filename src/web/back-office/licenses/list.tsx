import { Link } from 'wouter'
import { getAdminLicenses } from '#api-client/licensing'
import { ButtonLink, Empty, State } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'

export default function Licenses() {
  return (
    <Page
      title="Licenses"
      actions={
        <ButtonLink to="/console/provision" tone="main">
          Provision
        </ButtonLink>
      }
    >
      <RecordTable
        operation={getAdminLicenses}
        caption="Licenses"
        filters={['status', 'keyId', 'customerId', 'expiresBefore']}
        labels={{ keyId: 'Key id', customerId: 'Customer id' }}
        keyOf={({ id }) => id}
        columns={[
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
        ]}
        empty={
          <Empty action={<ButtonLink to="/console/provision">Provision the first license</ButtonLink>}>
            A license lets a customer’s panels run. Each is issued for a subscription.
          </Empty>
        }
      />
    </Page>
  )
}
