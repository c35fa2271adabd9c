/** The newest deployments of an application itself. */
import { getApplicationsByIdDeployments } from '#api-client/panel/applications'
import type { Deployment } from '#api-client/panel/schemas'
import { useAnswerIf } from '../../session/context.tsx'
import { useProject } from '../projects/rights.tsx'

const NEWEST = 50

/** Undefined while they are not read, or may not be. */
export function useNewest(id: string): readonly Deployment[] | undefined {
  const { can } = useProject()
  const input = { params: { id }, query: { page: 1, pageSize: NEWEST } }
  const { data } = useAnswerIf(can(getApplicationsByIdDeployments), getApplicationsByIdDeployments, input)
  return data?.items.filter(({ previewId }) => previewId === null)
}
