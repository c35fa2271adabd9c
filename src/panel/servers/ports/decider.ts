import { decider } from '#kernel/events/decider'
import { entryOf, persistentMap, valuesOf, withEntry, withoutEntry } from '#kernel/lib/persistent-map'
import { serverPortEvents } from './events.ts'
import type { HostPort } from './events.ts'
import { freeUrlPort, isUrlPort, keyOf, mustBeFree, URL_PORTS } from './rules.ts'
import type { PortOwner, Reserved, ServerPorts, TakenPort } from './rules.ts'

const NONE: ServerPorts = { taken: persistentMap(), lastUrlPort: URL_PORTS.last }

interface Ask {
  readonly serverId: string
  readonly owner: PortOwner
}

export const serverPorts = decider(serverPortEvents, {
  initial: NONE,
  snapshot: { version: 1, everyEvents: 500, sealedFor: () => 'installation' },
  evolve: {
    ServerPortTaken: ({ taken, lastUrlPort }, { serverId: _id, ...port }) => ({
      taken: withEntry(taken, keyOf(port), [...(entryOf(taken, keyOf(port)) ?? []), port]),
      lastUrlPort: isUrlPort(port.port) ? port.port : lastUrlPort,
    }),
    ServerPortFreed: ({ taken, lastUrlPort }, { serverId: _id, ...port }) => {
      const left = (entryOf(taken, keyOf(port)) ?? []).filter(({ ip }) => ip !== port.ip)
      const key = keyOf(port)
      return { taken: left.length === 0 ? withoutEntry(taken, key) : withEntry(taken, key, left), lastUrlPort }
    },
  },
  commands: {
    Take: (ports, { reserved, at, ...ask }: Ask & { readonly at: HostPort; readonly reserved: Reserved }) => {
      mustBeFree(ports, at, reserved)
      return [serverPortEvents.ServerPortTaken({ ...ask, ...at })]
    },
    /** A free one of the ports of URLs. */
    TakeUrlPort: (
      ports,
      { reserved, ip, ...ask }: Ask & { readonly ip: string | null; readonly reserved: Reserved },
    ) => [serverPortEvents.ServerPortTaken({ ...ask, ip, port: freeUrlPort(ports, reserved), protocol: 'TCP' })],
    /** Nothing happens to one that the owner does not have. */
    Free: ({ taken }, { at, ...ask }: Ask & { readonly at: HostPort }) =>
      (entryOf(taken, keyOf(at)) ?? [])
        .filter((each) => each.ip === at.ip && isOf(each, ask.owner))
        .map((each) => serverPortEvents.ServerPortFreed({ serverId: ask.serverId, ...each })),
    FreeAll: ({ taken }, { serverId, owner }: Ask) =>
      [...valuesOf(taken)]
        .flat()
        .filter((each) => isOf(each, owner))
        .map((each) => serverPortEvents.ServerPortFreed({ serverId, ...each })),
  },
})

const isOf = ({ owner }: TakenPort, { kind, id }: PortOwner): boolean => owner.kind === kind && owner.id === id
