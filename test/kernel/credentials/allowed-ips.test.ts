import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { ipAllowed, parseAllowedIps } from '#kernel/credentials/allowed-ips'
import * as ip from '#kernel/credentials/ip-address'

vi.mock(import('#kernel/credentials/ip-address'), async (original) => {
  const real = await original()
  return { ...real, parseIpRange: vi.fn(real.parseIpRange) }
})

/** The input, and its stored form. */
const ACCEPTED: readonly (readonly [string, string])[] = [
  ['0.0.0.0', '0.0.0.0'],
  ['1.2.3.4', '1.2.3.4'],
  ['127.0.0.1', '127.0.0.1'],
  ['192.0.2.1', '192.0.2.1'],
  ['249.250.254.255', '249.250.254.255'],
  ['255.255.255.255', '255.255.255.255'],
  ['1.2.3.4/32', '1.2.3.4'],
  ['1.2.3.4/31', '1.2.3.4/31'],
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['10.128.0.0/9', '10.128.0.0/9'],
  ['172.16.0.0/12', '172.16.0.0/12'],
  ['192.168.0.0/16', '192.168.0.0/16'],
  ['192.168.1.0/24', '192.168.1.0/24'],
  ['203.0.113.64/26', '203.0.113.64/26'],
  ['203.0.113.254/31', '203.0.113.254/31'],
  ['0.0.0.0/1', '0.0.0.0/1'],
  ['128.0.0.0/1', '128.0.0.0/1'],
  ['0.0.0.0/32', '0.0.0.0'],
  ['224.0.0.0/4', '224.0.0.0/4'],
  ['::', '::'],
  ['::1', '::1'],
  ['::1/128', '::1'],
  ['1::', '1::'],
  ['1::8', '1::8'],
  ['::/1', '::/1'],
  ['8000::/1', '8000::/1'],
  ['2000::/3', '2000::/3'],
  ['fe80::1', 'fe80::1'],
  ['fe80::/10', 'fe80::/10'],
  ['fc00::/7', 'fc00::/7'],
  ['2001:db8::', '2001:db8::'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['2001:DB8::/32', '2001:db8::/32'],
  ['2001:0db8::/32', '2001:db8::/32'],
  ['2001:db8:0:0:0:0:0:0/32', '2001:db8::/32'],
  ['2001:db8::1', '2001:db8::1'],
  ['2001:db8::0001', '2001:db8::1'],
  ['2001:db8:0:0:0:0:0:1', '2001:db8::1'],
  ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['2001:db8::1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
  ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
  ['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8'],
  ['ABCD:EF01:2345:6789:ABCD:EF01:2345:6789', 'abcd:ef01:2345:6789:abcd:ef01:2345:6789'],
  ['2001:db8:1234::/48', '2001:db8:1234::/48'],
  ['2001:db8:0:1::/64', '2001:db8:0:1::/64'],
  ['2001:db8::8000/113', '2001:db8::8000/113'],
  ['2001:db8::/127', '2001:db8::/127'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['::FFFF:1.2.3.4', '1.2.3.4'],
  ['::ffff:102:304', '1.2.3.4'],
  ['0:0:0:0:0:ffff:1.2.3.4', '1.2.3.4'],
  ['0::ffff:1.2.3.4', '1.2.3.4'],
  ['0000:0000:0000:0000:0000:ffff:255.255.255.255', '255.255.255.255'],
  ['::ffff:1.2.3.4/128', '1.2.3.4'],
  ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ['::ffff:a00:0/104', '10.0.0.0/8'],
  ['::ffff:0:0/97', '0.0.0.0/1'],
  ['::ffff:128.0.0.0/97', '128.0.0.0/1'],
  ['::1.2.3.4', '::102:304'],
  ['::1.2.3.0/120', '::102:300/120'],
  ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
  ['64:ff9b::/96', '64:ff9b::/96'],
  ['2002:102:304::/48', '2002:102:304::/48'],
  ['::ffff:0:1.2.3.4', '::ffff:0:102:304'],
  ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
  ['::fffe:0:0/96', '::fffe:0:0/96'],
]

const NO_ADDRESS = 'is not an IPv4 or IPv6 address'
const EVERYTHING = 'would cover every address'
const REFUSED: readonly (readonly [string, readonly string[]])[] = [
  [
    EVERYTHING,
    [
      '0.0.0.0/0',
      '1.2.3.4/0',
      '10.0.0.0/0',
      '127.0.0.1/0',
      '255.255.255.255/0',
      '::/0',
      '::1/0',
      '1::/0',
      '0::/0',
      '0::0/0',
      '0:0:0:0:0:0:0:0/0',
      '::0.0.0.0/0',
      '2001:db8::/0',
      'ffff::/0',
      '::ffff:0:0/0',
      '::ffff:1.2.3.4/0',
      '::ffff:0:0/96',
      '::ffff:0.0.0.0/96',
      '::FFFF:0:0/96',
      '0:0:0:0:0:ffff:0:0/96',
      '::ffff:1.2.3.4/96',
    ],
  ],
  [
    'mixes IPv4-mapped and other addresses',
    ['::ffff:0:0/95', '::ffff:0:0/1', '::ffff:10.0.0.0/8', '::ffff:10.0.0.0/32', '::ffff:0:0/80', '::ffff:1.2.3.4/64'],
  ],
  [
    'has host bits set',
    [
      '10.0.0.1/8',
      '10.1.0.0/8',
      '192.168.1.1/24',
      '1.2.3.5/31',
      '1.2.3.4/1',
      '255.255.255.255/31',
      '0.0.0.1/1',
      '2001:db8::1/32',
      '2001:db8:0:0:8000::/64',
      '::1/1',
      '::1/127',
      'fe80::1/64',
      '::ffff:10.0.0.1/104',
      '::ffff:1.2.3.4/97',
    ],
  ],
  [
    'has a prefix longer than',
    ['10.0.0.0/33', '1.2.3.4/128', '10.0.0.0/99', '::/129', '2001:db8::/999', '::ffff:1.2.3.4/129', '0.0.0.0/256'],
  ],
  [
    NO_ADDRESS,
    [
      '',
      ' ',
      '/',
      '/8',
      '*',
      'any',
      'localhost',
      'example.com',
      '1',
      '10',
      '10/8',
      '10.0/8',
      '10.0.0/8',
      '10.0.0.0.0/8',
      '1.2.3',
      '1.2.3.',
      '.1.2.3',
      '1..2.3',
      '1.2.3.4.',
      '.1.2.3.4',
      '1.2.3.4.5',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0x7f.0.0.1',
      '0x0a000000/8',
      '017700000001',
      '010.0.0.0/8',
      '010.0.0.1',
      '10.00.0.0/8',
      '10.0.0.00',
      '192.168.001.1',
      '1.2.3.04',
      '256.1.1.1',
      '1.256.1.1',
      '1.2.3.256',
      '1.2.3.999',
      '1.2.3.1000',
      '-1.2.3.4',
      '+1.2.3.4',
      '1.2.3.-4',
      '1.2.3.4e0',
      '1.2.3.a',
      'a.b.c.d',
      '1,2,3,4',
      '1.2.3.4,5.6.7.8',
      '1.2.3.4 5.6.7.8',
      '1.2.3.4-1.2.3.9',
      '1.2.3.*',
      '１.2.3.4',
      '1。2。3。4',
      '١.٢.٣.٤',
      '①.2.3.4',
      ' 1.2.3.4',
      '1.2.3.4 ',
      '1.2.3.4\n',
      '\n1.2.3.4',
      '1.2.3.4\u0000',
      '1.2.3.4\t',
      '1.2.3.4\u00a0',
      '\ufeff1.2.3.4',
      '1.2.3.4%eth0',
      '1.2.3.4:443',
      '[1.2.3.4]',
      'http://1.2.3.4',
      '1.2.3.4/',
      '1.2.3.4//32',
      '1.2.3.4/32/',
      '1.2.3.4/32/32',
      '1.2.3.4 /32',
      '1.2.3.4/ 32',
      '1.2.3.4/32 ',
      '1.2.3.4/+32',
      '1.2.3.4/-1',
      '1.2.3.4/032',
      '10.0.0.0/08',
      '10.0.0.0/00',
      '0.0.0.0/00',
      '10.0.0.0/8.0',
      '10.0.0.0/8a',
      '10.0.0.0/0x8',
      '10.0.0.0/1e1',
      '10.0.0.0/٨',
      '10.0.0.0/255.0.0.0',
      '10.0.0.0/0.255.255.255',
      '10.0.0.0\\8',
      '10.0.0.0/1000',
      ':',
      ':::',
      '1:',
      ':1',
      '1:::2',
      '::1::',
      '1::2::3',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1:2:3:4:5:6:7:',
      ':2:3:4:5:6:7:8',
      '1:2:3:4:5:6:7:8::',
      '::1:2:3:4:5:6:7:8',
      '1:2:3:4::5:6:7:8',
      '12345::',
      '00001::',
      '::0ffff:1.2.3.4',
      'g::',
      '::g',
      '0x1::',
      '::1%eth0',
      'fe80::1%1',
      'fe80::1%',
      'fe80::1%eth0/64',
      '2001:db8::/32%eth0',
      '::%0/0',
      '[::1]',
      '[::1]/128',
      '[::1]:443',
      '::1/',
      '::1/0128',
      '::1/ffff::',
      '::1 ',
      ' ::1',
      '::1\n',
      '：：1',
      '::1.2.3',
      '::1.2.3.4.5',
      '::1.2.3.256',
      '::1.2.3.04',
      '::ffff:010.0.0.1',
      '::ffff:1.2.3',
      '::ffff:1.2.3.4.',
      '1.2.3.4::',
      '1.2.3.4::ffff',
      '::1.2.3.4:5',
      '1:2:3:4:5:6:7:1.2.3.4',
      '1:2:3:4:5:1.2.3.4',
      '::ffff:1.2.3.4%eth0',
      '2001:db8::-',
      '2001-db8--1.ipv6-literal.net',
      'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.2555',
      '1'.repeat(1_000),
      ':'.repeat(45),
      '1.'.repeat(100_000),
      '.'.repeat(44),
    ],
  ],
]
const REFUSED_ROWS = REFUSED.flatMap(([reason, rules]) => rules.map((rule) => [rule, reason] as const))

describe('a rule', () => {
  test('the corpus has at least 200 different rows', () => {
    const rows = new Set([...ACCEPTED, ...REFUSED_ROWS].map(([rule]) => rule))
    expect(rows.size).toBe(ACCEPTED.length + REFUSED_ROWS.length)
    expect(rows.size).toBeGreaterThanOrEqual(200)
  })

  test.each(ACCEPTED)('%j is kept as %j, which stays as it is', (rule, canonical) => {
    expect(parseAllowedIps([rule])).toEqual([canonical])
    expect(parseAllowedIps([canonical])).toEqual([canonical])
  })

  test.each(REFUSED_ROWS.map(([rule, reason]) => [rule.slice(0, 60), reason, rule] as const))(
    '%j is refused: %s',
    (_shown, reason, rule) => {
      expect(() => parseAllowedIps(['192.0.2.1', rule])).toThrow(
        expect.objectContaining({
          statusCode: 400,
          code: 'ALLOWED_IPS_INVALID',
          message: expect.stringContaining(`allowedIps rule 2 ${reason}`) as string,
        }) as Error,
      )
    },
  )

  test('of any other text is refused with a message of at most 200 characters that does not repeat it', () => {
    const canary = 'c4n4ry'
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const message = refusalOf([text + canary])
        return message !== undefined && message.length <= 200 && !message.includes(canary)
      }),
    )
  })

  test('is told what its range would be', () => {
    expect(refusalOf(['10.1.2.3/8'])).toBe('allowedIps rule 1 has host bits set; the range would be 10.0.0.0/8')
  })
})

