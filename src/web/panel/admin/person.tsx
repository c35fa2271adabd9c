import { useParams } from 'wouter'
import { getAdminApiKeys } from '#api-client/panel/api-keys'
import { getAdminQuotasUsersById, patchAdminQuotasUsersById } from '#api-client/panel/quotas'
import { getAdminUsersById } from '#api-client/panel/users'
import { Action } from '../../kit/action.tsx'
import { Fact, Facts, Part, State, Value } from '../../kit/controls.tsx'
import { RecordPage, Shown } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswer, useAnswerIf, useCan } from '../../session/context.tsx'
import { KEY_COLUMNS } from './key-columns.tsx'
import { PersonActions } from './person-actions.tsx'
import { PersonHistory } from './person-history.tsx'

export default function Person() {
  const { id } = useParams<{ id: string }>()
  const person = useAnswer(getAdminUsersById, { params: { id } })
  return (
    <RecordPage
      kind="Person"
      parent={{ to: '/admin/people', title: 'People' }}
      answer={person}
      title={({ name, email }) => name ?? email}
      state={({ status }) => <State of={status} />}
      actions={(data) => <PersonActions person={data} />}
    >
      {(data) => (
        <>
          <Facts>
            <Fact label="E-mail address">{data.email}</Fact>
            <Fact label="Role">{wordOf(data.role)}</Fact>
            <Fact label="Admin role">{data.adminRole?.name}</Fact>
            <Fact label="Permissions">
              <Value of={data.adminPermissions} />
            </Fact>
            <Fact label="Second factor">{data.totpEnabled ? 'On' : 'Off'}</Fact>
            <Fact label="Since">
              <Time at={data.createdAt} />
            </Fact>
          </Facts>
          <Quota id={id} />
          <Part title="API keys">
            <RecordTable
              operation={getAdminApiKeys}
              caption="API keys of this person"
              input={{ query: { userId: id } }}
              keyOf={(key) => key.id}
              columns={KEY_COLUMNS}
              empty={<p className="soft">This person has no API key.</p>}
            />
          </Part>
          <PersonHistory id={id} />
        </>
      )}
    </RecordPage>
  )
}

function Quota({ id }: { readonly id: string }) {
  const can = useCan()
  const quota = useAnswerIf(true, getAdminQuotasUsersById, { params: { id } })
  if (!can(getAdminQuotasUsersById)) return null
  return (
    <Part
      title="Quota"
      actions={
        quota.data && (
          <Action
            key={String(quota.data.projects)}
            operation={patchAdminQuotasUsersById}
            input={{ params: { id } }}
            initial={quota.data}
            label="Change"
            title="Change the quota"
            about={<p>Empty: the quota of the installation applies.</p>}
            done="The quota is changed"
          />
        )
      }
    >
      <Shown answer={quota}>
        {({ projects, inEffect }) => (
          <Facts>
            <Fact label="Projects">
              {inEffect.projects ?? 'no limit'}{' '}
              {projects === null && <span className="soft">(as the installation)</span>}
            </Fact>
          </Facts>
        )}
      </Shown>
    </Part>
  )
}
