/** What the containers of an application say, as it happens, and what was kept of those that are gone. */
import { useSearchParams } from 'wouter'
import { getApplicationsByIdLogs } from '#api-client/panel/applications'
import type { Application } from '#api-client/panel/schemas'
import { ApplicationPage } from './application-page.tsx'
import { FollowedLog } from './followed-log.tsx'
import type { LogGiven } from './log-filters.tsx'

export default function ApplicationLogs() {
  return <ApplicationPage needs={getApplicationsByIdLogs}>{(of) => <Logs of={of} />}</ApplicationPage>
}

const TAIL = '200'

/** What is asked for is in the address, so that a view is a link. */
function Logs({ of }: { readonly of: Application }) {
  const [search, setSearch] = useSearchParams()
  const set = (name: keyof LogGiven | 'find', value: string): void =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (value === '' || (name === 'tail' && value === TAIL)) next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  const given = {
    service: search.get('service') ?? '',
    deploymentId: search.get('deploymentId') ?? '',
    tail: search.get('tail') ?? TAIL,
  }
  const find = search.get('find') ?? ''
  return <FollowedLog key={Object.values(given).join(' ')} of={of} given={given} find={find} set={set} />
}
