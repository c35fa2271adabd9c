/** Which ports of a server overlap, which are reserved, and which one is free. */
import { entryOf } from '#kernel/lib/persistent-map'
import type { PersistentMap } from '#kernel/lib/persistent-map'
import { reject } from '#kernel/lib/rejection'
import { PORT_PROTOCOLS } from './events.ts'
import type { HostPort } from './events.ts'

/** The ports of URLs. Source: panel-deploy.md 4. */
export const URL_PORTS = { first: 20_000, last: 29_999 } as const
const URL_PORT_COUNT = URL_PORTS.last - URL_PORTS.first + 1

/** Of sshd, and of the proxy. */
const PORTS_OF_HOSTS = [22, 80, 443] as const

export interface PortOwner {
  readonly kind: string
  readonly id: string
}

export type TakenPort = HostPort & { readonly owner: PortOwner }

export interface ServerPorts {
  /** By protocol and port: at several addresses, each may have its own owner. */
  readonly taken: PersistentMap<readonly TakenPort[]>
  /** The last one of the ports of URLs that was taken: the next one is looked for behind it. */
  readonly lastUrlPort: number
}

export const keyOf = ({ protocol, port }: Pick<HostPort, 'protocol' | 'port'>): string => `${protocol}/${port}`

/** An address overlaps with itself and with all addresses. */
const overlap = (one: string | null, other: string | null): boolean => one === null || other === null || one === other

export const isUrlPort = (port: number): boolean => port >= URL_PORTS.first && port <= URL_PORTS.last

/** What workloads may not have. */
export type Reserved = readonly number[]

const isReserved = (port: number, reserved: Reserved): boolean =>
  reserved.includes(port) || PORTS_OF_HOSTS.some((each) => each === port)

/**
 * The refusal does not say whose it is.
 * @throws Rejection 409 PORT_RESERVED | PORT_TAKEN
 */
export function mustBeFree({ taken }: ServerPorts, asked: HostPort, reserved: Reserved): void {
  const { ip, port, protocol } = asked
  if (isReserved(port, reserved))
    reject('conflict', `Port ${port} of this server is reserved: choose another one`, 'PORT_RESERVED')
  if (entryOf(taken, keyOf(asked))?.some((each) => overlap(each.ip, ip)))
    reject('conflict', `${protocol} port ${port} of this server is taken: choose another one`, 'PORT_TAKEN')
}

/**
 * Free at every address and for both protocols. They are given one after the other, so that an old URL does not lead to
 * another application soon.
 * @throws Rejection 409 NONE_FREE
 */
export function freeUrlPort({ taken, lastUrlPort }: ServerPorts, reserved: Reserved): number {
  for (let step = 1; step <= URL_PORT_COUNT; step += 1) {
    const port = URL_PORTS.first + ((lastUrlPort - URL_PORTS.first + step) % URL_PORT_COUNT)
    const isTaken = PORT_PROTOCOLS.some((protocol) => entryOf(taken, keyOf({ protocol, port })) !== undefined)
    if (!isTaken && !isReserved(port, reserved)) return port
  }
  return reject(
    'conflict',
    `No port from ${URL_PORTS.first} to ${URL_PORTS.last} of this server is free: choose another server`,
    'NONE_FREE',
  )
}
