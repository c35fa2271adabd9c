import { useState } from 'react'
import {
  getShopLicensesByIdKey,
  postShopLicensesByIdOfflineActivation,
  postShopLicensesByIdRotate,
} from '#api-client/licensing/shop'
import type { getShopLicensesById } from '#api-client/licensing/shop'
import type { DataOf } from '#api-client/operation'
import { Action } from '../../kit/action.tsx'
import { Dialog } from '../../kit/overlay.tsx'
import { SecretText } from '../../kit/reveal.tsx'

interface LicenseActionsProps {
  readonly license: DataOf<typeof getShopLicensesById>
}

export function LicenseActions({ license }: LicenseActionsProps) {
  const { id, keyId, status } = license
  const [key, setKey] = useState<string>()
  const input = { params: { id } }
  return (
    <>
      <Action
        operation={getShopLicensesByIdKey}
        input={input}
        label="Show the key"
        tone="main"
        about={<p>Showing the key is recorded.</p>}
        // The service shows the key of a revoked license too, which opens nothing.
        isOffered={status !== 'REVOKED'}
        done="The showing is recorded"
        onDone={({ licenseKey }) => setKey(licenseKey)}
      />
      <Action
        operation={postShopLicensesByIdRotate}
        input={input}
        label="Replace the key"
        record={license}
        secrets={({ licenseKey }) => [{ label: 'New license key', text: licenseKey, file: `${keyId}.license` }]}
      />
      <Action
        operation={postShopLicensesByIdOfflineActivation}
        input={input}
        label="Machine without a network"
        about={<p>Paste the request that the machine shows. It gets a file that is valid for some days.</p>}
        record={license}
        secrets={(lease) => [{ label: 'Lease', text: JSON.stringify(lease, undefined, 2), file: 'daybook-lease.json' }]}
      />
      <Dialog title={keyId} isOpen={key !== undefined} onClose={() => setKey(undefined)}>
        <SecretText label="License key" text={key ?? ''} file={`${keyId}.license`} />
      </Dialog>
    </>
  )
}
