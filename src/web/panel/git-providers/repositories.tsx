/** The repositories of a provider, with a search, and what is in each. */
import { useState } from 'react'
import { useParams } from 'wouter'
import { getGitProvidersByIdRepos } from '#api-client/panel/git-providers'
import type { GitRepository } from '#api-client/panel/schemas'
import { Button, Empty } from '../../kit/controls.tsx'
import { useFilters } from '../../kit/filters.tsx'
import { Page, Shown } from '../../kit/page.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { useAnswer } from '../../session/context.tsx'
import { Files } from './files.tsx'

export default function Repositories() {
  const { id } = useParams<{ id: string }>()
  const { given, inputs } = useFilters(getGitProvidersByIdRepos, ['search'])
  const { search } = given
  return (
    <Page title="Repositories" parent={{ to: '/git-providers', title: 'Git providers' }}>
      {inputs}
      <RepositoryPages key={`${id} ${search}`} id={id} search={search} />
    </Page>
  )
}

interface RepositoryPagesProps {
  readonly id: string
  readonly search: string | undefined
}

function RepositoryPages({ id, search }: RepositoryPagesProps) {
  const [page, setPage] = useState(1)
  const query = search === undefined ? { page } : { page, search }
  const answer = useAnswer(getGitProvidersByIdRepos, { params: { id }, query })
  return (
    <Shown answer={answer}>
      {({ items, nextPage }) => (
        <>
          {items.length === 0 ? <Empty>No repository is here.</Empty> : <Rows id={id} items={items} />}
          <div className="row">
            {page > 1 && <Button onClick={() => setPage(page - 1)}>Previous</Button>}
            {nextPage !== null && <Button onClick={() => setPage(nextPage)}>Next</Button>}
          </div>
        </>
      )}
    </Shown>
  )
}

const Rows = ({ id, items }: { readonly id: string; readonly items: readonly GitRepository[] }) => (
  <RowsTable
    rows={items}
    caption="Repositories"
    keyOf={({ name }) => name}
    columns={[
      { label: 'Repository', of: ({ name }) => <span className="long">{name}</span> },
      { label: 'Default branch', of: ({ defaultBranch }) => defaultBranch ?? <span className="soft">empty</span> },
      { label: 'Seen by', of: (repository) => (repository.private ? 'some accounts' : 'everyone') },
      { label: 'Address', of: ({ cloneUrl }) => <span className="long">{cloneUrl}</span> },
      {
        label: 'Actions',
        of: ({ name, defaultBranch }) => defaultBranch !== null && <Files id={id} repo={name} />,
      },
    ]}
  />
)
