/** The git providers that a project may use: those of the person, and those that are shared with it. */
import { getGitProviders } from '#api-client/panel/git-providers'
import type { GitProvider } from '#api-client/panel/schemas'
import { useList } from '../../session/context.tsx'
import { useProject } from '../projects/rights.tsx'

export function useProviders(): readonly GitProvider[] {
  const { id: projectId } = useProject()
  const { items: mine } = useList(getGitProviders, {})
  const { items: shared } = useList(getGitProviders, { query: { projectId } })
  return [...mine, ...shared.filter(({ id }) => !mine.some((each) => each.id === id))]
}
