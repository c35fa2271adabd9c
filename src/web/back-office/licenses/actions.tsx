/** What may be done with a license. */
import {
  postAdminLicensesByIdExtend,
  postAdminLicensesByIdOfflineLease,
  postAdminLicensesByIdReissue,
  postAdminLicensesByIdResume,
  postAdminLicensesByIdRevoke,
  postAdminLicensesByIdSuspend,
} from '#api-client/licensing/licenses'
import type { getAdminLicensesById } from '#api-client/licensing/licenses'
import type { DataOf } from '#api-client/operation'
import { Action } from '../../kit/action.tsx'
import { Actions } from '../../kit/actions.tsx'

type License = DataOf<typeof getAdminLicensesById>

export function LicenseActions({ license }: { readonly license: License }) {
  const input = { params: { id: license.id } }
  return (
    <Actions
      more={
        <>
          <Action
            operation={postAdminLicensesByIdOfflineLease}
            input={input}
            label="Offline lease"
            about={<p>Paste the request of a panel without a network; it gets a file that is valid for some days.</p>}
            record={license}
            secrets={(lease) => [
              { label: 'Lease', text: JSON.stringify(lease, undefined, 2), file: 'daybook-lease.json' },
            ]}
          />
          <Action
            operation={postAdminLicensesByIdSuspend}
            input={input}
            label="Suspend"
            about={<p>Panels with this license lose their plan until it is resumed.</p>}
            record={license}
            done="The license is suspended"
          />
          <Action
            operation={postAdminLicensesByIdRevoke}
            input={input}
            label="Revoke"
            tone="bad"
            about={<p>A revoked license never comes back. Its panels lose their plan at their next heartbeat.</p>}
            record={license}
            done="The license is revoked"
          />
        </>
      }
    >
      <Action
        operation={postAdminLicensesByIdExtend}
        input={input}
        label="Extend"
        about={<p>Either a new end, or a number of days to add.</p>}
        record={license}
        done="The license is extended"
      />
      <Action
        operation={postAdminLicensesByIdReissue}
        input={input}
        label="Reissue"
        about={<p>A new key replaces this one, which is revoked. Panels with the old key must be given the new one.</p>}
        record={license}
        secrets={({ licenseKey }) => [{ label: 'License key', text: licenseKey, file: 'license.txt' }]}
      />
      <Action
        operation={postAdminLicensesByIdResume}
        input={input}
        label="Resume"
        record={license}
        done="The license is active again"
      />
    </Actions>
  )
}
