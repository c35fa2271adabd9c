/** Which addresses the URLs of users may lead to: public ones, and those that the operator has allowed. */
import { ipAllowed } from '../credentials/allowed-ips.ts'
import { isInRange, parseIp, parseIpRange } from '../credentials/ip-address.ts'
import type { IpRange } from '../credentials/ip-address.ts'

/** IANA's registry of special-purpose IPv4 addresses, multicast and reserved ranges. */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map(range)

/** All other IPv6 addresses are unassigned, local, or contain an IPv4 address (NAT64). */
const GLOBAL_V6 = range('2000::/3')
/** Protocol assignments including Teredo, two documentation ranges, and 6to4. */
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(range)

/**
 * An IPv4-mapped address is treated as its IPv4 address.
 * @param allow rules as for `ipAllowed`: addresses that are allowed although they are not public
 */
export function isReachableAddress(address: string, allow: readonly string[]): boolean {
  const ip = parseIp(address)
  if (!ip) return false
  if (isNamedAddress(address, allow)) return true
  const within = (ranges: readonly IpRange[]) => ranges.some((each) => isInRange(ip, each))
  return ip.bits === 32 ? !within(NOT_PUBLIC_V4) : isInRange(ip, GLOBAL_V6) && !within(NOT_PUBLIC_V6)
}

/** Whether the operator has named it, be it public or not. */
export const isNamedAddress = (address: string, allow: readonly string[]): boolean =>
  allow.length > 0 && ipAllowed(allow, address)

function range(text: string): IpRange {
  const parsed = parseIpRange(text)
  if (typeof parsed === 'string') throw new Error(`${text} ${parsed}`)
  return parsed
}
