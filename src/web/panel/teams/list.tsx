import { Link } from 'wouter'
import { getTeams, postTeams } from '#api-client/panel/teams'
import { Action } from '../../kit/action.tsx'
import { Empty } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { useAccount } from '../../session/context.tsx'
import { colourInput } from './colour-input.tsx'
import { TeamName } from './team-name.tsx'

export default function Teams() {
  const account = useAccount()
  const create = (
    <Action operation={postTeams} label="New team" tone="main" inputs={colourInput} done="The team is created" />
  )
  return (
    <Page title="Teams" actions={create}>
      <RecordTable
        operation={getTeams}
        caption="Your teams"
        keyOf={({ id }) => id}
        columns={[
          {
            label: 'Team',
            of: (team) => (
              <Link href={`/teams/${team.id}`}>
                <TeamName team={team} />
              </Link>
            ),
          },
          { label: 'You are', of: ({ ownerId }) => (ownerId === account.id ? 'its owner' : 'a member') },
          { label: 'Created', of: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={<Empty>A team holds people who get the same role in projects.</Empty>}
      />
    </Page>
  )
}
