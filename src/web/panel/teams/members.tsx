import type {
  deleteAdminTeamsByIdMembersByMemberUserId,
  deleteTeamsByIdMembersByMemberUserId,
} from '#api-client/panel/teams'
import { Action } from '../../kit/action.tsx'
import { State } from '../../kit/controls.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { Time } from '../../kit/time.tsx'
import { personName } from '../projects/member-name.ts'
import type { Team } from './record.tsx'

interface TeamMembersProps {
  readonly team: Team
  /** Absent: the person may not remove members. */
  readonly remove?: typeof deleteTeamsByIdMembersByMemberUserId | typeof deleteAdminTeamsByIdMembersByMemberUserId
}

export const TeamMembers = ({ team: { id, ownerId, members }, remove }: TeamMembersProps) => (
  <RowsTable
    rows={members}
    caption="Members of the team"
    keyOf={(member) => member.id}
    columns={[
      {
        label: 'Member',
        of: (member) => (
          <>
            <span className="long">{personName(member)}</span>
            {member.name !== null && <div className="soft long">{member.email}</div>}
          </>
        ),
      },
      { label: 'State', of: ({ status }) => <State of={status} /> },
      { label: 'Since', of: ({ createdAt }) => <Time at={createdAt} /> },
      {
        label: 'Actions',
        of: (member) =>
          remove &&
          member.userId !== ownerId && (
            <Action
              operation={remove}
              input={{ params: { id, memberUserId: member.userId ?? member.id } }}
              label="Remove"
              title={`Remove ${personName(member)}`}
              tone="bad"
              about={<p>The member loses the access to projects that the team gave.</p>}
              done="The member is removed"
            />
          ),
      },
    ]}
  />
)
