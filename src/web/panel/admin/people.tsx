import { Link } from 'wouter'
import { getAdminUsers, postAdminUsers } from '#api-client/panel/users'
import { Action } from '../../kit/action.tsx'
import { Empty, State } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'
import { passwordLink } from './password-link.tsx'

export default function People() {
  return (
    <Page
      title="People"
      actions={
        <Action
          operation={postAdminUsers}
          label="Add a person"
          tone="main"
          about={<p>The person chooses a password by a link. It is mailed, or shown here if this panel cannot mail.</p>}
          labels={{ email: 'E-mail address' }}
          done="The link to choose a password is mailed"
          secrets={({ link, user }) => passwordLink(link, user.email)}
        />
      }
    >
      <RecordTable
        operation={getAdminUsers}
        caption="People"
        filters={['q', 'role', 'status']}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Person', of: ({ id, email, name }) => <Link href={`/admin/people/${id}`}>{name ?? email}</Link> },
          { label: 'E-mail address', of: ({ email }) => email },
          { label: 'State', of: ({ status }) => <State of={status} /> },
          { label: 'Role', of: ({ role, adminRole }) => adminRole?.name ?? wordOf(role) },
          { label: 'Second factor', of: ({ totpEnabled }) => (totpEnabled ? 'On' : 'Off') },
          { label: 'Since', of: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={<Empty>No person has an account yet.</Empty>}
      />
    </Page>
  )
}
