import type { DataOf } from '#api-client/operation'
import type { getAdminLicense } from '#api-client/panel/license'
import { Fact, Facts, State } from '../../kit/controls.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'

type License = DataOf<typeof getAdminLicense>

export const LicenseFacts = ({ license }: { readonly license: License }) => (
  <Facts>
    <Fact label="State">
      <State of={license.status} />
    </Fact>
    {license.reason && <Fact label="Reason">{wordOf(license.reason)}</Fact>}
    <Fact label="Plan">{license.plan}</Fact>
    <Fact label="Key">{license.keyId && <code>{license.keyId}</code>}</Fact>
    <Fact label="Ends">
      <Time at={license.expiresAt} absent="never" />
    </Fact>
    {license.refusal && <Fact label="Refused">{license.refusal.message}</Fact>}
  </Facts>
)
