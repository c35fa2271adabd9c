/** Providers of git: where repositories are, and the credentials there. */
import { z } from 'zod'
import { eventsAbout, sealed, stream } from '#kernel/events/event'
import { sealedForProject } from '../projects/events.ts'
import { sealedForUser } from '../users/events.ts'

/** GENERIC: any server of git over HTTPS. SSH: any server of git over SSH. Both have no API. */
export const GIT_KINDS = ['GITHUB', 'GITLAB', 'GITEA', 'BITBUCKET', 'GENERIC', 'SSH'] as const
export type GitKind = (typeof GIT_KINDS)[number]

const about = {
  gitProviderId: z.uuid(),
  /** The account that has connected it. */
  ownerId: z.uuid(),
  /** The project that it is shared with. Null: its owner alone uses it. */
  projectId: z.uuid().nullable(),
}

interface About {
  readonly ownerId: string
  readonly projectId: string | null
}

/** The key of the project, or that of the owner. */
export const sealedForProvider = ({ ownerId: userId, projectId }: About): string =>
  projectId === null ? sealedForUser({ userId }) : sealedForProject({ projectId })

export const gitProviderFields = {
  kind: z.enum(GIT_KINDS),
  baseUrl: z.string(),
  name: sealed(z.string()),
  /** Whose the credentials are, as the provider names it. Null: not known. */
  account: sealed(z.string().nullable()),
  /** The user name that goes with the token. Null: the token is enough. */
  username: sealed(z.string().nullable()),
  /** The names of those that the project may use, one a line. Empty: it is not shared. */
  repositories: sealed(z.string()),
}

const renewalFields = {
  /** Null: the token is not renewed. */
  refreshToken: sealed(z.string().nullable()),
  /** When the token ends. Null: it does not. */
  expiresAt: z.iso.datetime().nullable(),
  /** When it is to be renewed, before it ends. */
  renewAt: z.iso.datetime().nullable(),
}

const events = eventsAbout(
  about,
  sealedForProvider,
)({
  GitProviderConnected: {
    /** For SSH, the token is a private key. */
    fields: { ...gitProviderFields, token: sealed(z.string()) },
    sentence: ({ gitProviderId, kind, projectId }) =>
      `connected ${kind} provider ${gitProviderId}${projectId === null ? '' : ` and shared it with project ${projectId}`}`,
  },
  /** The grant of OAuth that its token comes from. */
  GitProviderGranted: {
    fields: {
      /** The application that is registered there. */
      oauthClient: sealed(z.string()),
      clientSecret: sealed(z.string()),
      ...renewalFields,
    },
    sentence: ({ gitProviderId }) => `connected git provider ${gitProviderId} by a sign-in there`,
  },
  GitProviderTokenRenewed: {
    fields: { token: sealed(z.string()), ...renewalFields },
    sentence: ({ gitProviderId }) => `renewed the token of git provider ${gitProviderId}`,
  },
  /** It renews its token no more. */
  GitProviderRefused: {
    fields: {},
    sentence: ({ gitProviderId }) => `noted that git provider ${gitProviderId} refuses to renew its token`,
  },
  /** The first key that its server has shown over SSH. Another one is refused from then on. */
  GitProviderHostKeyPinned: {
    fields: { hostKey: z.string() },
    sentence: ({ gitProviderId }) => `pinned the key of the server of git provider ${gitProviderId}`,
  },
  GitProviderRemoved: {
    fields: {},
    sentence: ({ gitProviderId }) => `removed git provider ${gitProviderId}`,
    strict: true,
  },
})

/** One stream for each provider: no rule spans two of them. */
export const gitProviderEvents = stream('gitProvider', events)
