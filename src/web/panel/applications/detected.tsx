/** What the directories of a repository hold, as the panel recognises it. */
import { useState } from 'react'
import { getGitProvidersByIdScanMonorepo, postGitProvidersScanMonorepoUrl } from '#api-client/panel/git-providers'
import type { FoundApplication } from '#api-client/panel/schemas'
import { Button, Notice } from '../../kit/controls.tsx'
import { RefusalNotice } from '../../kit/refusal.tsx'
import { useSession } from '../../session/context.tsx'
import type { ChoiceProps } from '../projects/environments-choice.tsx'
import type { SourceOf } from './sources.ts'

/** The part of an address that names the repository: `team/shop` of `https://github.com/team/shop.git`. */
const nameOf = (url: string): string => /^https?:\/\/[^/]+\/(.+?)(?:\.git)?$/.exec(url)?.[1] ?? ''

export function Detected({ value, onChange }: ChoiceProps<SourceOf<'GIT'>>) {
  const { call } = useSession()
  const { providerId, url, branch } = value
  const [found, setFound] = useState<readonly FoundApplication[] | Error>()
  const [isBusy, setBusy] = useState(false)
  if (nameOf(url) === '' || branch === '') return null

  const scan = async (): Promise<readonly FoundApplication[]> =>
    providerId === null
      ? (await call(postGitProvidersScanMonorepoUrl, { body: { url, branch } })).data
      : (await call(getGitProvidersByIdScanMonorepo, scanOf(providerId, value))).data

  async function look(): Promise<void> {
    setBusy(true)
    setFound(await scan().catch((error: Error) => error))
    setBusy(false)
  }

  return (
    <div className="field">
      <div className="row">
        <Button isBusy={isBusy} onClick={() => void look()}>
          See what is there
        </Button>
      </div>
      {found instanceof Error && <RefusalNotice of={found} />}
      {found && !(found instanceof Error) && <FoundList of={found} value={value} onChange={onChange} />}
    </div>
  )
}

const scanOf = (id: string, { url, branch }: SourceOf<'GIT'>) => ({
  params: { id },
  query: { repo: nameOf(url), ref: branch },
})

const WORDS: Readonly<Record<FoundApplication['kind'], string>> = {
  DOCKERFILE: 'a Dockerfile',
  COMPOSE: 'a Compose file',
  NODE: 'a program for Node.js',
  PYTHON: 'a program in Python',
  GO: 'a program in Go',
  PHP: 'a program in PHP',
  STATIC: 'files of a website',
  UNKNOWN: 'nothing that is known',
}

interface FoundListProps extends ChoiceProps<SourceOf<'GIT'>> {
  readonly of: readonly FoundApplication[]
}

function FoundList({ of, value, onChange }: FoundListProps) {
  if (of.length === 0) return <Notice>Nothing that is known is there: choose how it is built.</Notice>
  return (
    <ul className="plain stack" aria-label="What is there">
      {of.map(({ directory, kind, port, notes }) => (
        <li key={directory}>
          <div className="row">
            <span>
              <code>{directory === '' ? 'the repository itself' : directory}</code>: {WORDS[kind]}
              {port !== null && `, port ${port}`}
            </span>
            {directory !== value.directory && (
              <Button
                onClick={() => onChange({ ...value, directory })}
              >{`Take ${directory || 'the repository'}`}</Button>
            )}
          </div>
          {notes.length > 0 && <p className="small soft">{notes.join(' ')}</p>}
        </li>
      ))}
    </ul>
  )
}
