/** The subject of all events of applications. */
import { z } from 'zod'

/** Project and environment are named in each event, because the rights there say who sees it. */
export const aboutApplication = { applicationId: z.uuid(), projectId: z.uuid(), environmentId: z.uuid() }

interface Application {
  readonly id: string
  readonly projectId: string
  readonly environmentId: string
}

export const aboutOf = ({ id: applicationId, projectId, environmentId }: Application) => ({
  applicationId,
  projectId,
  environmentId,
})
