import { Link } from 'wouter'
import { getAdminHealth } from '#api-client/panel/health'
import { getAdminOverview } from '#api-client/panel/overview'
import { Empty, Fact, Figures, Part, State } from '../../kit/controls.tsx'
import { HealthFacts } from '../../kit/health-facts.tsx'
import { Page, Shown } from '../../kit/page.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswer } from '../../session/context.tsx'

export default function AdminOverview() {
  const overview = useAnswer(getAdminOverview)
  const health = useAnswer(getAdminHealth)
  return (
    <Page title="Overview">
      <Shown answer={overview}>
        {({ users, projects, apiKeys, sessions, recentSignups }) => (
          <>
            <Figures>
              <Fact label="People">
                <Link href="/admin/people">{users.total}</Link>
              </Fact>
              {Object.entries(users.byStatus).map(([status, number]) => (
                <Fact key={status} label={wordOf(status)}>
                  <Link href={`/admin/people?status=${status}`}>{number}</Link>
                </Fact>
              ))}
              <Fact label="Projects">
                <Link href="/admin/projects">{projects.total}</Link>
              </Fact>
              <Fact label="Projects without an owner">{projects.unowned}</Fact>
              <Fact label="Active API keys">
                <Link href="/admin/api-keys">{apiKeys.active}</Link>
              </Fact>
              <Fact label="Active sessions">{sessions.active}</Fact>
            </Figures>
            <Part title="Newest people">
              {recentSignups.length === 0 ? (
                <Empty>Who registers or is invited stands here.</Empty>
              ) : (
                <RowsTable
                  caption="Newest people"
                  rows={recentSignups}
                  keyOf={({ id }) => id}
                  columns={[
                    { label: 'Person', of: ({ id, email }) => <Link href={`/admin/people/${id}`}>{email ?? id}</Link> },
                    { label: 'State', of: ({ status }) => <State of={status} /> },
                    { label: 'Since', of: ({ createdAt }) => <Time at={createdAt} /> },
                  ]}
                />
              )}
            </Part>
          </>
        )}
      </Shown>
      <Part title="Health">
        <Shown answer={health}>{(data) => <HealthFacts of={data} />}</Shown>
      </Part>
    </Page>
  )
}
