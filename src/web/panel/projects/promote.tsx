/** What runs in one environment comes to run in another one, with the same images. What would follow is shown first. */
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { getApplications } from '#api-client/panel/applications'
import type { Promotion } from '#api-client/panel/schemas'
import { Empty, Part } from '../../kit/controls.tsx'
import { SelectInput } from '../../kit/select-input.tsx'
import { useList } from '../../session/context.tsx'
import { ProjectPage } from './project-page.tsx'
import { usePromotable } from './promotable.tsx'
import { PromoteAction } from './promote-action.tsx'
import { Promotions } from './promotions.tsx'

export default function PromotePage() {
  return <ProjectPage>{({ id }) => <Promote projectId={id} />}</ProjectPage>
}

function Promote({ projectId }: { readonly projectId: string }) {
  const [search, setSearch] = useSearchParams()
  const [promoted, setPromoted] = useState<readonly Promotion[]>()
  const { items: applications } = useList(getApplications, { query: { projectId } })
  const promotable = usePromotable()
  const from = promotable.from.find(({ id }) => id === search.get('from'))
  const others = promotable.to.filter(({ id }) => id !== from?.id)
  const to = others.find(({ id }) => id === search.get('to'))
  const set = (name: string, value: string): void => {
    setPromoted(undefined)
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  }
  if (promotable.to.length === 0 || new Set([...promotable.from, ...promotable.to].map(({ id }) => id)).size < 2)
    return (
      <Empty action={<Link href={`/projects/${projectId}/environments`}>See the environments</Link>}>
        A promotion leads from one environment to another one that you may deploy to.
      </Empty>
    )
  return (
    <Part
      title="Promote"
      actions={
        from &&
        to && (
          <PromoteAction
            key={`${from.id} ${to.id}`}
            projectId={projectId}
            from={from}
            to={to}
            applications={applications}
            onDone={setPromoted}
          />
        )
      }
    >
      <p>
        The images that run in the one environment are deployed in the other, to the applications of the same name.
        Nothing is built, and the other environment keeps its own variables.
      </p>
      <div className="filters">
        <SelectInput
          label="From"
          value={from?.id ?? ''}
          options={promotable.from.map(optionOf)}
          onChange={(value) => set('from', value)}
        />
        <SelectInput
          label="To"
          value={to?.id ?? ''}
          options={others.map(optionOf)}
          onChange={(value) => set('to', value)}
        />
      </div>
      {!promoted && (
        <p className="soft">{from && to ? '“Promote” first shows what would follow.' : 'Choose both environments.'}</p>
      )}
      {promoted && <Promotions of={promoted} applications={applications} to={to?.name ?? ''} isDone />}
    </Part>
  )
}

const optionOf = ({ id, name }: { readonly id: string; readonly name: string }) => ({ value: id, label: name })
