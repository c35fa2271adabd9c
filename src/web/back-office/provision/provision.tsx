import { useState } from 'react'
import { postAdminProvisioning } from '#api-client/licensing/provisioning'
import type { DataOf } from '#api-client/operation'
import { ButtonLink, Button, Fact, Facts, Notice } from '../../kit/controls.tsx'
import { OperationForm } from '../../kit/form.tsx'
import { Page } from '../../kit/page.tsx'
import { SecretText } from '../../kit/reveal.tsx'

export default function Provision() {
  const [made, setMade] = useState<DataOf<typeof postAdminProvisioning>>()
  return (
    <Page title="Provision">
      {made ? (
        <Provisioned made={made} onAgain={() => setMade(undefined)} />
      ) : (
        <>
          <p>One step for a customer, a subscription and a license. A repeated reference changes nothing.</p>
          <div className="narrow">
            <OperationForm
              operation={postAdminProvisioning}
              order={['email', 'planSlug', 'billingCycle', 'seats', 'reference', 'status', 'currentPeriodEnd']}
              labels={{ planSlug: 'Plan', email: 'E-mail address of the customer' }}
              submit="Provision"
              onDone={setMade}
            />
          </div>
        </>
      )}
    </Page>
  )
}

interface ProvisionedProps {
  readonly made: DataOf<typeof postAdminProvisioning>
  readonly onAgain: () => void
}

function Provisioned({
  made: { created, customer, subscription, license, licenseKey, installCommand },
  onAgain,
}: ProvisionedProps) {
  return (
    <div className="stack">
      <Notice tone="good">
        <p>{created ? 'The license is issued.' : 'This reference was provisioned before: here is what it made.'}</p>
      </Notice>
      <Facts>
        <Fact label="Customer">{customer.email}</Fact>
        <Fact label="Plan">{subscription.planSlug}</Fact>
      </Facts>
      <SecretText label="License key" text={licenseKey} file={`${license.keyId}.license`} />
      <p>A panel that runs takes the key under License, with “Replace the license key”.</p>
      <SecretText label="To install a panel with it" text={installCommand} />
      <div className="row">
        <ButtonLink to={`/console/licenses/${license.id}`} tone="main">
          Open the license
        </ButtonLink>
        <Button onClick={onAgain}>Provision another</Button>
      </div>
    </div>
  )
}
