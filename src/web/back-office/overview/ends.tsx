/** Licenses that end in the next sixty days, by week. */
import { useState } from 'react'
import { Link } from 'wouter'
import { getAdminLicenses } from '#api-client/licensing/licenses'
import { Fact, Facts, Part } from '../../kit/controls.tsx'
import { ListFoot } from '../../kit/filters.tsx'
import { useCan, useList } from '../../session/context.tsx'
import { IdLink } from '../records/id-link.tsx'
import { weekOf } from './weeks.ts'

const DAYS = 60
const DAY_MS = 86_400_000
const READ_AT_ONCE = 50
const DAY: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' }

export function Ends() {
  const can = useCan()
  return can(getAdminLicenses) ? <EndsByWeek /> : null
}

function EndsByWeek() {
  const [expiresBefore] = useState(() => new Date(Date.now() + DAYS * DAY_MS).toISOString())
  const query = { status: 'ACTIVE', expiresBefore, sort: 'expiresAt', limit: READ_AT_ONCE } as const
  const list = useList(getAdminLicenses, { query })
  const { items, isLoading, error, more } = list
  const weeks = Map.groupBy(items, ({ expiresAt }) => weekOf(expiresAt))
  return (
    <Part title={`Ends in the next ${DAYS} days`}>
      {items.length === 0 && !isLoading && !error && <p className="soft">No active license ends until then.</p>}
      <Facts>
        {[...weeks].map(([week, ending]) => (
          <Fact key={week} label={week}>
            <ul className="plain">
              {ending.map(({ id, keyId, planSlug, customerId, expiresAt }) => (
                <li key={id}>
                  <time dateTime={expiresAt}>{new Date(expiresAt).toLocaleDateString(undefined, DAY)}</time>
                  {' · '}
                  <Link href={`/console/licenses/${id}`} className="mono">
                    {keyId}
                  </Link>
                  {` · ${planSlug} · `}
                  <IdLink kind="customer" id={customerId} />
                </li>
              ))}
            </ul>
          </Fact>
        ))}
      </Facts>
      {(more || error) && <ListFoot list={list} />}
    </Part>
  )
}