describe('a list of rules', () => {
  test('may be empty, keeps its order and each rule once', () => {
    expect(parseAllowedIps([])).toEqual([])
    expect(parseAllowedIps(['::1', '10.0.0.0/8', '::ffff:10.0.0.0/104', '0:0::1', '1.2.3.4/32'])).toEqual([
      '::1',
      '10.0.0.0/8',
      '1.2.3.4',
    ])
  })

  test('has at most 100 entries', () => {
    const rules = Array.from({ length: 101 }, (_, i) => `10.0.0.${i}`)
    expect(parseAllowedIps(rules.slice(1))).toHaveLength(100)
    expect(refusalOf(rules)).toBe('allowedIps may contain at most 100 rules')
  })

  test.each([
    [['0.0.0.0/1', '128.0.0.0/1'], 4],
    [['128.0.0.0/1', '0.0.0.0/1'], 4],
    [['::ffff:0:0/97', '128.0.0.0/1'], 4],
    [['0.0.0.0/2', '64.0.0.0/2', '128.0.0.0/2', '192.0.0.0/2'], 4],
    [['10.0.0.0/8', '0.0.0.0/1', '2001:db8::/32', '128.0.0.0/2', '192.0.0.0/2', '0.0.0.0'], 4],
    [['::/1', '8000::/1'], 6],
    [['::/1', '8000::/2', '1.2.3.4', 'c000::/2'], 6],
    [[...halvings(32), '255.255.255.255'], 4],
    [[...halvings(99), `${hex((1n << 128n) - (1n << 29n))}/99`], 6],
  ])('that together covers everything is refused: %j', (rules, family) => {
    expect(refusalOf(rules)).toBe(`allowedIps must not cover every IPv${family} address: leave it empty to allow all`)
  })

  test('that leaves one address out is accepted', () => {
    expect(parseAllowedIps(halvings(32))).toHaveLength(32)
    expect(ipAllowed(halvings(32), '255.255.255.254')).toBe(true)
    expect(ipAllowed(halvings(32), '255.255.255.255')).toBe(false)
    expect(parseAllowedIps(['::/1', '0.0.0.0/1'])).toHaveLength(2)
  })
})

