import { Link } from 'wouter'
import { getAdminProjects } from '#api-client/panel/projects'
import { Empty } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { OwnerLink } from './owner-link.tsx'

export default function AllProjects() {
  return (
    <Page title="All projects">
      <RecordTable
        operation={getAdminProjects}
        caption="Projects of all people"
        keyOf={({ id }) => id}
        columns={[
          { label: 'Project', of: ({ id, name }) => <Link href={`/projects/${id}`}>{name}</Link> },
          { label: 'Owner', of: ({ ownerId }) => <OwnerLink ownerId={ownerId} /> },
          { label: 'Created', of: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={<Empty>No person has made a project yet.</Empty>}
      />
    </Page>
  )
}
