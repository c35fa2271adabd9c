import { Link } from 'wouter'
import {
  getProjectsByIdMembers,
  getProjectsByIdMembersByMemberIdGrants,
  postProjectsByIdMembers,
} from '#api-client/panel/projects'
import { Part, State } from '../../kit/controls.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { useAccount } from '../../session/context.tsx'
import { JoinsLater } from '../teams/joins-later.tsx'
import { EnvironmentNames } from './environments-choice.tsx'
import { personName } from './member-name.ts'
import { ProjectPage } from './project-page.tsx'
import { ProjectAction, useProject } from './rights.tsx'
import { RoleName, useRoleChoice } from './roles-choice.tsx'

export default function ProjectMembers() {
  return <ProjectPage>{({ id }) => <Members id={id} />}</ProjectPage>
}

function Members({ id }: { readonly id: string }) {
  const account = useAccount()
  const { can } = useProject()
  const canOpen = can(getProjectsByIdMembersByMemberIdGrants)
  return (
    <Part title="Members" actions={<Invite id={id} />}>
      <RecordTable
        operation={getProjectsByIdMembers}
        caption="Members of the project"
        input={{ params: { id } }}
        keyOf={(member) => member.id}
        columns={[
          {
            label: 'Member',
            of: (member) => (
              <>
                {canOpen || member.userId === account.id ? (
                  <Link href={`/projects/${id}/members/${member.id}`}>{personName(member)}</Link>
                ) : (
                  <span className="long">{personName(member)}</span>
                )}
                {member.name !== null && <div className="soft long">{member.email}</div>}
              </>
            ),
          },
          { label: 'Role', of: ({ role, roleId }) => <RoleName role={role} roleId={roleId} /> },
          { label: 'Environments', of: ({ environmentIds }) => <EnvironmentNames ids={environmentIds} /> },
          { label: 'State', of: ({ status }) => <State of={status} /> },
          { label: 'Since', of: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={<p className="soft">This project has no member.</p>}
      />
    </Part>
  )
}

function Invite({ id }: { readonly id: string }) {
  const { fixed, inputs } = useRoleChoice(postProjectsByIdMembers)
  return (
    <ProjectAction
      operation={postProjectsByIdMembers}
      input={{ params: { id } }}
      label="Add a member"
      tone="main"
      about={<JoinsLater />}
      labels={{ email: 'E-mail address' }}
      required={['email']}
      fixed={{ ...fixed, userId: undefined }}
      inputs={inputs}
      done="The member is added"
    />
  )
}
