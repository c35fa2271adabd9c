import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found } from '#kernel/lib/rejection'
import { gitProviderEvents } from './events.ts'

type Connected = DataOf<typeof gitProviderEvents.GitProviderConnected>

export interface GitProvider extends Omit<Connected, 'gitProviderId'> {
  readonly id: string
  /** Null: it has shown none yet. */
  readonly hostKey: string | null
  readonly createdAt: string
}

export const gitProviders = decider(gitProviderEvents, {
  initial: undefined as GitProvider | undefined,
  evolve: {
    GitProviderConnected: (_none, { gitProviderId: id, ...provider }, at): GitProvider => ({
      ...provider,
      id,
      hostKey: null,
      createdAt: at.toISOString(),
    }),
    GitProviderHostKeyPinned: (provider, { hostKey }) => ({ ...provider!, hostKey }),
    GitProviderRemoved: () => undefined,
  },
  commands: {
    Connect: (_none, ask: Connected) => [gitProviderEvents.GitProviderConnected(ask)],
    /** The first one stays. */
    PinHostKey: (provider, { hostKey }: { readonly hostKey: string }) => {
      if (!provider || provider.hostKey !== null) return []
      const { id: gitProviderId, ownerId, projectId } = provider
      return [gitProviderEvents.GitProviderHostKeyPinned({ gitProviderId, ownerId, projectId, hostKey })]
    },
    Remove: (provider) => {
      const { id: gitProviderId, ownerId, projectId } = found(provider)
      return [gitProviderEvents.GitProviderRemoved({ gitProviderId, ownerId, projectId })]
    },
  },
})
