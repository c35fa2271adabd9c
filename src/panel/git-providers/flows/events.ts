/** Sign-ins of the panel at a provider, each used once. */
import { z } from 'zod'
import { eventsAbout, sealed, stream } from '#kernel/events/event'
import { sealedForUser } from '../../users/events.ts'

export const FLOW_ENDS = ['AUTHORIZED', 'DENIED', 'EXPIRED'] as const

const about = {
  gitFlowId: z.uuid(),
  /** The account that has begun it, and owns the provider that it connects. */
  ownerId: z.uuid(),
}

const events = eventsAbout(about, ({ ownerId: userId }) => sealedForUser({ userId }))({
  GitFlowStarted: {
    fields: {
      projectId: z.uuid().nullable(),
      name: sealed(z.string()),
      /** Their names, one a line. */
      repositories: sealed(z.string()),
      /** The panel's secret of the flow. */
      code: sealed(z.string()),
      intervalSeconds: z.int(),
      expiresAt: z.iso.datetime(),
    },
    sentence: ({ gitFlowId }) => `began sign-in ${gitFlowId} at GitHub`,
  },
  GitFlowEnded: {
    fields: { outcome: z.enum(FLOW_ENDS), gitProviderId: z.uuid().nullable() },
    sentence: ({ gitFlowId, outcome, gitProviderId }) =>
      gitProviderId === null
        ? `ended sign-in ${gitFlowId} at GitHub: ${outcome}`
        : `ended sign-in ${gitFlowId} at GitHub with git provider ${gitProviderId}`,
  },
})

/** One stream for each flow, because it is used once. */
export const gitFlowEvents = stream('gitFlow', events)
