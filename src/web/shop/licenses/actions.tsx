import { useState } from 'react'
import {
  getShopLicensesByIdKey,
  postShopLicensesByIdOfflineActivation,
  postShopLicensesByIdRotate,
} from '#api-client/licensing'
import type { getShopLicensesById } from '#api-client/licensing'
import type { DataOf } from '#api-client/operation'
import { Action } from '../../kit/action.tsx'
import { Dialog } from '../../kit/overlay.tsx'
import { SecretText } from '../../kit/reveal.tsx'

interface LicenseActionsProps {
  readonly license: DataOf<typeof getShopLicensesById>
}

export function LicenseActions({ license: { id, keyId, status, effectiveStatus } }: LicenseActionsProps) {
  const [key, setKey] = useState<string>()
  const input = { params: { id } }
  const isLive = status !== 'REVOKED'
  return (
    <>
      <Action
        operation={getShopLicensesByIdKey}
        input={input}
        label="Show the key"
        tone="main"
        about={<p>Showing the key is recorded.</p>}
        isOffered={isLive}
        done="The showing is recorded"
        onDone={({ licenseKey }) => setKey(licenseKey)}
      />
      <Action
        operation={postShopLicensesByIdRotate}
        input={input}
        label="Replace the key"
        isOffered={isLive}
        secrets={({ licenseKey }) => [{ label: 'New license key', text: licenseKey, file: `${keyId}.license` }]}
      />
      <Action
        operation={postShopLicensesByIdOfflineActivation}
        input={input}
        label="Machine without a network"
        about={<p>Paste the request that the machine shows. It gets a file that is valid for some days.</p>}
        isOffered={effectiveStatus === 'ACTIVE' || effectiveStatus === 'GRACE'}
        secrets={(lease) => [{ label: 'Lease', text: JSON.stringify(lease, undefined, 2), file: 'daybook-lease.json' }]}
      />
      <Dialog title={keyId} isOpen={key !== undefined} onClose={() => setKey(undefined)}>
        <SecretText label="License key" text={key ?? ''} file={`${keyId}.license`} />
      </Dialog>
    </>
  )
}
