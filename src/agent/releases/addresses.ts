/** Which block and which addresses the containers of an environment get. */

/** Of IPv4, as a number of 32 bits. */
export interface Block {
  readonly first: number
  readonly bits: number
}

export const SUBNET_BITS = 24
const SUBNET_SIZE = 256
/** A network itself, its bridge on the host, and its broadcast address are no addresses of containers. */
const [GATEWAY, FIRST, LAST] = [1, 2, 254]
/** A wider range is none that a host has for itself. */
const RANGE_BITS_MIN = 8

const sizeOf = ({ bits }: Block): number => 2 ** (32 - bits)

export const addressText = (address: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.')

export const blockText = ({ first, bits }: Block): string => `${addressText(first)}/${bits}`

export const gatewayOf = ({ first }: Block): string => addressText(first + GATEWAY)

/** @returns undefined for what is no address of IPv4 */
export function addressOf(text: string): number | undefined {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return undefined
  const parts = text.split('.').map(Number)
  return parts.some((part) => part > 255) ? undefined : parts.reduce((sum, part) => sum * 256 + part, 0)
}

/** @returns the block that the address is in; undefined for what is no block of IPv4 */
export function blockOf(text: string): Block | undefined {
  const [address = '', length = '', ...more] = text.split('/')
  const [start, bits] = [addressOf(address), /^\d{1,2}$/.test(length) ? Number(length) : 33]
  if (start === undefined || bits > 32 || more.length > 0) return undefined
  const size = 2 ** (32 - bits)
  return { first: Math.floor(start / size) * size, bits }
}

export const isRange = ({ bits }: Block): boolean => bits >= RANGE_BITS_MIN && bits <= SUBNET_BITS

export const overlaps = (one: Block, other: Block): boolean =>
  one.first < other.first + sizeOf(other) && other.first < one.first + sizeOf(one)

/**
 * @param seed any number: where the search begins, so that two panels of a host seldom want the same block
 * @returns a /24 of the range that none of the others overlaps; undefined if there is none
 */
export function freeSubnet(range: Block, others: readonly Block[], seed: number): Block | undefined {
  const count = sizeOf(range) / SUBNET_SIZE
  for (let nth = 0; nth < count; nth += 1) {
    const subnet = { first: range.first + ((seed + nth) % count) * SUBNET_SIZE, bits: SUBNET_BITS }
    if (!others.some((other) => overlaps(subnet, other))) return subnet
  }
  return undefined
}

/**
 * The next free one after the last that was given: who still knows the former holder of an address does not reach another
 * container by it.
 * @returns undefined if all are used
 */
export function freeAddress(subnet: Block, used: ReadonlySet<string>, last: string | null): string | undefined {
  const count = LAST - FIRST + 1
  const before = (addressOf(last ?? '') ?? subnet.first + LAST) - subnet.first - FIRST
  for (let nth = 1; nth <= count; nth += 1) {
    const address = addressText(subnet.first + FIRST + ((((before + nth) % count) + count) % count))
    if (!used.has(address)) return address
  }
  return undefined
}

/** Blocks that the routes of the host lead to, but the one to everywhere. Source: Linux, /proc/net/route. */
export function routedBlocks(text: string): Block[] {
  const rows = text.split('\n').slice(1)
  return rows.flatMap((row) => {
    const cells = row.split('\t')
    const [to, mask] = [hostOrder(cells[1] ?? ''), hostOrder(cells[7] ?? '')]
    if (to === undefined || mask === undefined || mask === 0) return []
    return [{ first: to, bits: 32 - Math.round(Math.log2(2 ** 32 - mask)) }]
  })
}

/** Written as the memory of a little-endian machine holds it. */
function hostOrder(hex: string): number | undefined {
  if (!/^[0-9A-F]{8}$/i.test(hex)) return undefined
  return Buffer.from(hex, 'hex').readUInt32LE(0)
}
