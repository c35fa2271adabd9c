/** Calls to a URL that a caller chose: only public addresses are called, with limits of time and bytes. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { ResolveHost } from '#kernel/outbound/checked-connect'
import { poster } from '#kernel/outbound/post'
import type { PosterOptions } from '#kernel/outbound/post'
import { isReachableAddress } from '#kernel/outbound/public-address'
import { parseTargetUrl } from '#kernel/outbound/target-url'
import { webhookReceiver } from '#test/support/webhook-receiver'

const HERE = ['127.0.0.0/8']
const NOT_PUBLIC = { error: 'the address is not public' }

const here = await webhookReceiver()
const { port } = new URL(here.url)
afterAll(() => here.close())
afterEach(() => here.answer(() => 204))

const named =
  (...addresses: string[]): ResolveHost =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

const post = (url: string, options: PosterOptions = {}, signal = new AbortController().signal) =>
  poster({ timeoutMs: 5_000, ...options })({ url, headers: { 'X-Test': 'yes' }, body: '{"é":1}', signal })

describe('an address', () => {
  test.each([
    ['8.8.8.8', true],
    ['192.0.1.1', true],
    ['172.15.255.255', true],
    ['172.32.0.1', true],
    ['100.128.0.1', true],
    ['223.255.255.255', true],
    ['2606:4700:4700::1111', true],
    ['2a00:1450::1', true],
    ['2001:200::1', true],
    ['0.0.0.0', false],
    ['0.1.2.3', false],
    ['10.0.0.1', false],
    ['100.64.0.1', false],
    ['127.0.0.1', false],
    ['127.255.255.254', false],
    ['169.254.169.254', false],
    ['172.16.0.1', false],
    ['172.31.255.255', false],
    ['192.0.0.8', false],
    ['192.0.2.1', false],
    ['192.88.99.1', false],
    ['192.168.1.1', false],
    ['198.18.0.1', false],
    ['198.51.100.1', false],
    ['203.0.113.1', false],
    ['224.0.0.1', false],
    ['240.0.0.1', false],
    ['255.255.255.255', false],
    ['::', false],
    ['::1', false],
    ['::7f00:1', false],
    ['::ffff:127.0.0.1', false],
    ['::ffff:a9fe:a9fe', false],
    ['::ffff:0:7f00:1', false],
    ['64:ff9b:1::7f00:1', false],
    ['::ffff:8.8.8.8', true],
    ['64:ff9b::7f00:1', false],
    ['64:ff9b::808:808', false],
    ['64:ff9b:1::1', false],
    ['100::1', false],
    ['2001::1', false],
    ['2001:db8::1', false],
    ['2002:7f00:1::', false],
    ['2002:808:808::', false],
    ['3fff::1', false],
    ['5f00::1', false],
    ['fc00::1', false],
    ['fd12:3456::1', false],
    ['fe80::1', false],
    ['fe80::1%eth0', false],
    ['fec0::1', false],
    ['ff02::1', false],
    ['localhost', false],
    ['127.1', false],
    ['', false],
  ])('%s may be reached: %s', (address, may) => {
    expect(isReachableAddress(address, [])).toBe(may)
  })

  test('that the operator allows may be reached, and only that', () => {
    expect(isReachableAddress('10.1.2.3', ['10.1.0.0/16'])).toBe(true)
    expect(isReachableAddress('::ffff:10.1.2.3', ['10.1.0.0/16'])).toBe(true)
    expect(isReachableAddress('10.2.0.1', ['10.1.0.0/16'])).toBe(false)
    expect(isReachableAddress('fd00::1', ['10.1.0.0/16'])).toBe(false)
    expect(isReachableAddress('8.8.8.8', ['10.1.0.0/16'])).toBe(true)
  })
})

describe('a URL', () => {
  test.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://Example.COM:443/a?b=c', 'https://example.com/a?b=c'],
    ['http://example.com:8080/x', 'http://example.com:8080/x'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
  ])('%s is spelled %s', (text, spelled) => {
    expect((parseTargetUrl(text) as URL).href).toBe(spelled)
  })

  test.each([
    'ftp://example.com/',
    'gopher://x/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'example.com',
    '//example.com/',
    'http:127.0.0.1',
    'http:/example.com',
    'https://',
    'https:///example.com',
    'http://[fe80::1%25eth0]/',
    'http://[::1/',
    'http://a@127.0.0.1/',
    'http://@127.0.0.1/',
    'http://user:pass@example.com/',
    'http://127.0.0.1\\@evil.com/',
    'http://evil.com#@127.0.0.1',
    'http://example.com/#',
    'http://exa\nmple.com/',
    'http://example.com/\t',
    ' http://example.com/',
    'http://example.com/a b',
    'http://example.com:22/',
    'http://example.com:25/',
    'https://example.com:0/',
    'https://example.com:99999/',
    'http://example.com:6000/',
    'http://example.com:6667/',
    `https://example.com/${'x'.repeat(2_100)}`,
  ])('%j is refused with a reason', (text) => {
    expect(parseTargetUrl(text)).toEqual({ reason: expect.stringMatching(/^(is|has|must not) /) })
  })
})

describe('a call', () => {
  test('sends what it is given, and tells how it was answered', async () => {
    expect(await post(here.url, { allow: HERE })).toEqual({ status: 204, retryAfterSeconds: 0, ms: expect.any(Number) })
    expect(here.heard.at(-1)).toMatchObject({ body: '{"é":1}', headers: { 'x-test': 'yes', 'content-length': '8' } })
  })

  test.each([
    'http://127.0.0.1',
    'http://127.1',
    'http://127.0.0.1.',
    'http://0x7f.1',
    'http://0x7f000001',
    'http://0177.0.0.1',
    'http://017700000001',
    'http://2130706433',
    'http://①②⑦.0.0.1',
    'http://１２７.0.0.1',
    'http://127。0。0。1',
    'http://0',
    'http://0.0.0.0',
    'http://127.255.0.1',
    'http://[::1]',
    'http://[::]',
    'http://[0:0:0:0:0:0:0:1]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:7f00:1]',
    'http://[::127.0.0.1]',
    'http://[64:ff9b::7f00:1]',
    'http://[64:ff9b::127.0.0.1]',
    'http://[2002:7f00:1::]',
    'http://[fe80::1]',
    'http://[fd00::1]',
    'http://169.254.169.254',
    'http://10.0.0.1',
    'http://192.168.0.1',
    'https://127.0.0.1',
    'https://[::1]',
  ])('to %s connects to nothing', async (origin) => {
    const before = here.connections()
    expect(await post(`${origin}:${port}/`)).toMatchObject(NOT_PUBLIC)
    expect(here.connections()).toBe(before)
  })

  test.each([
    ['a private one', ['127.0.0.1']],
    ['a private one among public ones', ['8.8.8.8', '127.0.0.1']],
    ['a public one among private ones', ['127.0.0.1', '8.8.8.8']],
    ['a mapped one', ['::ffff:127.0.0.1']],
    ['one behind NAT64', ['64:ff9b::7f00:1']],
    ['one behind a NAT64 of the network’s own', ['64:ff9b:1::7f00:1']],
    ['one by 6to4', ['2002:7f00:1::']],
    ['a translated one', ['::ffff:0:7f00:1']],
  ])('to a name whose address is %s connects to nothing', async (_what, addresses) => {
    const before = here.connections()
    const outcome = await post(`http://evil.example:${port}/`, { resolve: named(...addresses) })
    expect(outcome).toMatchObject(NOT_PUBLIC)
    expect(here.connections()).toBe(before)
  })

  test('asks for a name once, and connects to what it was told then', async () => {
    const other = await webhookReceiver('127.0.0.2', Number(port))
    const asked: string[] = []
    const answers = ['127.0.0.2', '127.0.0.1']
    const resolve: ResolveHost = async (name) => {
      asked.push(name)
      return [{ address: answers[asked.length - 1] ?? '127.0.0.1', family: 4 }]
    }
    const before = here.connections()
    const rebinding = { resolve, allow: ['127.0.0.2'] }
    expect(await post(`http://rebind.example:${port}/`, rebinding)).toMatchObject({ status: 204 })
    expect(asked).toEqual(['rebind.example'])
    expect(await post(`http://rebind.example:${port}/`, rebinding)).toMatchObject(NOT_PUBLIC)
    expect(here.connections()).toBe(before)
    expect(other.heard).toHaveLength(1)
    await other.close()
  })

  test.each([301, 302, 303, 307, 308])('follows no %i', async (status) => {
    const elsewhere = await webhookReceiver()
    here.answer(() => (response) => response.writeHead(status, { Location: elsewhere.url }).end())
    expect(await post(here.url, { allow: HERE })).toMatchObject({ status })
    expect(elsewhere.connections()).toBe(0)
    await elsewhere.close()
  })

  test('waits for nobody longer than it may', async () => {
    here.answer(() => () => {})
    const outcome = await post(here.url, { allow: HERE, timeoutMs: 300 })
    expect(outcome).toEqual({ error: 'no response within 0.3 s', ms: expect.any(Number) })
    expect(outcome.ms).toBeLessThan(20_000)
  })

  test('waits for no name longer than it may', async () => {
    const resolve: ResolveHost = () => new Promise(() => {})
    expect(await post('http://slow.example/', { resolve, timeoutMs: 300 })).toMatchObject({
      error: 'no response within 0.3 s',
    })
  })

  test('reads 64 kB of an answer and no more; its status counts', async () => {
    let written = 0
    const ended = Promise.withResolvers<void>()
    here.answer(() => (response) => {
      response.writeHead(200)
      response.on('close', ended.resolve)
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, 120))) written += 16_384
        if (!response.destroyed) response.once('drain', write)
      }
      write()
    })
    expect(await post(here.url, { allow: HERE })).toMatchObject({ status: 200 })
    await ended.promise
    expect(written).toBeLessThan(32 * 1_048_576)
  })

  test('an answer that does not end is its status, when the time is over', async () => {
    here.answer(() => (response) => void response.writeHead(202).write('a'))
    expect(await post(here.url, { allow: HERE, timeoutMs: 300 })).toMatchObject({ status: 202 })
  })

  test.each([
    ['120', 120],
    ['999999999', 86_400],
    ['Fri, 31 Dec 2027 23:59:59 GMT', 0],
    ['-5', 0],
  ])('Retry-After: %s is %i s', async (text, seconds) => {
    here.answer(() => (response) => response.writeHead(503, { 'Retry-After': text }).end())
    expect(await post(here.url, { allow: HERE })).toMatchObject({ status: 503, retryAfterSeconds: seconds })
  })

  test('ends when the process is about to', async () => {
    here.answer(() => () => {})
    const stopping = new AbortController()
    const calling = post(here.url, { allow: HERE }, stopping.signal)
    setTimeout(() => stopping.abort(), 50)
    await expect(calling).rejects.toThrow(/abort/i)
  })

  test('names a failure by a code, never by what the other side said', async () => {
    const said: [string, (socket: Socket) => void][] = [
      ['reset', (socket) => socket.resetAndDestroy()],
      ['closed', (socket) => socket.end()],
      ['garbage', (socket) => socket.end('canary-secret\r\n\r\n')],
      [
        'a switch of protocols',
        (socket) => socket.end('HTTP/1.1 101 Switching\r\nUpgrade: canary\r\nConnection: upgrade\r\n\r\n'),
      ],
      ['endless headers', (socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'canary'.repeat(50_000)}\r\n\r\n`)],
    ]
    for (const [what, says] of said) {
      const server = createServer((socket) => {
        socket.on('error', () => {})
        socket.once('data', () => says(socket))
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
      const outcome = await post(url, { allow: HERE })
      expect(outcome, what).toEqual({
        error: expect.stringMatching(/^([A-Z_0-9]+|the connection .*)$/),
        ms: expect.any(Number),
      })
      expect(JSON.stringify(outcome)).not.toContain('canary')
      server.close()
    }
    const gone = await webhookReceiver()
    await gone.close()
    expect(await post(gone.url, { allow: HERE })).toMatchObject({ error: 'ECONNREFUSED' })
    expect(await post(here.url.replace('http:', 'https:'), { allow: HERE })).toMatchObject({
      error: expect.stringMatching(/^(EPROTO|ERR_SSL\w+|ECONNRESET)$/),
    })
    expect(await post('http://nobody.example/', { resolve: named() })).toMatchObject({
      error: 'the name has no address',
    })
  })
})
