/** The newest deployments of an application, and what follows from them. */
import { getApplicationsByIdDeployments } from '#api-client/panel/applications'
import type { Deployment } from '#api-client/panel/schemas'
import { useAnswerIf } from '../../session/context.tsx'
import { useProject } from '../projects/rights.tsx'

const NEWEST = 50

/** Undefined while they are not read, or may not be. */
export function useNewest(id: string): readonly Deployment[] | undefined {
  const { can } = useProject()
  const input = { params: { id }, query: { page: 1, pageSize: NEWEST } }
  return useAnswerIf(can(getApplicationsByIdDeployments), getApplicationsByIdDeployments, input).data?.items
}

export const isSuccessful = ({ status }: Deployment): boolean => status === 'SUCCEEDED'

/** Those that a rollback can go back to: each image once, without the one that runs. */
export function earlierOf(newest: readonly Deployment[]): readonly Deployment[] {
  const [, ...earlier] = newest.filter((each) => isSuccessful(each) && each.kind !== 'STOP')
  return earlier
}
