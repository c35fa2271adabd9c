/** The domains that previews have their names under. */
import { z } from 'zod'
import { eventsAbout, stream } from '#kernel/events/event'

const fields = { projectId: z.uuid(), domain: z.string() }

const events = eventsAbout({ applicationId: z.uuid() })({
  PreviewDomainTaken: {
    fields,
    sentence: ({ applicationId, domain }) => `took ${domain} for the previews of application ${applicationId}`,
  },
  PreviewDomainFreed: {
    fields,
    sentence: ({ applicationId, domain }) => `freed ${domain}, which the previews of application ${applicationId} had`,
  },
})

/** One stream for the installation: whether domains lie below one another is a rule over all of them. */
export const previewDomainEvents = stream('previewDomains', events)
