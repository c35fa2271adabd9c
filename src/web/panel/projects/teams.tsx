import { Link } from 'wouter'
import {
  deleteProjectsByIdTeamsByTeamId,
  getProjectsByIdTeams,
  postProjectsByIdTeams,
} from '#api-client/panel/projects'
import { getTeams } from '#api-client/panel/teams'
import { ButtonLink, Empty, Part } from '../../kit/controls.tsx'
import { chosenIn, SelectInput } from '../../kit/select-input.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { useList } from '../../session/context.tsx'
import { TeamName } from '../teams/team-name.tsx'
import { EnvironmentNames } from './environments-choice.tsx'
import { ProjectPage } from './project-page.tsx'
import { ProjectAction } from './rights.tsx'
import { RoleName, useRoleChoice } from './roles-choice.tsx'

export default function ProjectTeams() {
  return <ProjectPage needs={getProjectsByIdTeams}>{({ id }) => <Teams id={id} />}</ProjectPage>
}

function Teams({ id }: { readonly id: string }) {
  const own = useList(getTeams, {}).items
  return (
    <Part title="Teams" actions={<AddTeam id={id} own={own} />}>
      <RecordTable
        operation={getProjectsByIdTeams}
        caption="Teams of the project"
        input={{ params: { id } }}
        keyOf={({ teamId }) => teamId}
        columns={[
          {
            label: 'Team',
            of: (team) =>
              own.some((each) => each.id === team.teamId) ? (
                <Link href={`/teams/${team.teamId}`}>
                  <TeamName team={team} />
                </Link>
              ) : (
                <TeamName team={team} />
              ),
          },
          { label: 'Role', of: ({ role, roleId }) => <RoleName role={role} roleId={roleId} /> },
          { label: 'Environments', of: ({ environmentIds }) => <EnvironmentNames ids={environmentIds} /> },
          { label: 'Since', of: ({ createdAt }) => <Time at={createdAt} /> },
          {
            label: 'Actions',
            of: ({ teamId, name }) => (
              <ProjectAction
                operation={deleteProjectsByIdTeamsByTeamId}
                input={{ params: { id, teamId } }}
                label="Remove"
                title={`Remove ${name}`}
                tone="bad"
                about={<p>The members of the team keep the other roles that they have in this project.</p>}
                done="The team is removed"
              />
            ),
          },
        ]}
        empty={
          <Empty action={own.length === 0 && <ButtonLink to="/teams">Make a team first</ButtonLink>}>
            A team gives all its members a role in this project. You can add teams that you are in.
          </Empty>
        }
      />
    </Part>
  )
}

interface AddTeamProps {
  readonly id: string
  readonly own: readonly { readonly id: string; readonly name: string }[]
}

function AddTeam({ id, own }: AddTeamProps) {
  const { fixed, inputs } = useRoleChoice(postProjectsByIdTeams)
  return (
    <ProjectAction
      operation={postProjectsByIdTeams}
      input={{ params: { id } }}
      label="Add a team"
      tone="main"
      isOffered={own.length > 0}
      fixed={fixed}
      inputs={{
        ...inputs,
        teamId: (value, change) => (
          <SelectInput
            label="Team"
            value={chosenIn(value)}
            options={own.map((team) => ({ value: team.id, label: team.name }))}
            onChange={change}
          />
        ),
      }}
      done="The team is added"
    />
  )
}
