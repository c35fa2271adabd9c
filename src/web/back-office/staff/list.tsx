import { getAdminStaff, postAdminStaff } from '#api-client/licensing/staff'
import { Action } from '../../kit/action.tsx'
import { Empty, State, ToneText, Value } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { wordOf } from '../../kit/words.ts'
import { MemberActions } from './actions.tsx'
import { Roles } from './roles.tsx'

export default function Staff() {
  return (
    <Page
      title="Staff"
      actions={
        <Action
          operation={postAdminStaff}
          label="Add a member"
          tone="main"
          about={<p>The new member sets a password by a link that works once.</p>}
          order={['email', 'name', 'roles']}
          labels={{ email: 'E-mail address' }}
          secrets={({ link }) => (link === null ? [] : [{ label: 'Link to set a password', text: link }])}
          done="The link to set a password is mailed"
        />
      }
    >
      <RecordTable
        operation={getAdminStaff}
        caption="Staff"
        filters={['q', 'role', 'status']}
        labels={{ q: 'Whole address, or id' }}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Name', of: ({ name }) => name },
          { label: 'E-mail address', of: ({ email }) => email },
          { label: 'Roles', of: ({ roles }) => <Value of={roles.map(wordOf)} /> },
          { label: 'State', of: ({ status }) => <State of={status} /> },
          {
            label: 'Second factor',
            of: ({ totpEnabled }) => (
              <ToneText tone={totpEnabled ? 'good' : 'warn'}>{totpEnabled ? 'On' : 'Off'}</ToneText>
            ),
          },
          { label: 'Actions', of: (member) => <MemberActions member={member} /> },
        ]}
        empty={<Empty>The people who may use this back office are listed here.</Empty>}
      />
      <Roles />
    </Page>
  )
}
