import { decider } from '#kernel/events/decider'
import { entryOf, persistentMap, withEntry, withoutEntry } from '#kernel/lib/persistent-map'
import type { PersistentMap } from '#kernel/lib/persistent-map'
import { reject } from '#kernel/lib/rejection'
import { serverRosterEvents } from './events.ts'

const NO_SERVERS: PersistentMap<true> = persistentMap()

interface ServerLimit {
  readonly plan: string
  readonly serversMax?: number | undefined
}

/** @throws Rejection 402 LIMIT_REACHED */
function refuseFull(all: PersistentMap<true>, { plan, serversMax = Infinity }: ServerLimit): void {
  if (all.size < serversMax) return
  reject(
    'paymentRequired',
    `The plan ${plan} allows ${serversMax} server${serversMax === 1 ? '' : 's'}: upgrade it or delete a server`,
    'LIMIT_REACHED',
  )
}

export const serverRoster = decider(serverRosterEvents, {
  initial: NO_SERVERS,
  snapshot: { version: 1, everyEvents: 500, sealedFor: () => 'installation' },
  evolve: {
    ServerEnrolled: (all, { serverId }) => withEntry(all, serverId, true),
    ServerStruck: (all, { serverId }) => withoutEntry(all, serverId),
  },
  commands: {
    /** Once for each server: the local one is enrolled when its agent registers, which may happen again. */
    Enrol: (all, { serverId, ...limit }: { readonly serverId: string } & ServerLimit) => {
      if (entryOf(all, serverId)) return []
      refuseFull(all, limit)
      return [serverRosterEvents.ServerEnrolled({ serverId })]
    },
    /** Whether one more could be enrolled. */
    MustHaveRoom: (all, { serverId, ...limit }: { readonly serverId: string | undefined } & ServerLimit) => {
      if (serverId === undefined || !entryOf(all, serverId)) refuseFull(all, limit)
      return []
    },
    Strike: (all, { serverId }: { readonly serverId: string }) =>
      entryOf(all, serverId) ? [serverRosterEvents.ServerStruck({ serverId })] : [],
  },
})
