/** The git providers that a project may use: those of the person, and those that are shared with it. */
import { getGitProviders } from '#api-client/panel/git-providers'
import type { GitProvider } from '#api-client/panel/schemas'
import { useAnswerIf, useList } from '../../session/context.tsx'
import { useProject } from '../projects/rights.tsx'

export function useProviders(): readonly GitProvider[] {
  const { id: projectId, can } = useProject()
  const { items: mine } = useList(getGitProviders, {})
  const { data } = useAnswerIf(can(getGitProviders), getGitProviders, { query: { projectId } })
  const shared = data && 'items' in data ? data.items : (data ?? [])
  return [...mine, ...shared.filter(({ id }) => !mine.some((each) => each.id === id))]
}
