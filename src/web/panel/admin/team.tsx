import { useLocation, useParams } from 'wouter'
import {
  deleteAdminTeamsById,
  deleteAdminTeamsByIdMembersByMemberUserId,
  getAdminTeamsById,
  patchAdminTeamsById,
  postAdminTeamsByIdMembers,
} from '#api-client/panel/teams'
import { Action } from '../../kit/action.tsx'
import { Part } from '../../kit/controls.tsx'
import { RecordPage } from '../../kit/page.tsx'
import { useAnswer } from '../../session/context.tsx'
import { TeamMembers } from '../teams/members.tsx'

export default function AnyTeam() {
  const { id } = useParams<{ id: string }>()
  const answer = useAnswer(getAdminTeamsById, { params: { id } })
  const [, go] = useLocation()
  const input = { params: { id } }
  return (
    <RecordPage
      kind="Team"
      parent={{ to: '/admin/teams', title: 'All teams' }}
      answer={answer}
      title={({ name }) => name}
      actions={({ name, colour }) => (
        <>
          <Action
            key={`${name} ${colour}`}
            operation={patchAdminTeamsById}
            input={input}
            initial={{ name, colour }}
            label="Change"
          />
          <Action
            operation={postAdminTeamsByIdMembers}
            input={input}
            fixed={{ userId: undefined }}
            label="Add a member"
            labels={{ email: 'E-mail address' }}
          />
          <Action
            operation={deleteAdminTeamsById}
            input={input}
            label="Delete"
            tone="bad"
            about={<p>Its members lose what they had by this team.</p>}
            done="The team is deleted"
            onDone={() => go('/admin/teams')}
          />
        </>
      )}
    >
      {(team) => (
        <Part title="Members">
          <TeamMembers team={team} remove={deleteAdminTeamsByIdMembersByMemberUserId} />
        </Part>
      )}
    </RecordPage>
  )
}
