/** The address of a repository: typed, or chosen from what its provider has. */
import { useEffect, useState } from 'react'
import { getGitProvidersByIdRepos } from '#api-client/panel/git-providers'
import { useAnswerIf } from '../../session/context.tsx'
import type { ChoiceProps } from '../projects/environments-choice.tsx'
import { useProviders } from './providers.ts'
import type { SourceOf } from './sources.ts'
import { TextField } from './text-field.tsx'

/** A provider is asked when the typing rests, and not for each letter. */
const REST_MS = 400

export function RepositoryField({ value, onChange }: ChoiceProps<SourceOf<'GIT'>>) {
  const { providerId, url } = value
  const found = useRepositories(providerId, url)
  const choose = (typed: string) => {
    const repository = found.find(({ cloneUrl }) => cloneUrl === typed)
    onChange({ ...value, url: typed, branch: repository?.defaultBranch ?? value.branch })
  }
  return (
    <TextField
      label="Address of the repository"
      isRequired
      maxLength={500}
      choices={found.map(({ cloneUrl }) => cloneUrl)}
      help={found.length > 0 ? 'Choose one, or type a part of its name' : 'Such as https://github.com/team/shop.git'}
      value={url}
      onChange={choose}
    />
  )
}

/** Some kinds of providers have no API to list them. */
function useRepositories(providerId: string | null, typed: string) {
  const provider = useProviders().find(({ id }) => id === providerId)
  // A whole address is no part of a name.
  const search = useRested(typed.includes('://') ? '' : typed)
  const answer = useAnswerIf(provider?.status === 'CHECKED', getGitProvidersByIdRepos, {
    params: { id: providerId ?? '' },
    query: search === '' ? {} : { search },
  })
  return answer.data?.items ?? []
}

function useRested(typed: string): string {
  const [rested, setRested] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed), REST_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return rested
}
