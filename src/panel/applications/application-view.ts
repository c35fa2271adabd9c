/** An application as callers see it. */
import { z } from 'zod'
import { shownAddress } from './addresses/views.ts'
import { applicationFields } from './events.ts'
import { shownRunning } from './running.ts'

export const ApplicationView = z
  .object({
    id: z.uuid(),
    projectId: z.uuid(),
    environmentId: z.uuid(),
    serverId: z.uuid(),
    slug: z.string(),
    ...applicationFields,
    ...shownAddress,
    ...shownRunning,
    autoDeploy: z.boolean().describe('Whether a push deploys. Only applications from git have it on.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Application' })
