/** Sign-ins of the panel at a provider, each used once. */
import { z } from 'zod'
import { eventsAbout, internal, sealed, stream } from '#kernel/events/event'
import { sealedForUser } from '../../users/events.ts'

/** FAILED: the provider, or what came back from it, was not accepted. OTHER_ACCOUNT: the person there is not that of before. */
export const FLOW_ENDS = ['AUTHORIZED', 'DENIED', 'EXPIRED', 'FAILED', 'OTHER_ACCOUNT'] as const
/** The kinds whose sign-in sends a browser there and back. */
export const REDIRECT_KINDS = ['GITLAB', 'GITEA'] as const

export const STATE_SCOPE = 'gitFlowState'

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
  /** A browser was sent to a provider of one's own, by OAuth. */
  GitFlowRedirected: {
    fields: {
      projectId: z.uuid().nullable(),
      name: sealed(z.string()),
      /** Their names, one a line. */
      repositories: sealed(z.string()),
      kind: z.enum(REDIRECT_KINDS),
      baseUrl: z.string(),
      /** That is connected again. Null: it connects a new one. */
      againId: z.uuid().nullable(),
      oauthClient: sealed(z.string()),
      clientSecret: sealed(z.string()),
      /** Of PKCE. */
      verifier: sealed(z.string()),
      /** Where the provider sends the browser back to. */
      redirectUri: z.string(),
      /** The session that has begun it. */
      sessionId: internal(z.uuid()),
      /** SHA-256 of the cookie of that browser, and of the state. */
      browserHash: internal(z.string()),
      stateHash: internal(z.string()),
      expiresAt: z.iso.datetime(),
    },
    sentence: ({ gitFlowId, kind, baseUrl }) => `began sign-in ${gitFlowId} at the ${kind} of ${baseUrl}`,
    takes: ({ stateHash }) => [{ scope: STATE_SCOPE, key: stateHash }],
  },
  /** The browser is back, with the state that is used up by it. */
  GitFlowReturned: {
    fields: {},
    sentence: ({ gitFlowId }) => `came back from sign-in ${gitFlowId}`,
  },
  GitFlowEnded: {
    fields: { outcome: z.enum(FLOW_ENDS), gitProviderId: z.uuid().nullable() },
    sentence: ({ gitFlowId, outcome, gitProviderId }) =>
      gitProviderId === null
        ? `ended sign-in ${gitFlowId}: ${outcome}`
        : `ended sign-in ${gitFlowId} with git provider ${gitProviderId}`,
  },
})

/** One stream for each flow, because it is used once. */
export const gitFlowEvents = stream('gitFlow', events)
