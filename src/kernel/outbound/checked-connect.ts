/**
 * Connects to hosts that users have named only if their addresses are allowed. The name is resolved at
 * the time of connecting, every address that it resolves to must be allowed, and the connection goes to
 * one of these.
 */
import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import { isReachableAddress } from './public-address.ts'

const DNS_TIMEOUT_MS = 4_000
const DNS_TRIES = 2

export class NotReachable extends Error {
  override readonly name = 'NotReachable'
}

/** The host has an address that is neither public nor allowed. */
export class AddressRefused extends NotReachable {
  constructor() {
    super('the address is not public')
  }
}

export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>

export interface OutboundPolicy {
  /** Addresses and ranges that are allowed although they are not public. Default: none. */
  readonly allow?: readonly string[]
  readonly resolve?: ResolveHost
}

/**
 * Checks an address that is given in place of a name, because it is connected to without a lookup.
 * @throws NotReachable
 */
export function refuseAddress(host: string, { allow = [] }: OutboundPolicy): void {
  if (isIP(host) !== 0 && !isReachableAddress(host, allow)) throw new AddressRefused()
}

/** A lookup function for sockets; it fails with NotReachable. */
export function checkedLookup({ allow = [], resolve = byDns }: OutboundPolicy): LookupFunction {
  async function checked(hostname: string): Promise<LookupAddress[]> {
    const all = await resolve(hostname)
    if (all.length === 0) throw new NotReachable('the name has no address')
    // A name that resolves to a public and a private address is an attack that aims at the private one.
    if (!all.every(({ address }) => isReachableAddress(address, allow))) throw new AddressRefused()
    return [...all]
  }
  return (hostname, { all: wantsAll }, tell) => {
    checked(hostname).then(
      (all) => (wantsAll ? tell(null, all) : tell(null, all[0]!.address, all[0]!.family)),
      (error: NodeJS.ErrnoException) => tell(error, ''),
    )
  }
}

/** Queries name servers directly: getaddrinfo would block a thread for as long as a name server is silent. */
const byDns: ResolveHost = async (hostname) => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES })
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
  const found = (asked: PromiseSettledResult<string[]>, family: number) =>
    asked.status === 'rejected' ? [] : asked.value.map((address) => ({ address, family }))
  return [...found(four, 4), ...found(six, 6)]
}
