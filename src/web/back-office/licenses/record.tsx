import { Link, useParams } from 'wouter'
import { getAdminInstances, getAdminLicensesById } from '#api-client/licensing'
import { Fact, Facts, Part, State } from '../../kit/controls.tsx'
import { RecordPage } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { useAnswer } from '../../session/context.tsx'
import { LicenseActions } from './actions.tsx'
import { LicenseHistory } from './history.tsx'
import { LicenseKey } from './license-key.tsx'

export default function LicenseRecord() {
  const { id } = useParams<{ id: string }>()
  const license = useAnswer(getAdminLicensesById, { params: { id } })
  return (
    <RecordPage
      kind="License"
      parent={{ to: '/console/licenses', title: 'Licenses' }}
      answer={license}
      title={({ keyId }) => keyId}
      state={({ effectiveStatus }) => <State of={effectiveStatus} />}
      actions={(data) => <LicenseActions license={data} />}
    >
      {(data) => (
        <>
          <div className="columns">
            <Part title="License" actions={<LicenseKey id={id} keyId={data.keyId} />}>
              <Facts>
                <Fact label="Plan">{data.planSlug}</Fact>
                <Fact label="Seats">{data.seats}</Fact>
                <Fact label="Panels">
                  {data.activeInstances} of {data.maxActivations}
                </Fact>
                <Fact label="Customer">
                  <Link href={`/console/customers/${data.customerId}`}>{data.customerId}</Link>
                </Fact>
                <Fact label="Subscription">
                  <Link href={`/console/subscriptions/${data.subscriptionId}`}>{data.subscriptionId}</Link>
                </Fact>
              </Facts>
            </Part>
            <Part title="Times">
              <Facts>
                <Fact label="Issued">
                  <Time at={data.issuedAt} />
                </Fact>
                <Fact label="Ends">
                  <Time at={data.expiresAt} absent="never" />
                </Fact>
                <Fact label="Grace ends">
                  <Time at={data.graceEndsAt} />
                </Fact>
                {data.suspendedAt && (
                  <Fact label="Suspended">
                    <Time at={data.suspendedAt} />
                  </Fact>
                )}
                {data.revokedAt && (
                  <Fact label="Revoked">
                    <Time at={data.revokedAt} />
                  </Fact>
                )}
                {data.reason && <Fact label="Reason">{data.reason}</Fact>}
                {data.replacedBy && (
                  <Fact label="Replaced by">
                    <Link href={`/console/licenses/${data.replacedBy}`}>{data.replacedBy}</Link>
                  </Fact>
                )}
              </Facts>
            </Part>
          </div>
          <Part title="Panels">
            <RecordTable
              operation={getAdminInstances}
              caption="Panels of this license"
              input={{ query: { licenseId: id } }}
              keyOf={(panel) => panel.id}
              columns={[
                {
                  label: 'Panel',
                  of: (panel) => <Link href={`/console/panels/${panel.id}`}>{panel.name ?? panel.id}</Link>,
                },
                { label: 'State', of: ({ status }) => <State of={status} /> },
                { label: 'Version', of: ({ version }) => version },
                {
                  label: 'Last heartbeat',
                  of: ({ lastHeartbeatAt }) => <Time at={lastHeartbeatAt} absent="none yet" />,
                },
              ]}
              empty={<p className="soft">No panel has activated this license.</p>}
            />
          </Part>
          <LicenseHistory id={id} />
        </>
      )}
    </RecordPage>
  )
}
