import { Link, useParams } from 'wouter'
import { getShopInstances, getShopLicensesById, postShopInstancesByIdDeactivate } from '#api-client/licensing/shop'
import { Action } from '../../kit/action.tsx'
import { Fact, Facts, Part, State } from '../../kit/controls.tsx'
import { RecordPage } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { useAnswer } from '../../session/context.tsx'
import { LicenseActions } from './actions.tsx'

export default function MyLicense() {
  const { id } = useParams<{ id: string }>()
  const license = useAnswer(getShopLicensesById, { params: { id } })
  return (
    <RecordPage
      kind="License"
      parent={{ to: '/shop', title: 'My licenses' }}
      answer={license}
      title={({ keyId }) => keyId}
      state={({ effectiveStatus }) => <State of={effectiveStatus} />}
      actions={(data) => <LicenseActions license={data} />}
    >
      {(data) => (
        <>
          <Facts>
            <Fact label="Plan">{data.planSlug}</Fact>
            <Fact label="Seats">{data.seats}</Fact>
            <Fact label="Issued">
              <Time at={data.issuedAt} />
            </Fact>
            <Fact label="Ends">
              <Time at={data.expiresAt} />
            </Fact>
            <Fact label="Grace ends">
              <Time at={data.graceEndsAt} />
            </Fact>
            <Fact label="Subscription">
              <Link href={`/shop/subscriptions/${data.subscriptionId}`}>Open it</Link>
            </Fact>
            {data.replacedBy && (
              <Fact label="Replaced by">
                <Link href={`/shop/licenses/${data.replacedBy}`}>the newer license</Link>
              </Fact>
            )}
          </Facts>
          <Part title={`Machines: ${data.activeInstances} of ${data.maxActivations}`}>
            <RecordTable
              operation={getShopInstances}
              caption="Machines of this license"
              input={{ query: { licenseId: id } }}
              keyOf={(machine) => machine.id}
              columns={[
                { label: 'Machine', of: ({ name, hostname }) => name || hostname },
                { label: 'State', of: ({ status }) => <State of={status} /> },
                { label: 'Version', of: ({ version }) => version },
                { label: 'System', of: ({ os, arch }) => `${os} ${arch}` },
                {
                  label: 'Last seen',
                  of: ({ lastHeartbeatAt, activatedAt }) => <Time at={lastHeartbeatAt ?? activatedAt} />,
                },
                {
                  label: 'Slot',
                  of: (machine) => (
                    <Action
                      operation={postShopInstancesByIdDeactivate}
                      input={{ params: { id: machine.id } }}
                      label="Free this slot"
                      tone="quiet"
                      about={
                        <p>
                          {machine.name || machine.hostname} loses its plan, and another machine can take its place.
                        </p>
                      }
                      record={machine}
                      done="The slot is free"
                    />
                  ),
                },
              ]}
              empty={<p className="soft">No machine runs under this license yet.</p>}
            />
          </Part>
        </>
      )}
    </RecordPage>
  )
}
