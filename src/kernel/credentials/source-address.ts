/**
 * Determines the caller's address behind trusted proxies. allowedIps, limits and the audit trail all
 * use this value.
 */
import { LruMap } from '../lib/lru-map.ts'
import { ipText, isInRange, parseIp, parseIpRange } from './ip-address.ts'
import type { Ip, IpRange } from './ip-address.ts'

export interface TrustedProxies {
  readonly ranges: readonly IpRange[]
  /** The number of trusted proxies that a request passes, including the one that connects to this server. */
  readonly hops: number
}

export interface ClientConnection {
  /** The socket's remote address; undefined for a Unix socket or a closed connection. */
  readonly peer: string | undefined
  /** All X-Forwarded-For values as received, one per header line, in order. */
  readonly forwardedFor: readonly string[] | undefined
}

const HOPS_MAX = 10
const BLANKS = ' \t'
const CONFIG = /^([^;]*)(?:;\s*hops=([1-9]\d?))?\s*$/

/**
 * Parses TRUSTED_PROXIES: addresses and CIDR ranges, separated by commas, optionally followed by
 * `;hops=N` (1 to 10, default 1). Example: `10.0.0.0/8, 2001:db8::/32;hops=2` means that for a peer in
 * these ranges the caller is the second address from the right of X-Forwarded-For. If unset or empty,
 * no proxy is trusted and the header is ignored.
 * @throws Error for anything else: with a misread list, callers could choose their address
 */
export function parseTrustedProxies(text: string | undefined): TrustedProxies {
  if (text === undefined || text.trim() === '') return { ranges: [], hops: 1 }
  const [, list, hopsText = '1'] = CONFIG.exec(text) ?? []
  if (list === undefined || Number(hopsText) > HOPS_MAX) {
    throw new Error(`TRUSTED_PROXIES must look like "10.0.0.0/8,192.0.2.1;hops=1", with 1 to ${HOPS_MAX} hops`)
  }
  return { ranges: list.split(',').map(trustedRange), hops: Number(hopsText) }
}

/**
 * The caller's address in canonical text, with IPv4-mapped addresses as IPv4. With several hops, the
 * addresses to the right of the caller's must be trusted proxies too. Otherwise a client that reaches
 * the last proxy directly could forge them and its own address.
 * @returns undefined if it cannot be determined: no peer, a zone, a trusted proxy without a usable
 * header, or a header that names a trusted proxy as the caller
 */
export function sourceAddress(connection: ClientConnection, trusted: TrustedProxies): string | undefined {
  const peer = peerOf(connection.peer ?? '')
  if (!peer.ip) return undefined
  if (!isTrusted(peer.ip, trusted)) return peer.text
  const forwarded = (connection.forwardedFor ?? []).flatMap((line) => line.split(',')).slice(-trusted.hops)
  if (forwarded.length < trusted.hops) return undefined
  const [caller, ...proxies] = forwarded.map((element) => parseIp(withoutBlanks(element)))
  if (!caller || isTrusted(caller, trusted)) return undefined
  return proxies.every((proxy) => proxy && isTrusted(proxy, trusted)) ? ipText(caller) : undefined
}

/** Empty for a Unix socket or a closed connection, and for an address with a zone. */
interface Peer {
  readonly ip?: Ip
  /** Canonical. */
  readonly text?: string
}

/** The most recent ones: parsing and formatting an address takes 4 to 9 µs, and each request comes from a peer. */
const peers = new LruMap<Peer>(10_000)

function peerOf(address: string): Peer {
  const known = peers.get(address)
  if (known) return known
  const ip = parseIp(address)
  const peer = ip ? { ip, text: ipText(ip) } : {}
  peers.set(address, peer)
  return peer
}

/**
 * Strips only the whitespace of headers (RFC 9110, 5.6.3); trim() would also remove a no-break space.
 * Linear time, because callers choose the length.
 */
function withoutBlanks(element: string): string {
  let [start, end] = [0, element.length]
  while (start < end && BLANKS.includes(element.charAt(start))) start++
  while (end > start && BLANKS.includes(element.charAt(end - 1))) end--
  return element.slice(start, end)
}

function isTrusted(ip: Ip, { ranges }: TrustedProxies): boolean {
  return ranges.some((range) => isInRange(ip, range))
}

function trustedRange(text: string, index: number): IpRange {
  const range = parseIpRange(text.trim())
  if (typeof range === 'string') throw new Error(`TRUSTED_PROXIES entry ${index + 1} ${range}`)
  return range
}
