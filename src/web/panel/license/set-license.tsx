import { postAdminLicense } from '#api-client/panel/license'
import { Action } from '../../kit/action.tsx'

/** The body is a key or a lease file; this is the form of the key. */
const BY_KEY = { ...postAdminLicense, body: postAdminLicense.body!.anyOf![0]! }

export const SetLicense = ({ hasOne }: { readonly hasOne: boolean }) => (
  <Action
    operation={BY_KEY}
    label={hasOne ? 'Replace the license key' : 'Set a license key'}
    about={<p>The long text that begins with eyJ. The back office and the shop show it on the page of the license.</p>}
    fixed={{ offline: undefined }}
    done="The license key is set"
  />
)
