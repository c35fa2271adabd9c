import { Link } from 'wouter'
import { getProjects, postProjects } from '#api-client/panel'
import { Action } from '../../kit/action.tsx'
import { Empty } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'

export default function Home() {
  const create = <Action operation={postProjects} label="New project" tone="main" done="The project is created" />
  return (
    <Page title="Projects" actions={create}>
      <RecordTable
        operation={getProjects}
        caption="Projects"
        keyOf={({ id }) => id}
        columns={[
          { label: 'Project', of: ({ id, name }) => <Link href={`/projects/${id}`}>{name}</Link> },
          { label: 'Description', of: ({ description }) => description },
          { label: 'Created', of: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={<Empty>A project holds what belongs together: members, environments and shared variables.</Empty>}
      />
    </Page>
  )
}
