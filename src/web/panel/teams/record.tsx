import { useLocation, useParams } from 'wouter'
import type { DataOf } from '#api-client/operation'
import {
  deleteTeamsById,
  deleteTeamsByIdMembersByMemberUserId,
  getTeamsById,
  patchTeamsById,
  postTeamsByIdMembers,
} from '#api-client/panel/teams'
import { Action } from '../../kit/action.tsx'
import { Fact, Facts, Part } from '../../kit/controls.tsx'
import { RecordPage } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { useAccount, useAnswer } from '../../session/context.tsx'
import { personName } from '../projects/member-name.ts'
import { colourInput } from './colour-input.tsx'
import { JoinsLater } from './joins-later.tsx'
import { TeamMembers } from './members.tsx'
import { TeamName } from './team-name.tsx'

export type Team = DataOf<typeof getTeamsById>

export default function TeamRecord() {
  const { id } = useParams<{ id: string }>()
  const team = useAnswer(getTeamsById, { params: { id } })
  const account = useAccount()
  return (
    <RecordPage
      kind="Team"
      parent={{ to: '/teams', title: 'Teams' }}
      answer={team}
      gone="This team is gone, or you are no longer in it."
      title={({ name }) => name}
      actions={(data) => data.ownerId === account.id && <TeamActions team={data} />}
    >
      {(data) => {
        const isOwner = data.ownerId === account.id
        const owner = data.members.find(({ userId }) => userId !== null && userId === data.ownerId)
        return (
          <>
            <Facts>
              <Fact label="Team">
                <TeamName team={data} />
              </Fact>
              <Fact label="Owner">{isOwner ? 'you' : owner ? personName(owner) : 'none'}</Fact>
              <Fact label="Created">
                <Time at={data.createdAt} />
              </Fact>
            </Facts>
            <Part title="Members" actions={isOwner && <AddMember id={id} />}>
              <TeamMembers team={data} {...(isOwner && { remove: deleteTeamsByIdMembersByMemberUserId })} />
            </Part>
          </>
        )
      }}
    </RecordPage>
  )
}

const AddMember = ({ id }: { readonly id: string }) => (
  <Action
    operation={postTeamsByIdMembers}
    input={{ params: { id } }}
    label="Add a member"
    tone="main"
    about={
      <>
        <p>The member gets the roles that the team has in projects.</p>
        <JoinsLater />
      </>
    }
    labels={{ email: 'E-mail address' }}
    required={['email']}
    fixed={{ userId: undefined }}
    done="The member is added"
  />
)

function TeamActions({ team: { id, name, colour } }: { readonly team: Team }) {
  const [, go] = useLocation()
  const input = { params: { id } }
  return (
    <>
      <Action
        operation={patchTeamsById}
        input={input}
        label="Change"
        title="Change the team"
        initial={{ name, colour }}
        inputs={colourInput}
        done="The team is changed"
      />
      <Action
        operation={deleteTeamsById}
        input={input}
        label="Delete"
        title="Delete the team"
        tone="bad"
        about={<p>Its members lose the access to projects that it gave them.</p>}
        confirm={name}
        done="The team is deleted"
        onDone={() => go('/teams')}
      />
    </>
  )
}
