import { Link } from 'wouter'
import { getAdminTeams } from '#api-client/panel/teams'
import { Empty } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { OwnerLink } from './owner-link.tsx'

export default function AllTeams() {
  return (
    <Page title="All teams">
      <RecordTable
        operation={getAdminTeams}
        caption="Teams of all people"
        keyOf={({ id }) => id}
        columns={[
          { label: 'Team', of: ({ id, name }) => <Link href={`/admin/teams/${id}`}>{name}</Link> },
          { label: 'Owner', of: ({ ownerId }) => <OwnerLink ownerId={ownerId} /> },
          { label: 'Created', of: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={<Empty>No person has made a team yet.</Empty>}
      />
    </Page>
  )
}