describe('an address', () => {
  test('is allowed anywhere without rules, even an undeterminable one', () => {
    for (const ip of ['1.2.3.4', '::1', 'nonsense', undefined]) expect(ipAllowed([], ip)).toBe(true)
  })

  test('that cannot be determined is refused as soon as there is a rule', () => {
    for (const ip of [undefined, '', 'unknown', '1.2.3.4:80', '[::1]', 'fe80::1%eth0', ' 10.0.0.1', '010.0.0.1']) {
      expect(ipAllowed(['10.0.0.0/8', '::/1', '8000::/2', '0.0.0.0/1'], ip)).toBe(false)
    }
  })

  test.each([
    ['10.0.0.0/8', '10.0.0.0', true],
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.0.0.0/8', '9.255.255.255', false],
    ['10.0.0.0/8', '::ffff:10.1.1.1', true],
    ['10.0.0.0/8', '::ffff:a01:101', true],
    ['10.0.0.0/8', '::10.1.1.1', false],
    ['10.0.0.0/8', 'a00::', false],
    ['10.0.0.0/8', '64:ff9b::10.1.1.1', false],
    ['1.2.3.4', '1.2.3.4', true],
    ['1.2.3.4', '1.2.3.5', false],
    ['::/1', '10.1.1.1', false],
    ['::/1', '::ffff:10.1.1.1', false],
    ['::/1', '::1', true],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:DB8::1', true],
    ['2001:db8::/32', '2001:db9::', false],
    ['2001:db8::1', '2001:db8:0:0::1', true],
    ['a rule that no longer reads', '1.2.3.4', false],
  ])('rule %s, address %s: %s', (rule, ip, allowed) => {
    expect(ipAllowed([rule], ip)).toBe(allowed)
  })

  test('is matched bit by bit, in either family, in any spelling', () => {
    const range = fc
      .constantFrom(32, 128)
      .chain((bits) =>
        fc.record({ bits: fc.constant(bits), value: wide(bits), prefix: fc.integer({ min: 1, max: bits }) }),
      )
    fc.assert(
      fc.property(range, fc.nat(128), wide(128), fc.boolean(), ({ bits, value, prefix }, flip, other, near) => {
        const network = bitsOf(value, bits).slice(0, prefix).padEnd(bits, '0')
        const address = near ? flipped(network, flip % bits) : bitsOf(other % (1n << BigInt(bits)), bits)
        fc.pre(!isMappedBits(address) && !isMappedBits(network))
        const expected = address.slice(0, prefix) === network.slice(0, prefix)
        const rules = parseAllowedIps([`${spelled(network)}/${prefix}`])
        expect(ipAllowed(rules, spelled(address))).toBe(expected)
        expect(ipAllowed(rules, spelled(address).toUpperCase())).toBe(expected)
        if (bits === 32) expect(ipAllowed(rules, `::ffff:${spelled(address)}`)).toBe(expected)
      }),
      { numRuns: 5_000 },
    )
  })

  test('has a long list read once: no refusal takes longer for it', () => {
    const rules = Array.from({ length: 100 }, (_, nth) => `2001:db8:feed:${nth}::/64`)
    vi.mocked(ip.parseIpRange).mockClear()
    for (let n = 0; n < 3; n += 1) expect(ipAllowed(rules, '2001:db8::1')).toBe(false)
    expect(vi.mocked(ip.parseIpRange)).toHaveBeenCalledTimes(100)
  })
})

