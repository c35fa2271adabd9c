import { useLocation, useParams } from 'wouter'
import {
  getAdminMachineTokensById,
  postAdminMachineTokensByIdRevoke,
  postAdminMachineTokensByIdRotate,
} from '#api-client/licensing/machine-tokens'
import type { DataOf } from '#api-client/operation'
import { Action } from '../../kit/action.tsx'
import { Fact, Facts, Part, State } from '../../kit/controls.tsx'
import { RecordPage } from '../../kit/page.tsx'
import { PermissionList } from '../../kit/permissions.tsx'
import { Time } from '../../kit/time.tsx'
import { useAnswer } from '../../session/context.tsx'
import { RecordHistory } from '../records/history.tsx'
import { StaffName } from '../staff/staff-name.tsx'
import { secretOf } from './mint-token.tsx'

type Token = DataOf<typeof getAdminMachineTokensById>

export default function TokenRecord() {
  const { id } = useParams<{ id: string }>()
  return (
    <RecordPage
      kind="Token"
      parent={{ to: '/console/tokens', title: 'Tokens' }}
      answer={useAnswer(getAdminMachineTokensById, { params: { id } })}
      title={({ name }) => name}
      state={({ status }) => <State of={status} />}
      actions={(token) => <TokenActions token={token} />}
    >
      {(token) => (
        <>
          <div className="columns">
            <Part title="Token">
              <TokenFacts token={token} />
            </Part>
            <Part title="What it may do">
              <PermissionList of={token.permissions} />
            </Part>
          </div>
          <RecordHistory id={id} />
        </>
      )}
    </RecordPage>
  )
}

const TokenFacts = ({ token }: { readonly token: Token }) => (
  <Facts>
    <Fact label="Begins with">
      <code>{token.prefix}</code>
    </Fact>
    <Fact label="Expires">
      <Time at={token.expiresAt} absent="never" />
    </Fact>
    <Fact label="Last used">
      <Time at={token.lastUsedAt} absent="not yet" />
      {token.lastUsedIp && ` from ${token.lastUsedIp}`}
    </Fact>
    <Fact label="Allowed addresses">
      {token.allowedIps.length === 0 ? 'any' : <code>{token.allowedIps.join(', ')}</code>}
    </Fact>
    <Fact label="Minted">
      <Time at={token.createdAt} /> by <StaffName id={token.createdBy} />
    </Fact>
    {token.revokedAt && (
      <Fact label="Revoked">
        <Time at={token.revokedAt} />
        {token.revokedBy && (
          <>
            {' '}
            by <StaffName id={token.revokedBy} />
          </>
        )}
      </Fact>
    )}
  </Facts>
)

function TokenActions({ token }: { readonly token: Token }) {
  const { id, name } = token
  const [, go] = useLocation()
  return (
    <>
      <Action
        operation={postAdminMachineTokensByIdRotate}
        input={{ params: { id } }}
        label="Rotate"
        title={`Rotate ${name}`}
        about={
          <p>
            A successor with the same permissions, addresses and lifetime takes its place. The old token works on for
            the minutes of overlap.
          </p>
        }
        labels={{ overlapMinutes: 'Minutes of overlap' }}
        record={token}
        secrets={secretOf}
        onDone={(minted) => go(`/console/tokens/${minted.token.id}`)}
      />
      <Action
        operation={postAdminMachineTokensByIdRevoke}
        input={{ params: { id } }}
        label="Revoke"
        title={`Revoke ${name}`}
        tone="bad"
        about={<p>The next request with this token is refused. It never works again.</p>}
        record={token}
        done="The token is revoked"
      />
    </>
  )
}
