/** The ports of a server that workloads have. */
import { z } from 'zod'
import { eventsAbout, stream } from '#kernel/events/event'

export const PORT_PROTOCOLS = ['TCP', 'UDP'] as const

/** Where a host is reached. */
export const portFields = {
  /** Null: all addresses of the host. */
  ip: z.string().nullable(),
  port: z.int(),
  protocol: z.enum(PORT_PROTOCOLS),
}
export type HostPort = z.output<z.ZodObject<typeof portFields>>

export const portWords = ({ ip, port, protocol }: HostPort): string =>
  `${protocol} port ${port} of ${ip === null ? 'all addresses' : `the address ${ip}`}`

/** The kind is free text, because kinds of later releases must stay readable. */
const owner = z.object({ kind: z.string().max(100), id: z.uuid() })
const fields = { ...portFields, owner }

const events = eventsAbout({ serverId: z.uuid() })({
  ServerPortTaken: {
    fields,
    sentence: ({ serverId, owner: { kind, id }, ...port }) =>
      `took ${portWords(port)} of server ${serverId} for ${kind} ${id}`,
  },
  ServerPortFreed: {
    fields,
    sentence: ({ serverId, owner: { kind, id }, ...port }) =>
      `freed ${portWords(port)} of server ${serverId}, which ${kind} ${id} had`,
  },
})

/** One stream for each server: a port of all its addresses overlaps with the same port of any of them. */
export const serverPortEvents = stream('serverPorts', events)
