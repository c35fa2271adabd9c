import { getApiKeys, postApiKeysByIdRevoke } from '#api-client/panel/api-keys'
import { Action } from '../../kit/action.tsx'
import { Empty, State } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { useAnswer } from '../../session/context.tsx'
import { KeyActions } from './key-actions.tsx'
import { KeyReach } from './key-reach.tsx'
import { NewKey } from './new-key.tsx'

export default function ApiKeys() {
  const { data } = useAnswer(getApiKeys)
  const active = (data && 'items' in data ? data.items : (data ?? [])).filter(
    ({ status }) => status === 'ACTIVE',
  ).length
  return (
    <Page
      title="API keys"
      state={data && <span className="soft">{active === 1 ? '1 active' : `${active} active`}</span>}
      actions={
        <>
          <Action
            operation={postApiKeysByIdRevoke}
            input={{ params: { id: 'all' } }}
            label="Revoke all"
            title="Revoke all active keys"
            tone="bad"
            about={<p>Programs that use your keys are refused at once.</p>}
            isOffered={active > 0}
            done="All keys are revoked"
          />
          <NewKey />
        </>
      }
    >
      <RecordTable
        operation={getApiKeys}
        caption="Your API keys"
        keyOf={({ id }) => id}
        columns={[
          {
            label: 'Key',
            of: ({ name, prefix }) => (
              <>
                {name}
                <br />
                <code className="soft">{prefix}…</code>
              </>
            ),
          },
          { label: 'State', of: ({ status }) => <State of={status} /> },
          { label: 'May do', of: (key) => <KeyReach of={key} /> },
          {
            label: 'Last use',
            of: ({ lastUsedAt, lastUsedIp }) => (
              <>
                <Time at={lastUsedAt} absent="never" />
                {lastUsedIp && (
                  <>
                    <br />
                    <span className="soft">from {lastUsedIp}</span>
                  </>
                )}
              </>
            ),
          },
          { label: 'Created', of: ({ createdAt }) => <Time at={createdAt} /> },
          { label: 'Ends', of: ({ expiresAt }) => <Time at={expiresAt} absent="never" /> },
          { label: 'Actions', of: (key) => <KeyActions of={key} /> },
        ]}
        empty={<Empty>An API key lets a program act for you, within the scopes that you choose.</Empty>}
      />
    </Page>
  )
}
