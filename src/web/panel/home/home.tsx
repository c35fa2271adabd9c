import { Link } from 'wouter'
import { getAuthMeOnboarding } from '#api-client/panel/auth'
import { getNotificationsUnreadCount } from '#api-client/panel/notifications'
import { getProjects, postProjects } from '#api-client/panel/projects'
import { Action } from '../../kit/action.tsx'
import { Empty, Notice } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { useAnswer } from '../../session/context.tsx'

export default function Home() {
  const create = <Action operation={postProjects} label="New project" tone="main" done="The project is created" />
  return (
    <Page title="Projects" actions={create}>
      <WhatIsNew />
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

function WhatIsNew() {
  const { data: unread } = useAnswer(getNotificationsUnreadCount)
  const { data: onboarding } = useAnswer(getAuthMeOnboarding)
  const count = unread?.count ?? 0
  return (
    <>
      {onboarding?.completed === false && (
        <Notice>
          <p>
            Your account is new here. <Link href="/setup">Go through the first steps</Link>.
          </p>
        </Notice>
      )}
      {count > 0 && (
        <p>
          <Link href="/inbox">{count === 1 ? 'One unread notification' : `${count} unread notifications`}</Link>
        </p>
      )}
    </>
  )
}
