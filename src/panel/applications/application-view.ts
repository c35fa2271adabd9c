/** An application as callers see it. */
import { z } from 'zod'
import { shownAddress } from './addresses/views.ts'
import { dataCopyFields } from './data/events.ts'
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
    dataCopy: z
      .object({
        fromId: dataCopyFields.fromId,
        taskId: dataCopyFields.taskId,
        state: dataCopyFields.state.describe('While it is RUNNING, the application is not deployed.'),
        volumes: dataCopyFields.volumes,
        bytes: dataCopyFields.bytes,
        code: dataCopyFields.code,
      })
      .nullable()
      .describe('The copy of the volumes of another application. Null: it was made without one.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Application' })
