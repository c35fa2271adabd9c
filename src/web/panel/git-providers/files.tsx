/** Directories and texts of a repository, at its default branch. */
import { useState } from 'react'
import { getGitProvidersByIdFile, getGitProvidersByIdTree } from '#api-client/panel/git-providers'
import type { GitEntry } from '#api-client/panel/schemas'
import { Button } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/overlay.tsx'
import { Shown } from '../../kit/page.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswer } from '../../session/context.tsx'

interface RepositoryProps {
  /** Of the provider. */
  readonly id: string
  readonly repo: string
}

interface Place {
  readonly path: string
  readonly isFile: boolean
}

const ROOT: Place = { path: '', isFile: false }
const above = ({ path }: Place): Place => ({ path: path.slice(0, Math.max(0, path.lastIndexOf('/'))), isFile: false })

export function Files({ id, repo }: RepositoryProps) {
  const [place, setPlace] = useState<Place>()
  const close = () => setPlace(undefined)
  return (
    <>
      <Button onClick={() => setPlace(ROOT)}>Files</Button>
      {place && (
        <Dialog title={place.path === '' ? repo : `${repo}: ${place.path}`} isOpen onClose={close}>
          {place.isFile ? (
            <FileText id={id} repo={repo} path={place.path} />
          ) : (
            <Directory key={place.path} id={id} repo={repo} path={place.path} go={setPlace} />
          )}
          <div className="dialog-buttons">
            {place.path !== '' && <Button onClick={() => setPlace(above(place))}>Up</Button>}
            <Button tone="main" onClick={close}>
              Close
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}

interface PathProps extends RepositoryProps {
  readonly path: string
}

function FileText({ id, repo, path }: PathProps) {
  const answer = useAnswer(getGitProvidersByIdFile, { params: { id }, query: { repo, path } })
  return <Shown answer={answer}>{({ text }) => <pre>{text}</pre>}</Shown>
}

interface DirectoryProps extends PathProps {
  readonly go: (place: Place) => void
}

function Directory({ id, repo, path, go }: DirectoryProps) {
  const answer = useAnswer(getGitProvidersByIdTree, { params: { id }, query: path === '' ? { repo } : { repo, path } })
  const placeOf = ({ name, type }: GitEntry): Place => ({
    path: path === '' ? name : `${path}/${name}`,
    isFile: type === 'FILE',
  })
  return (
    <Shown answer={answer}>
      {({ entries, isCut }) => (
        <>
          <RowsTable
            rows={entries}
            caption={`Files in ${repo}`}
            keyOf={({ name }) => name}
            columns={[
              { label: 'Name', of: (entry) => <Name of={entry} open={() => go(placeOf(entry))} /> },
              { label: 'Type', of: ({ type }) => wordOf(type) },
              { label: 'Bytes', isNumber: true, of: ({ bytes }) => bytes },
            ]}
          />
          {isCut && <p className="soft">The directory has more entries than are shown.</p>}
        </>
      )}
    </Shown>
  )
}

/** Links and submodules lead elsewhere, so they are not opened. */
const Name = ({ of: { name, type }, open }: { readonly of: GitEntry; readonly open: () => void }) =>
  type === 'FILE' || type === 'DIRECTORY' ? (
    <Button tone="quiet" onClick={open}>
      {name}
    </Button>
  ) : (
    <span className="long">{name}</span>
  )
