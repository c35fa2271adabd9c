import { Link } from 'wouter'
import type { DataOf } from '#api-client/operation'
import { getAdminHealth, getAdminOverview } from '#api-client/panel'
import { Empty, Fact, Facts, Figures, Notice, Part, State, ToneText } from '../../kit/controls.tsx'
import { Page, Shown } from '../../kit/page.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswer } from '../../session/context.tsx'

const MIB = 1_048_576
const HOUR_SECONDS = 3_600

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
        <Shown answer={health}>{(data) => <Health of={data} />}</Shown>
      </Part>
    </Page>
  )
}

const Health = ({ of }: { readonly of: DataOf<typeof getAdminHealth> }) => (
  <>
    {of.concern && (
      <Notice tone="warn">
        <p>{of.concern}</p>
      </Notice>
    )}
    <Facts>
      <Fact label="State">
        <ToneText tone={of.status === 'ok' ? 'good' : 'warn'}>
          {of.status === 'ok' ? 'All is well' : 'Degraded'}
        </ToneText>
      </Fact>
      <Fact label="Newest event">#{of.position}</Fact>
      <Fact label="Read models">
        {of.readModels.total}, {of.readModels.behind} behind, {of.readModels.parked} events parked
      </Fact>
      <Fact label="Work">
        {of.work.waiting} waiting, {of.work.failing} failing
      </Fact>
      <Fact label="Database">{Math.round(of.database.bytes / MIB)} MiB</Fact>
      <Fact label="Process">
        {Math.round(of.process.memoryBytes / MIB)} MiB, up for {(of.process.uptimeSeconds / HOUR_SECONDS).toFixed(1)} h
      </Fact>
    </Facts>
  </>
)
