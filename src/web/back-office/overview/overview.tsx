import { Link } from 'wouter'
import { getAdminAudit, getAdminMetricsSummary } from '#api-client/licensing'
import { Empty, Figures, Fact, Part } from '../../kit/controls.tsx'
import { money } from '../../kit/money.ts'
import { Page, Shown } from '../../kit/page.tsx'
import { Timeline } from '../../kit/timeline.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswerIf, useCan } from '../../session/context.tsx'
import { AUDIT } from '../paths.ts'
import { usePathOf } from '../records/id-link.tsx'
import { Find } from './find.tsx'

const NEWEST = 12

export default function Overview() {
  const can = useCan()
  const pathOf = usePathOf()
  const summary = useAnswerIf(true, getAdminMetricsSummary, {})
  const newest = useAnswerIf(true, getAdminAudit, { query: { limit: NEWEST } })
  return (
    <Page title="Overview">
      <Find />
      {can(getAdminMetricsSummary) && (
        <Shown answer={summary}>
          {({ licenses, subscriptions, monthlyRecurring, newCustomers30Days }) => (
            <>
              <Part title="Licenses">
                <Figures>
                  {Object.entries(licenses).map(([state, number]) => (
                    <Fact key={state} label={wordOf(state)}>
                      <Link href={`/console/licenses?status=${state}`}>{number}</Link>
                    </Fact>
                  ))}
                </Figures>
              </Part>
              <Part title="Money">
                <Figures>
                  {monthlyRecurring.map(({ currency, amount }) => (
                    <Fact key={currency} label={`Recurring each month, ${currency}`}>
                      {money(amount, currency)}
                    </Fact>
                  ))}
                  <Fact label="Subscriptions past due">
                    <Link href="/console/subscriptions?status=PAST_DUE">{subscriptions.PAST_DUE}</Link>
                  </Fact>
                  <Fact label="New customers in 30 days">{newCustomers30Days}</Fact>
                </Figures>
              </Part>
            </>
          )}
        </Shown>
      )}
      {can(getAdminAudit) && (
        <Part title="Newest entries" actions={<Link href={AUDIT}>All of them</Link>}>
          <Shown answer={newest}>
            {({ items }) =>
              items.length === 0 ? (
                <Empty>Nothing has happened yet.</Empty>
              ) : (
                <Timeline entries={items} auditPath={AUDIT} pathOf={pathOf} />
              )
            }
          </Shown>
        </Part>
      )}
    </Page>
  )
}
