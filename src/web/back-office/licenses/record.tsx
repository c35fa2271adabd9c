import { useParams } from 'wouter'
import { getAdminInstances } from '#api-client/licensing/instances'
import { getAdminLicensesById, getAdminLicensesByIdHistory } from '#api-client/licensing/licenses'
import { Fact, Facts, Part, State } from '../../kit/controls.tsx'
import { RecordPage } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { useAnswer, useCan } from '../../session/context.tsx'
import { PANEL_COLUMNS } from '../panels/columns.tsx'
import { RecordHistory } from '../records/history.tsx'
import { IdLink } from '../records/id-link.tsx'
import { LicenseActions } from './actions.tsx'
import { LicenseKey } from './license-key.tsx'

export default function LicenseRecord() {
  const { id } = useParams<{ id: string }>()
  const can = useCan()
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
                  <IdLink kind="customer" id={data.customerId} isWhole />
                </Fact>
                <Fact label="Subscription">
                  <IdLink kind="subscription" id={data.subscriptionId} isWhole />
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
                    <IdLink kind="license" id={data.replacedBy} isWhole />
                  </Fact>
                )}
              </Facts>
            </Part>
          </div>
          {can(getAdminInstances) && (
            <Part title="Panels">
              <RecordTable
                operation={getAdminInstances}
                caption="Panels of this license"
                input={{ query: { licenseId: id } }}
                keyOf={(panel) => panel.id}
                columns={PANEL_COLUMNS}
                empty={<p className="soft">No panel has activated this license.</p>}
              />
            </Part>
          )}
          <RecordHistory id={id} operation={getAdminLicensesByIdHistory} />
        </>
      )}
    </RecordPage>
  )
}
