import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found, reject } from '#kernel/lib/rejection'
import { gitProviderEvents } from './events.ts'

type Connected = DataOf<typeof gitProviderEvents.GitProviderConnected>

type Granted = DataOf<typeof gitProviderEvents.GitProviderGranted>
type Renewed = DataOf<typeof gitProviderEvents.GitProviderTokenRenewed>
export type Grant = Omit<Granted, keyof About>
type About = Pick<Connected, 'gitProviderId' | 'ownerId' | 'projectId'>

/** Which of its refresh tokens an answer belongs to. */
interface Used {
  readonly used: string | null
}

export interface GitProvider extends Omit<Connected, 'gitProviderId'> {
  readonly id: string
  /** Null: it has shown none yet. */
  readonly hostKey: string | null
  /** Null: its token was given by a person. */
  readonly grant: Grant | null
  /** Whether it refuses to renew the token. */
  readonly isRefused: boolean
  readonly createdAt: string
}

const aboutOf = ({ id: gitProviderId, ownerId, projectId }: GitProvider): About => ({
  gitProviderId,
  ownerId,
  projectId,
})

const isNewest = (provider: GitProvider | undefined, used: string | null): provider is GitProvider =>
  provider?.grant?.refreshToken === used && !provider.isRefused

export const gitProviders = decider(gitProviderEvents, {
  initial: undefined as GitProvider | undefined,
  evolve: {
    GitProviderConnected: (_none, { gitProviderId: id, ...provider }, at): GitProvider => ({
      ...provider,
      id,
      hostKey: null,
      grant: null,
      isRefused: false,
      createdAt: at.toISOString(),
    }),
    GitProviderGranted: (provider, { gitProviderId: _id, ownerId: _owner, projectId: _project, ...grant }) => ({
      ...provider!,
      grant,
      isRefused: false,
    }),
    GitProviderTokenRenewed: (provider, { token, refreshToken, expiresAt, renewAt }) => ({
      ...provider!,
      token,
      grant: { ...provider!.grant!, refreshToken, expiresAt, renewAt },
    }),
    GitProviderRefused: (provider) => ({ ...provider!, isRefused: true }),
    GitProviderHostKeyPinned: (provider, { hostKey }) => ({ ...provider!, hostKey }),
    GitProviderRemoved: () => undefined,
  },
  commands: {
    Connect: (_none, ask: Connected) => [gitProviderEvents.GitProviderConnected(ask)],
    Grant: (provider, grant: Grant) => [
      gitProviderEvents.GitProviderGranted({ ...aboutOf(found(provider)), ...grant }),
    ],
    /** By a sign-in of the same account there: what uses the provider was chosen for it. */
    GrantAgain: (provider, { token, account, ...grant }: Grant & Pick<GitProvider, 'token' | 'account'>) => {
      const known = found(provider)
      if (known.account !== null && known.account !== account)
        reject('conflict', 'This is another account of the provider: connect another one', 'OTHER_ACCOUNT')
      const { refreshToken, expiresAt, renewAt } = grant
      return [
        gitProviderEvents.GitProviderGranted({ ...aboutOf(known), ...grant }),
        gitProviderEvents.GitProviderTokenRenewed({ ...aboutOf(known), token, refreshToken, expiresAt, renewAt }),
      ]
    },
    /** An answer that belongs to another refresh token than the newest changes nothing. */
    Renew: (provider, { used, ...renewed }: Omit<Renewed, keyof About> & Used) =>
      isNewest(provider, used) ? [gitProviderEvents.GitProviderTokenRenewed({ ...aboutOf(provider), ...renewed })] : [],
    Refuse: (provider, { used }: Used) =>
      isNewest(provider, used) ? [gitProviderEvents.GitProviderRefused(aboutOf(provider))] : [],
    /** The first one stays. */
    PinHostKey: (provider, { hostKey }: { readonly hostKey: string }) => {
      if (!provider || provider.hostKey !== null) return []
      return [gitProviderEvents.GitProviderHostKeyPinned({ ...aboutOf(provider), hostKey })]
    },
    Remove: (provider) => [gitProviderEvents.GitProviderRemoved(aboutOf(found(provider)))],
  },
})
