/** What a fragment may ask for, beside what others have. */
import { isIPv6 } from 'node:net'
import type { ProxyFragment } from '../../tasks/proxy.ts'
import { TaskFailure } from '../performer.ts'

export interface Listener {
  /** Canonical. Null: all addresses. */
  readonly ip: string | null
  readonly port: number
}

/** IPv6 has many forms of one address. */
export const canonical = (ip: string | null): string | null =>
  ip === null || !isIPv6(ip) ? ip : new URL(`http://[${ip}]`).hostname.slice(1, -1)

export const overlaps = (one: Listener, other: Listener): boolean =>
  one.port === other.port && (one.ip === null || other.ip === null || one.ip === other.ip)

/** The listener for hosts is there while some fragment names a host. */
export const listenersOf = (fragments: Iterable<ProxyFragment>, httpPort: number): Listener[] => {
  const all = [...fragments]
  const own = all.flatMap(({ listeners }) => listeners.map(({ ip, port }) => ({ ip: canonical(ip), port })))
  return all.some(({ hosts }) => hosts.length > 0) ? [{ ip: null, port: httpPort }, ...own] : own
}

const refused = (message: string): TaskFailure => new TaskFailure('BAD_FRAGMENT', message)

const repeated = (names: readonly string[]): string | undefined => names.find((name, at) => names.indexOf(name) < at)

/** @throws TaskFailure BAD_FRAGMENT for one that contradicts itself */
export function checkFragment({ backends, hosts, listeners }: ProxyFragment): void {
  const modes = new Map(backends.map(({ name, mode }) => [name, mode]))
  const twice = repeated(backends.map(({ name }) => name)) ?? repeated(hosts.map(({ host }) => host))
  if (twice !== undefined) throw refused(`The fragment names ${twice} twice`)
  for (const { host, backend } of hosts)
    if (modes.get(backend) !== 'HTTP')
      throw refused(`The host ${host} needs a backend for HTTP with the name ${backend}`)
  for (const { port, mode, backend } of listeners)
    if (modes.get(backend) !== mode) throw refused(`Port ${port} needs a backend for ${mode} with the name ${backend}`)
}

const portInUse = (port: number, by: string): TaskFailure =>
  new TaskFailure('PORT_IN_USE', `Port ${port} of the host is in use by ${by}: choose another one`)

/**
 * The first one keeps what two want.
 * @throws TaskFailure HOST_TAKEN · PORT_IN_USE
 */
export function checkBeside(fragment: ProxyFragment, others: readonly ProxyFragment[], httpPort: number): void {
  const taken = new Set(others.flatMap(({ hosts }) => hosts.map(({ host }) => host)))
  const host = fragment.hosts.find((each) => taken.has(each.host))?.host
  if (host !== undefined) throw new TaskFailure('HOST_TAKEN', `Another workload of the host has the name ${host}`)
  const all = listenersOf([fragment, ...others], httpPort)
  const clash = all.find((each, at) => all.slice(0, at).some((other) => overlaps(each, other)))
  if (clash) throw portInUse(clash.port, 'another workload')
}

/** @throws TaskFailure PORT_IN_USE for a listener that another program has */
export function checkForeign(wanted: readonly Listener[], foreign: readonly Listener[]): void {
  const clash = wanted.find((each) => foreign.some((other) => overlaps(each, other)))
  if (clash) throw portInUse(clash.port, 'another program')
}
