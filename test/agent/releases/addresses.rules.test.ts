/** Which blocks and addresses are picked: never one that something else has. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addressOf,
  addressText,
  blockOf,
  blockText,
  freeAddress,
  freeSubnet,
  gatewayOf,
  overlaps,
  routedBlocks,
} from '../../../src/agent/releases/addresses.ts'
import type { Block } from '../../../src/agent/releases/addresses.ts'

const RANGE = blockOf('10.192.0.0/12')!
const block = fc
  .tuple(fc.nat(2 ** 20 - 1), fc.integer({ min: 12, max: 32 }))
  .map(([at, bits]): Block => blockOf(`${addressText(RANGE.first + at)}/${bits}`)!)
const numbers = ({ first, bits }: Block): [number, number] => [first, first + 2 ** (32 - bits) - 1]

test('a block is the text of a block, and nothing else is one', () => {
  fc.assert(
    fc.property(block, (each) => {
      expect(blockOf(blockText(each))).toEqual(each)
    }),
  )
  expect(blockOf('10.1.2.3/8')).toEqual(blockOf('10.0.0.0/8'))
  for (const text of [
    '',
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0/8',
    '10.0.0.256/24',
    '10.0.0.0/8/8',
    'fd00::/8',
    '1.2.3.4/-1',
  ])
    expect(blockOf(text), text).toBeUndefined()
})

test('a picked block lies in the range and in no other block; none is picked only if there is none', () => {
  const size = fc.constantFrom('10.192.0.0/12', '10.192.0.0/22', '172.20.5.0/24')
  fc.assert(
    fc.property(size, fc.array(block, { maxLength: 40 }), fc.nat(), (text, others, seed) => {
      const range = blockOf(text)!
      const picked = freeSubnet(range, others, seed)
      const [first, last] = numbers(range)
      if (picked) {
        expect(picked.bits).toBe(24)
        const [from, to] = numbers(picked)
        expect(from >= first && to <= last).toBe(true)
        expect(others.some((other) => overlaps(picked, other))).toBe(false)
        return
      }
      for (let at = first; at <= last; at += 256)
        expect(others.some((other) => overlaps({ first: at, bits: 24 }, other))).toBe(true)
    }),
  )
})

test('blocks overlap when an address is in both', () => {
  const small = fc
    .tuple(fc.nat(63), fc.integer({ min: 26, max: 32 }))
    .map(([at, bits]) => blockOf(`10.0.0.${at}/${bits}`)!)
  fc.assert(
    fc.property(small, small, (one, other) => {
      const inside = ({ first, bits }: Block) =>
        new Set(Array.from({ length: 2 ** (32 - bits) }, (_, nth) => first + nth))
      expect(overlaps(one, other)).toBe([...inside(one)].some((address) => inside(other).has(address)))
    }),
  )
})

test('an address is one that none has, and not the first or the last ones of the block', () => {
  const subnet = blockOf('10.200.7.0/24')!
  const inSubnet = (part: number): string => addressText(subnet.first + part)
  const parts = fc.uniqueArray(fc.nat(255), { maxLength: 256, size: 'max' })
  const before = fc.option(fc.nat(255))
  fc.assert(
    fc.property(parts, before, (usedParts, last) => {
      const used = new Set(usedParts.map(inSubnet))
      const address = freeAddress(subnet, used, last === null ? null : inSubnet(last))
      const free = Array.from({ length: 253 }, (_, nth) => inSubnet(nth + 2)).filter((each) => !used.has(each))
      expect(address === undefined).toBe(free.length === 0)
      if (address === undefined) return
      expect(free).toContain(address)
      expect(address).not.toBe(gatewayOf(subnet))
      expect(addressOf(address)).toBeGreaterThan(addressOf(gatewayOf(subnet))!)
    }),
  )
})

test('the last free address is given, and then none', () => {
  const subnet = blockOf('10.200.7.0/24')!
  const used = new Set<string>()
  for (let nth = 0; nth < 253; nth += 1) used.add(freeAddress(subnet, used, null)!)
  expect(used.size).toBe(253)
  expect(freeAddress(subnet, used, null)).toBeUndefined()
})

test('an address that was freed is given again after all others', () => {
  const subnet = blockOf('10.200.7.0/24')!
  let last: string | null = null
  const given = Array.from({ length: 254 }, () => (last = freeAddress(subnet, new Set(), last)!))
  expect(new Set(given.slice(0, 253)).size).toBe(253)
  expect(given[253]).toBe(given[0])
})

test('the routes of the host but the one to everywhere are blocks', () => {
  const text = [
    'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT',
    'eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0',
    'eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0',
    'wg0\t0000C00A\t00000000\t0001\t0\t0\t0\t0000F0FF\t0\t0\t0',
    'wg0\t0500C00A\t00000000\t0005\t0\t0\t0\tFFFFFFFF\t0\t0\t0',
    'odd',
    '',
  ].join('\n')
  expect(routedBlocks(text).map(blockText)).toEqual(['192.0.2.0/24', '10.192.0.0/12', '10.192.0.5/32'])
})
