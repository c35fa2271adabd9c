/**
 * Addresses and ranges. A grammar of our own decides what is one (four decimal octets without leading zeros; RFC 4291
 * text without zone; optional `/n`), since ipaddr.js also takes `10/8`, octal, hexadecimal and zones; ipaddr.js then
 * reads and writes it. An IPv4-mapped address (`::ffff:1.2.3.4`) is the IPv4 address that it carries, always.
 */
import ipaddr from 'ipaddr.js'

export interface Ip {
  readonly bits: 32 | 128
  readonly value: bigint
}

/** Bits of `value` beyond `prefix` are 0, and `prefix` is at least 1. */
export interface IpRange extends Ip {
  readonly prefix: number
}

export type Blocks = readonly [narrowest: string, ...wider: string[]]

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const V4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`)
const V4_TAIL = /[^:]*\.[^:]*$/
const GROUP = /^[0-9A-Fa-f]{1,4}$/
const ADDRESS_LENGTH_MAX = 45
const RANGE = /^([0-9A-Fa-f.:]{2,45})(?:\/(0|[1-9]\d{0,2}))?$/
const MAPPED = 0xffffn
const MAPPED_BITS = 96
/** What one line gets of IPv6, and what one site or organisation may get (RFC 6177, RIPE-690). */
const LINE_V6 = 64
const WIDER_V6 = [56, 48] as const

/** undefined for anything that is not exactly one address. */
export function parseIp(text: string): Ip | undefined {
  const ip = literalIp(text)
  return ip && unwrapped(ip)
}

/** IPv4 as four decimals, IPv6 as RFC 5952 wants it. */
export function ipText({ bits, value }: Ip): string {
  const bytes = value.toString(16).padStart(bits / 4, '0')
  const parsed = ipaddr.fromByteArray([...Buffer.from(bytes, 'hex')])
  return parsed.kind() === 'ipv6' ? (parsed as ipaddr.IPv6).toRFC5952String() : parsed.toString()
}

/** A range, or the reason in words why the text is none. A single address is the range of its full length. */
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

/** Families never mix: an IPv6 range holds no IPv4 address. */
export function isInRange(ip: Ip, range: IpRange): boolean {
  const hostBits = BigInt(range.bits - range.prefix)
  return ip.bits === range.bits && ip.value >> hostBits === range.value >> hostBits
}

/**
 * Who shares a limit: an IPv4 address alone, an IPv6 address with its /64, which one line usually gets whole, and all
 * whose address cannot be determined.
 */
export const limitedBlock = (address: string | undefined): string => blocksOf(address, [LINE_V6])[0]

/** The block of `limitedBlock`, then each wider one that a single caller may hold: an IPv6 address has its /64, /56 and /48. */
export const limitedBlocks = (address: string | undefined): Blocks => blocksOf(address, [LINE_V6, ...WIDER_V6])

function blocksOf(address: string | undefined, [line, ...wider]: readonly [number, ...number[]]): Blocks {
  const ip = address === undefined ? undefined : parseIp(address)
  if (!ip) return ['undeterminable']
  if (ip.bits === 32) return [ipText(ip)]
  return [networkText(ip, line), ...wider.map((prefix) => networkText(ip, prefix))]
}

function networkText({ bits, value }: Ip, prefix: number): string {
  const hostBits = BigInt(bits - prefix)
  return rangeText({ bits, value: (value >> hostBits) << hostBits, prefix })
}

function checkedRange(ip: Ip, prefix: number): IpRange | string {
  const everything = 'would cover every address'
  if (prefix === 0) return everything
  const mapped = isMapped(ip)
  if (mapped && prefix < MAPPED_BITS) return 'mixes IPv4-mapped and other addresses'
  if (mapped && prefix === MAPPED_BITS) return everything
  const range = { ...unwrapped(ip), prefix: mapped ? prefix - MAPPED_BITS : prefix }
  const hostBits = BigInt(range.bits - range.prefix)
  const network = { ...range, value: (range.value >> hostBits) << hostBits }
  return network.value === range.value ? range : `has host bits set; the range would be ${rangeText(network)}`
}

function literalIp(text: string): Ip | undefined {
  if (text.length > ADDRESS_LENGTH_MAX) return undefined
  if (V4.test(text)) return { bits: 32, value: bigintOf(ipaddr.IPv4.parse(text)) }
  const plain = withoutV4Tail(text)
  return isV6(plain) ? { bits: 128, value: bigintOf(ipaddr.IPv6.parse(plain)) } : undefined
}

/** Two groups for a dotted tail: ipaddr.js would take `::1.2.3.4` for an IPv4-mapped address. */
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
