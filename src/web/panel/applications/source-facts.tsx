/** Where the image of an application comes from, as facts. */
import { Fact } from '../../kit/controls.tsx'
import { useProviders } from './providers.ts'
import { BUILDS, KINDS } from './sources.ts'
import type { Source, SourceOf } from './sources.ts'

export function SourceFacts({ of: source }: { readonly of: Source }) {
  if (source.kind === 'IMAGE')
    return (
      <Fact label="Image">
        <code className="long">{source.image}</code>
      </Fact>
    )
  if (source.kind === 'GIT') return <GitFacts of={source} />
  return (
    <>
      <Fact label="Made from">{KINDS[source.kind]}</Fact>
      {source.kind === 'COMPOSE' && <Fact label="Service of HTTP">{source.service ?? 'its only one'}</Fact>}
    </>
  )
}

function GitFacts({ of: { url, branch, directory, build, path, providerId } }: { readonly of: SourceOf<'GIT'> }) {
  const provider = useProviders().find(({ id }) => id === providerId)
  return (
    <>
      <Fact label="Repository">
        <code className="long">{url}</code>
      </Fact>
      <Fact label="Git provider">
        {providerId === null ? 'none: it is public' : (provider?.name ?? 'one that is not open to you')}
      </Fact>
      <Fact label="Branch">{branch}</Fact>
      {directory !== '' && <Fact label="Directory">{directory}</Fact>}
      <Fact label="Built">{[BUILDS[build], path].filter(Boolean).join(': ')}</Fact>
    </>
  )
}
