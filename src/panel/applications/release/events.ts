/** What runs of an application or of a preview, and what it could go back to. */
import { z } from 'zod'
import { eventsAbout, stream } from '#kernel/events/event'
import { aboutApplication } from '../events.ts'

const deploymentId = z.uuid()
const imageIds = z.array(z.string())
/** Null: it is of the application itself. */
const previewId = z.uuid().nullable()

const nameOf = ({ applicationId, previewId }: { applicationId: string; previewId: string | null }): string =>
  previewId === null ? `application ${applicationId}` : `preview ${previewId} of application ${applicationId}`

const events = eventsAbout({ ...aboutApplication, previewId })({
  /** Its first deployment has begun: its server may hold images and volumes of it from now on. */
  ApplicationBegun: { fields: {}, sentence: (about) => `began to deploy ${nameOf(about)}` },
  ApplicationReleased: {
    /** `dropped` are images of earlier releases that are no longer kept. */
    fields: { deploymentId, imageIds, dropped: imageIds },
    sentence: ({ deploymentId, ...of }) => `${nameOf(of)} runs deployment ${deploymentId}`,
  },
  ApplicationStopped: {
    fields: { deploymentId },
    sentence: ({ deploymentId, ...of }) => `${nameOf(of)} was stopped by ${deploymentId}`,
  },
  /** The proxy of its server is told a new state. Of two, it takes the one with the higher revision. */
  ApplicationProxied: {
    fields: { revision: z.int(), isEmpty: z.boolean() },
    sentence: ({ revision, ...of }) => `told the proxy revision ${revision} of ${nameOf(of)}`,
  },
})

/** One stream for each application and each preview: one release of it runs. Its configuration changes beside it. */
export const applicationReleaseEvents = stream('applicationRelease', events)
