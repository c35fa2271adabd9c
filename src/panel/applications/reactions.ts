import { reaction } from '#kernel/jobs/reaction'
import { recurringJob } from '#kernel/jobs/recurring-job'
import { applicationEvents, sealedForApplication } from './events.ts'
import { forgetDeliveries } from './webhook/deliveries.ts'

const HOUR_MS = 3_600_000

/** Destroys the key of a deleted application. */
export const eraseApplicationKeys = reaction('application-keys', {
  on: [applicationEvents.ApplicationDeleted],
  run: ({ data }, { vault }) => vault.erase([sealedForApplication(data)]),
})

export const forgetOldDeliveries = recurringJob('forget-application-deliveries', HOUR_MS, ({ telemetry, now }) =>
  forgetDeliveries(telemetry, now),
)
