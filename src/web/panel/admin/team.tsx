import { useLocation, useParams } from 'wouter'
import {
  deleteAdminTeamsById,
  deleteAdminTeamsByIdMembersByMemberUserId,
  getAdminTeamsById,
  patchAdminTeamsById,
  postAdminTeamsByIdMembers,
} from '#api-client/panel'
import { Action } from '../../kit/action.tsx'
import { Fact, Facts, Part, State } from '../../kit/controls.tsx'
import { RecordPage } from '../../kit/page.tsx'
import { useAnswer } from '../../session/context.tsx'

export default function AnyTeam() {
  const { id } = useParams<{ id: string }>()
  const team = useAnswer(getAdminTeamsById, { params: { id } })
  const [, go] = useLocation()
  const input = { params: { id } }
  return (
    <RecordPage
      kind="Team"
      parent={{ to: '/admin/teams', title: 'All teams' }}
      answer={team}
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
      {({ members }) => (
        <Part title="Members">
          <Facts>
            {members.map(({ id: membership, userId, email, name, status }) => (
              <Fact key={membership} label={name ?? email ?? 'Erased'}>
                <span className="row">
                  {email} <State of={status} />
                  {userId && (
                    <Action
                      operation={deleteAdminTeamsByIdMembersByMemberUserId}
                      input={{ params: { id, memberUserId: userId } }}
                      label="Remove"
                      tone="quiet"
                      done="The member is removed"
                    />
                  )}
                </span>
              </Fact>
            ))}
          </Facts>
        </Part>
      )}
    </RecordPage>
  )
}
