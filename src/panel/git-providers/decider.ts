import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found } from '#kernel/lib/rejection'
import { gitProviderEvents } from './events.ts'

type Connected = DataOf<typeof gitProviderEvents.GitProviderConnected>

export interface GitProvider extends Omit<Connected, 'gitProviderId'> {
  readonly id: string
  readonly createdAt: string
}

export const gitProviders = decider(gitProviderEvents, {
  initial: undefined as GitProvider | undefined,
  evolve: {
    GitProviderConnected: (_none, { gitProviderId: id, ...provider }, at): GitProvider => ({
      ...provider,
      id,
      createdAt: at.toISOString(),
    }),
    GitProviderRemoved: () => undefined,
  },
  commands: {
    Connect: (_none, ask: Connected) => [gitProviderEvents.GitProviderConnected(ask)],
    Remove: (provider) => {
      const { id: gitProviderId, ownerId, projectId } = found(provider)
      return [gitProviderEvents.GitProviderRemoved({ gitProviderId, ownerId, projectId })]
    },
  },
})
