import { Link } from 'wouter'
import { getAdminAudit } from '#api-client/licensing/audit'
import { Empty, Part } from '../../kit/controls.tsx'
import { Page, Shown } from '../../kit/page.tsx'
import { Timeline } from '../../kit/timeline.tsx'
import { useAnswerIf, useCan } from '../../session/context.tsx'
import { AUDIT } from '../paths.ts'
import { EVENT_FACTS } from '../records/event-facts.ts'
import { usePathOf } from '../records/id-link.tsx'
import { FailingWebhooks, PastDue, SilentPanels } from './attention.tsx'
import { Ends } from './ends.tsx'
import { Figures } from './figures.tsx'
import { Find } from './find.tsx'
import { FirstRun } from './first-run.tsx'

const NEWEST = 12

/** Each part is there for those who may read what it shows. */
export default function Overview() {
  return (
    <Page title="Overview">
      <Find />
      <FirstRun />
      <Figures />
      <PastDue />
      <SilentPanels />
      <FailingWebhooks />
      <Ends />
      <NewestEntries />
    </Page>
  )
}

function NewestEntries() {
  const can = useCan()
  const pathOf = usePathOf()
  const newest = useAnswerIf(true, getAdminAudit, { query: { limit: NEWEST } })
  if (!can(getAdminAudit)) return null
  return (
    <Part title="Newest entries" actions={<Link href={AUDIT}>All of them</Link>}>
      <Shown answer={newest}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty>Nothing has happened yet.</Empty>
          ) : (
            <Timeline entries={items} auditPath={AUDIT} pathOf={pathOf} facts={EVENT_FACTS} />
          )
        }
      </Shown>
    </Part>
  )
}
