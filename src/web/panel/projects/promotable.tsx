import { getApplicationsById, postApplicationsByIdRedeploy } from '#api-client/panel/applications'
import { useEnvironments } from './environments-choice.tsx'
import { useProject } from './rights.tsx'

/** Environments that a person may promote from, and to. */
export function usePromotable() {
  const { can } = useProject()
  const all = useEnvironments()
  return {
    from: all.filter(({ id }) => can(getApplicationsById, id)),
    to: all.filter(({ id }) => can(postApplicationsByIdRedeploy, id)),
  }
}
