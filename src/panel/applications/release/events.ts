/** What runs of an application, and what it could go back to. */
import { z } from 'zod'
import { eventsAbout, stream } from '#kernel/events/event'
import { aboutApplication } from '../events.ts'

const deploymentId = z.uuid()
const imageIds = z.array(z.string())

const events = eventsAbout(aboutApplication)({
  /** Its first deployment has begun: its server may hold images and volumes of it from now on. */
  ApplicationBegun: { fields: {}, sentence: ({ applicationId }) => `began to deploy application ${applicationId}` },
  ApplicationReleased: {
    /** `dropped` are images of earlier releases that are no longer kept. */
    fields: { deploymentId, imageIds, dropped: imageIds },
    sentence: ({ applicationId, deploymentId }) => `application ${applicationId} runs deployment ${deploymentId}`,
  },
  ApplicationStopped: {
    fields: { deploymentId },
    sentence: ({ applicationId, deploymentId }) => `application ${applicationId} was stopped by ${deploymentId}`,
  },
  /** The proxy of its server is told a new state. Of two, it takes the one with the higher revision. */
  ApplicationProxied: {
    fields: { revision: z.int(), isEmpty: z.boolean() },
    sentence: ({ applicationId, revision }) => `told the proxy revision ${revision} of application ${applicationId}`,
  },
})

/** One stream for each application: one release of it runs. Its configuration changes beside it. */
export const applicationReleaseEvents = stream('applicationRelease', events)