test.each([
  ['1.2.3.4', ['1.2.3.4', '1.2.3.0/24']],
  ['::ffff:1.2.3.4', ['1.2.3.4', '1.2.3.0/24']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/56', '2001:db8:1::/48']],
  ['2001:db8:1:2::', ['2001:db8:1:2::/64', '2001:db8:1::/56', '2001:db8:1::/48']],
  ['2001:db8:1:1ff::', ['2001:db8:1:1ff::/64', '2001:db8:1:100::/56', '2001:db8:1::/48']],
  [undefined, ['undeterminable']],
  ['fe80::1%eth0', ['undeterminable']],
])('limits on %s are shared by %j', (address, names) => {
  const blocks = ip.addressBlocksOf(address)
  expect(blocks.map(({ name }) => name)).toEqual(names)
  const shares: Record<string, number> = { 64: 1, 56: 2, 48: 4, 24: 4 }
  expect(blocks.map(({ share }) => share)).toEqual(names.map((name) => shares[name.split('/')[1] ?? ''] ?? 1))
})

function refusalOf(rules: readonly string[]): string | undefined {
  try {
    parseAllowedIps(rules)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** The first half of all addresses, the first half of the rest, and so on: all but the last block of `depth` bits. */
function halvings(depth: number): string[] {
  const bits = depth > 32 ? 128 : 32
  return Array.from({ length: depth }, (_, i) => {
    const network = '1'.repeat(i).padEnd(bits, '0')
    return `${spelled(network)}/${i + 1}`
  })
}

function wide(bits: number): fc.Arbitrary<bigint> {
  return fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n })
}

function bitsOf(value: bigint, bits: number): string {
  return value.toString(2).padStart(bits, '0')
}

function flipped(bits: string, at: number): string {
  return bits.slice(0, at) + (bits[at] === '1' ? '0' : '1') + bits.slice(at + 1)
}

function isMappedBits(bits: string): boolean {
  return bits.length === 128 && bits.startsWith(`${'0'.repeat(80)}${'1'.repeat(16)}`)
}

function spelled(bits: string): string {
  if (bits.length === 128) return hex(BigInt(`0b${bits}`))
  return (bits.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2)).join('.')
}

function hex(value: bigint): string {
  return (value.toString(16).padStart(32, '0').match(/.{4}/g) ?? []).join(':')
}
