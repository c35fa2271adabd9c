import { useState } from 'react'
import { getAdminLicensesByIdKey } from '#api-client/licensing/licenses'
import { Action } from '../../kit/action.tsx'
import { Dialog } from '../../kit/overlay.tsx'
import { SecretText } from '../../kit/reveal.tsx'

/** Reading a key is recorded, so it is asked for by a click. */
export function LicenseKey({ id, keyId }: { readonly id: string; readonly keyId: string }) {
  const [key, setKey] = useState<string>()
  return (
    <>
      <Action
        operation={getAdminLicensesByIdKey}
        input={{ params: { id } }}
        label="Read the key"
        about={<p>Reading is recorded in the history of this license, with your name.</p>}
        done="The reading is recorded"
        onDone={({ licenseKey }) => setKey(licenseKey)}
      />
      <Dialog title={keyId} isOpen={key !== undefined} onClose={() => setKey(undefined)}>
        <SecretText label="License key" text={key ?? ''} file={`${keyId}.license`} />
      </Dialog>
    </>
  )
}
