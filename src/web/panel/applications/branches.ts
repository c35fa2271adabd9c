/** The branches of the repository of an application, as its git provider gives them. */
import { getApplicationsByIdBranches } from '#api-client/panel/applications'
import { useAnswerIf } from '../../session/context.tsx'
import { useProject } from '../projects/rights.tsx'
import type { Source } from './sources.ts'

/** Empty where no provider is asked: a branch is then typed. */
export function useBranches(applicationId: string | undefined, source: Source): readonly string[] {
  const { can } = useProject()
  const isAsked = applicationId !== undefined && source.kind === 'GIT' && source.providerId !== null
  const answer = useAnswerIf(isAsked && can(getApplicationsByIdBranches), getApplicationsByIdBranches, {
    params: { id: applicationId ?? '' },
  })
  return answer.data?.map(({ name }) => name) ?? []
}
