/**
 * What somebody else has named is connected to only where it may lead: the name is resolved in the moment of connecting, every
 * address that it has must be one that may be reached, and what is connected to is one of these.
 */
import { Resolver } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import { isReachableAddress } from './public-address.ts'

const DNS_TIMEOUT_MS = 4_000
const DNS_TRIES = 2
const NOT_PUBLIC = 'the address is not public'

export class NotReachable extends Error {
  override readonly name = 'NotReachable'
}

export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>

export interface OutboundPolicy {
  /** Addresses and ranges that may be reached although they are not public. Default: none. */
  readonly allow?: readonly string[]
  readonly resolve?: ResolveHost
}

/** An address in place of a name is connected to without any look-up. @throws NotReachable */
export function refuseAddress(host: string, { allow = [] }: OutboundPolicy): void {
  if (isIP(host) !== 0 && !isReachableAddress(host, allow)) throw new NotReachable(NOT_PUBLIC)
}

/** For whoever connects; it fails with NotReachable. */
export function checkedLookup({ allow = [], resolve = byDns }: OutboundPolicy): LookupFunction {
  async function checked(hostname: string): Promise<LookupAddress[]> {
    const all = await resolve(hostname)
    if (all.length === 0) throw new NotReachable('the name has no address')
    // One that is public beside one that is not is how an attacker has the second one tried.
    if (!all.every(({ address }) => isReachableAddress(address, allow))) throw new NotReachable(NOT_PUBLIC)
    return [...all]
  }
  return (hostname, { all: wantsAll }, tell) => {
    checked(hostname).then(
      (all) => (wantsAll ? tell(null, all) : tell(null, all[0]!.address, all[0]!.family)),
      (error: NodeJS.ErrnoException) => tell(error, ''),
    )
  }
}

/** Of the name servers alone, and not by getaddrinfo: that one takes a thread for as long as a name server is silent. */
const byDns: ResolveHost = async (hostname) => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES })
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
  const found = (asked: PromiseSettledResult<string[]>, family: number) =>
    asked.status === 'rejected' ? [] : asked.value.map((address) => ({ address, family }))
  return [...found(four, 4), ...found(six, 6)]
}
