/**
 * IP addresses and ranges. An own grammar decides which text is valid: four decimal octets without
 * leading zeros; RFC 4291 text without a zone; optionally `/n`. ipaddr.js also accepts `10/8`, octal,
 * hexadecimal and zones, so it only parses and formats valid text. An IPv4-mapped address
 * (`::ffff:1.2.3.4`) is always treated as its IPv4 address.
 */
import ipaddr from 'ipaddr.js'
import { LruMap } from '../lib/lru-map.ts'

export interface Ip {
  readonly bits: 32 | 128
  readonly value: bigint
}

/** Bits of `value` beyond `prefix` are 0, and `prefix` is at least 1. */
export interface IpRange extends Ip {
  readonly prefix: number
}

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const V4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`)
const V4_TAIL = /[^:]*\.[^:]*$/
const GROUP = /^[0-9A-Fa-f]{1,4}$/
const ADDRESS_LENGTH_MAX = 45
export const RANGE = /^([0-9A-Fa-f.:]{2,45})(?:\/(0|[1-9]\d{0,2}))?$/
const MAPPED = 0xffffn
const MAPPED_BITS = 96

/** @returns undefined for anything but exactly one address */
export function parseIp(text: string): Ip | undefined {
  const ip = literalIp(text)
  return ip && unwrapped(ip)
}

/** IPv4 as four decimals, IPv6 in the format of RFC 5952. */
export function ipText({ bits, value }: Ip): string {
  const bytes = value.toString(16).padStart(bits / 4, '0')
  const parsed = ipaddr.fromByteArray([...Buffer.from(bytes, 'hex')])
  return parsed.kind() === 'ipv6' ? (parsed as ipaddr.IPv6).toRFC5952String() : parsed.toString()
}

/** @returns a range, or the reason why the text is none; a single address is a range of full length */
export function parseIpRange(text: string): IpRange | string {
  const [, address = '', prefixText] = RANGE.exec(text) ?? []
  const ip = literalIp(address)
  if (!ip) return 'is not an IPv4 or IPv6 address, or such an address with a prefix length like 10.0.0.0/8'
  const prefix = prefixText === undefined ? ip.bits : Number(prefixText)
  if (prefix > ip.bits) return `has a prefix longer than ${ip.bits} bits`
  return checkedRange(ip, prefix)
}

export function rangeText(range: IpRange): string {
  return range.prefix === range.bits ? ipText(range) : `${ipText(range)}/${range.prefix}`
}

/** Families never mix: an IPv6 range contains no IPv4 address. */
export function isInRange(ip: Ip, range: IpRange): boolean {
  const hostBits = BigInt(range.bits - range.prefix)
  return ip.bits === range.bits && ip.value >> hostBits === range.value >> hostBits
}

/** Addresses that share a limit. */
export interface AddressBlock {
  /** An address, a CIDR range, or `undeterminable`. */
  readonly name: string
  /** The multiple of the narrowest block's limit that this block has, because it contains more callers. */
  readonly share: number
}

const UNDETERMINABLE: readonly AddressBlock[] = [{ name: 'undeterminable', share: 1 }]
/**
 * A connection usually gets a /64 or a /56, a site a /48 (RFC 6177). The smallest IPv4 network that is
 * routed on the Internet is a /24. Each prefix length with its share.
 */
const BLOCKS: Readonly<Record<Ip['bits'], readonly (readonly [prefix: number, share: number])[]>> = {
  32: [
    [32, 1],
    [24, 4],
  ],
  128: [
    [64, 1],
    [56, 2],
    [48, 4],
  ],
}

/** Formatting the names takes some microseconds, and the gate needs them for every request. */
const blockCache = new LruMap<readonly AddressBlock[]>(10_000)

/**
 * The blocks whose limits a caller shares, from the narrowest to the widest: IPv6 by /64, /56 and /48,
 * IPv4 by address and /24. All callers without a known address share one block. Every address limit
 * counts in all of these blocks.
 */
export function addressBlocksOf(address: string | undefined): readonly AddressBlock[] {
  if (address === undefined) return UNDETERMINABLE
  const known = blockCache.get(address)
  if (known) return known
  const ip = parseIp(address)
  if (!ip) return UNDETERMINABLE
  const blocks = BLOCKS[ip.bits].map(([prefix, share]) => ({ name: rangeText(networkOf(ip, prefix)), share }))
  blockCache.set(address, blocks)
  return blocks
}

function networkOf({ bits, value }: Ip, prefix: number): IpRange {
  const hostBits = BigInt(bits - prefix)
  return { bits, value: (value >> hostBits) << hostBits, prefix }
}

function checkedRange(ip: Ip, prefix: number): IpRange | string {
  const everything = 'would cover every address'
  if (prefix === 0) return everything
  const mapped = isMapped(ip)
  if (mapped && prefix < MAPPED_BITS) return 'mixes IPv4-mapped and other addresses'
  if (mapped && prefix === MAPPED_BITS) return everything
  const range = { ...unwrapped(ip), prefix: mapped ? prefix - MAPPED_BITS : prefix }
  const network = networkOf(range, range.prefix)
  return network.value === range.value ? range : `has host bits set; the range would be ${rangeText(network)}`
}

function literalIp(text: string): Ip | undefined {
  if (text.length > ADDRESS_LENGTH_MAX) return undefined
  if (V4.test(text)) return { bits: 32, value: bigintOf(ipaddr.IPv4.parse(text)) }
  const plain = withoutV4Tail(text)
  return isV6(plain) ? { bits: 128, value: bigintOf(ipaddr.IPv6.parse(plain)) } : undefined
}

/** Replaces a dotted tail by two groups: ipaddr.js would read `::1.2.3.4` as an IPv4-mapped address. */
function withoutV4Tail(text: string): string {
  return text.replace(V4_TAIL, (tail) => {
    if (!V4.test(tail)) return tail
    const groups = ipaddr.IPv4.parse(tail)
      .octets.map((octet) => octet.toString(16).padStart(2, '0'))
      .join('')
    return `${groups.slice(0, 4)}:${groups.slice(4)}`
  })
}

function isV6(text: string): boolean {
  const halves = text.split('::').map((half) => (half === '' ? [] : half.split(':')))
  const groups = halves.flat()
  if (!groups.every((group) => GROUP.test(group))) return false
  return halves.length === 1 ? groups.length === 8 : halves.length === 2 && groups.length < 8
}

function bigintOf(ip: ipaddr.IPv4 | ipaddr.IPv6): bigint {
  return BigInt(`0x${Buffer.from(ip.toByteArray()).toString('hex')}`)
}

function isMapped({ bits, value }: Ip): boolean {
  return bits === 128 && value >> 32n === MAPPED
}

function unwrapped(ip: Ip): Ip {
  return isMapped(ip) ? { bits: 32, value: ip.value & 0xffffffffn } : ip
}
