import { z } from 'zod'
import type { ScheduledDeployRow } from '#projections/panel/scheduled-deploys'
import { scheduleFields } from './events.ts'

export const Schedule = z
  .object({
    id: z.uuid(),
    applicationId: z.uuid(),
    ...scheduleFields,
    nextAt: z.iso.datetime().nullable().describe('Null: it is not due any more, or disabled.'),
    lastRun: z
      .object({
        scheduledFor: z.iso.datetime(),
        at: z.iso.datetime(),
        deploymentId: z.uuid().nullable().describe('Null: the deployment was refused.'),
        refusal: z.string().nullable().describe('Why it was refused.'),
      })
      .nullable(),
    missedFor: z.iso.datetime().nullable().describe('The newest time that was skipped.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'ScheduledDeploy' })

export const toSchedule = ({ lastFor, lastAt, lastDeploymentId, lastRefusal, ...row }: ScheduledDeployRow) => ({
  ...row,
  lastRun:
    lastFor === null || lastAt === null
      ? null
      : { scheduledFor: lastFor, at: lastAt, deploymentId: lastDeploymentId, refusal: lastRefusal },
})
