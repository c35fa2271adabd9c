import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseTrustedProxies, sourceAddress } from '#kernel/credentials/source-address'
import { cpuMs } from '#test/support/cpu-ms'

const none = parseTrustedProxies(undefined)
const one = parseTrustedProxies('10.0.0.0/8, 2001:db8::/32')
const two = parseTrustedProxies('10.0.0.0/8;hops=2')
const undeterminable = undefined

function from(
  peer: string | undefined,
  ...forwardedFor: string[]
): { peer: string | undefined; forwardedFor: string[] } {
  return { peer, forwardedFor }
}

describe('without a trusted proxy', () => {
  test.each([
    [from('192.0.2.1'), '192.0.2.1'],
    [from('192.0.2.1', '1.1.1.1'), '192.0.2.1'],
    [from('::ffff:192.0.2.1', '1.1.1.1'), '192.0.2.1'],
    [from('::FFFF:C000:201'), '192.0.2.1'],
    [from('2001:DB8:0:0::1'), '2001:db8::1'],
    [from('::1'), '::1'],
    [from(undefined), undeterminable],
    [from(undefined, '1.1.1.1'), undeterminable],
    [from(''), undeterminable],
    [from('fe80::1%eth0'), undeterminable],
    [from('/run/daybook.sock'), undeterminable],
    [from('192.0.2.1:443'), undeterminable],
  ])('%j comes from %s', (connection, address) => {
    expect(sourceAddress(connection, none)).toBe(address)
    expect(sourceAddress({ peer: connection.peer, forwardedFor: undefined }, none)).toBe(address)
  })
})

describe('with one trusted proxy', () => {
  test.each([
    [from('192.0.2.1', '1.1.1.1'), '192.0.2.1'],
    [from('2001:db9::1', '1.1.1.1'), '2001:db9::1'],
    [from('10.0.0.1', '1.1.1.1'), '1.1.1.1'],
    [from('2001:db8::9', '1.1.1.1'), '1.1.1.1'],
    [from('::ffff:10.0.0.1', '1.1.1.1'), '1.1.1.1'],
    [from('10.0.0.1', '9.9.9.9, 1.1.1.1'), '1.1.1.1'],
    [from('10.0.0.1', '9.9.9.9,1.1.1.1'), '1.1.1.1'],
    [from('10.0.0.1', '9.9.9.9\t,\t 1.1.1.1 \t'), '1.1.1.1'],
    [from('10.0.0.1', '9.9.9.9', '1.1.1.1'), '1.1.1.1'],
    [from('10.0.0.1', '9.9.9.9', '8.8.8.8, 1.1.1.1'), '1.1.1.1'],
    [from('10.0.0.1', ',, garbage, 1.1.1.1'), '1.1.1.1'],
    [from('10.0.0.1', '::ffff:1.1.1.1'), '1.1.1.1'],
    [from('10.0.0.1', '2001:DB9:0::5'), '2001:db9::5'],
    [from('10.0.0.1'), undeterminable],
    [from('10.0.0.1', ''), undeterminable],
    [from('10.0.0.1', ' '), undeterminable],
    [from('10.0.0.1', '1.1.1.1,'), undeterminable],
    [from('10.0.0.1', '1.1.1.1', ''), undeterminable],
    [from('10.0.0.1', '1.1.1.1, unknown'), undeterminable],
    [from('10.0.0.1', '1.1.1.1:1234'), undeterminable],
    [from('10.0.0.1', '[2001:db9::1]'), undeterminable],
    [from('10.0.0.1', '[2001:db9::1]:443'), undeterminable],
    [from('10.0.0.1', 'fe80::1%eth0'), undeterminable],
    [from('10.0.0.1', '"1.1.1.1"'), undeterminable],
    [from('10.0.0.1', 'for=1.1.1.1'), undeterminable],
    [from('10.0.0.1', '1.1.1.1;by=2.2.2.2'), undeterminable],
    [from('10.0.0.1', '1.1.1.1 2.2.2.2'), undeterminable],
    [from('10.0.0.1', '\u00a01.1.1.1'), undeterminable],
    [from('10.0.0.1', '01.1.1.1'), undeterminable],
    [from('10.0.0.1', '1.1.1.1, 10.0.0.2'), undeterminable],
    [from('10.0.0.1', '1.1.1.1, ::ffff:10.0.0.2'), undeterminable],
    [from('10.0.0.1', '1.1.1.1, 2001:db8::2'), undeterminable],
  ])('%j comes from %s', (connection, address) => {
    expect(sourceAddress(connection, one)).toBe(address)
  })

  test('a proxy that sends no header at all hides its caller', () => {
    expect(sourceAddress({ peer: '10.0.0.1', forwardedFor: undefined }, one)).toBe(undeterminable)
  })

  test('a caller cannot change what the proxy appended, whatever it sends', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (lines) => {
        expect(sourceAddress(from('10.0.0.1', ...lines, '1.1.1.1'), one)).toBe('1.1.1.1')
        expect(sourceAddress(from('10.0.0.1', `${lines.join(',')},1.1.1.1`), one)).toBe('1.1.1.1')
        expect(sourceAddress(from('192.0.2.1', ...lines), one)).toBe('192.0.2.1')
      }),
    )
  })

  test('a header of 100 KB of blanks takes no time', async () => {
    const blanks = ' '.repeat(100_000)
    const spent = await cpuMs(() => {
      expect(sourceAddress(from('10.0.0.1', `x${blanks}x`, blanks, `${blanks}1.1.1.1${blanks}`), one)).toBe('1.1.1.1')
      expect(sourceAddress(from('10.0.0.1', `1${blanks}1`), one)).toBe(undeterminable)
    })
    expect(spent).toBeLessThan(500)
  })
})

