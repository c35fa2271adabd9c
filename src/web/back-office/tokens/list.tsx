import { Link } from 'wouter'
import { getAdminMachineTokens } from '#api-client/licensing/machine-tokens'
import { Empty, State } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { MintToken } from './mint-token.tsx'

export default function Tokens() {
  return (
    <Page title="Tokens" actions={<MintToken />}>
      <RecordTable
        operation={getAdminMachineTokens}
        caption="Machine tokens"
        filters={['q', 'status']}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Token', sort: 'name', of: ({ id, name }) => <Link href={`/console/tokens/${id}`}>{name}</Link> },
          { label: 'Begins with', of: ({ prefix }) => <code>{prefix}</code> },
          { label: 'State', of: ({ status }) => <State of={status} /> },
          { label: 'Permissions', isNumber: true, of: ({ permissions }) => permissions.length },
          { label: 'Expires', of: ({ expiresAt }) => <Time at={expiresAt} absent="never" /> },
          { label: 'Last used', of: ({ lastUsedAt }) => <Time at={lastUsedAt} absent="not yet" /> },
        ]}
        empty={
          <Empty>
            A machine token lets a program call this API without a person, with the permissions that you choose.
          </Empty>
        }
      />
    </Page>
  )
}