describe('with two hops', () => {
  test.each([
    [from('10.0.0.1', '1.1.1.1, 10.0.0.2'), '1.1.1.1'],
    [from('10.0.0.1', '9.9.9.9', '1.1.1.1', '10.0.0.2'), '1.1.1.1'],
    [from('192.0.2.1', '1.1.1.1, 10.0.0.2'), '192.0.2.1'],
    [from('10.0.0.1', '1.1.1.1'), undeterminable],
    [from('10.0.0.1', '10.0.0.2'), undeterminable],
    // A client that reaches the inner proxy directly and sends "X-Forwarded-For: 9.9.9.9".
    [from('10.0.0.1', '9.9.9.9, 1.1.1.1'), undeterminable],
    [from('10.0.0.1', '1.1.1.1, '), undeterminable],
    [from('10.0.0.1', '10.0.0.3, 10.0.0.2'), undeterminable],
  ])('%j comes from %s', (connection, address) => {
    expect(sourceAddress(connection, two)).toBe(address)
  })
})

describe('TRUSTED_PROXIES', () => {
  test.each([[undefined], [''], ['  ']])('%j trusts nobody', (text) => {
    expect(parseTrustedProxies(text)).toEqual({ ranges: [], hops: 1 })
  })

  test('takes addresses, ranges and hops', () => {
    expect(parseTrustedProxies('127.0.0.1,::1;hops=10')).toEqual({
      hops: 10,
      ranges: [
        { bits: 32, value: 0x7f000001n, prefix: 32 },
        { bits: 128, value: 1n, prefix: 128 },
      ],
    })
    expect(parseTrustedProxies(' 10.0.0.0/8 ; hops=2 ').hops).toBe(2)
  })

  test.each([
    '0.0.0.0/0',
    '::/0',
    '10.0.0.1/8',
    '10/8',
    'true',
    'loopback',
    ',',
    '10.0.0.0/8,',
    ';hops=2',
    '10.0.0.0/8;hops=0',
    '10.0.0.0/8;hops=11',
    '10.0.0.0/8;hops=x',
    '10.0.0.0/8;hops=',
    '10.0.0.0/8;hops=1;hops=2',
    '10.0.0.0/8;trust=all',
  ])('%j stops the start', (text) => {
    expect(() => parseTrustedProxies(text)).toThrow(/^TRUSTED_PROXIES /)
  })
})
