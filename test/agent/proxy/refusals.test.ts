/** What a fragment asks for is refused before anything changes, and requests get what the proxy knows of them. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { ask, fragmentOf, never, noHaproxy, proxySite } from '../../support/haproxy.ts'

const UNKNOWN = '01890000-0000-7000-8000-00000000dddd'

describe.skipIf(noHaproxy !== undefined)('what the proxy of a host is asked', async () => {
  const site = await proxySite()
  afterAll(site.stop)
  const { proxy, add, target, served, httpPort } = site
  const codeOf = (put: Promise<unknown>): Promise<string> =>
    put.then(
      () => 'taken',
      ({ code }) => code,
    )

  test('a workload that it does not know waits for nothing, and HAProxy is not started for it', async () => {
    const owner = { kind: 'APPLICATION' as const, id: UNKNOWN }
    await proxy.hold(owner)
    await proxy.resume(owner, never)
    expect(existsSync(site.directory)).toBe(false)
  })

  test('a port of another program is refused, nothing has changed, and the other workloads go on', async () => {
    const first = await target('127.0.11.1')
    const { port } = await served(first)
    const foreign = createServer().listen(0, '127.0.0.1')
    await once(foreign, 'listening')
    const { port: taken } = foreign.address() as { port: number }
    const [reloads, files] = [await site.reloads(), await readdir(join(site.directory, 'fragments'))]
    const listener = { ip: null, mode: 'HTTP' as const, backend: 'app' }
    const wanting = (more: { port: number; ip?: string }) =>
      fragmentOf({ release: add(first.address), port: first.port, listeners: [{ ...listener, ...more }] })
    expect(await codeOf(proxy.put(wanting({ port: taken }), never))).toBe('PORT_IN_USE')
    expect(await codeOf(proxy.put(wanting({ port }), never))).toBe('PORT_IN_USE')
    expect(await codeOf(proxy.put(wanting({ port: await freePort(), ip: '203.0.113.9' }), never))).toBe(
      'NOT_AN_ADDRESS_HERE',
    )
    expect(await codeOf(proxy.put({ ...wanting({ port: await freePort() }), release: UNKNOWN }, never))).toBe(
      'NOT_RUNNING',
    )
    expect(await site.reloads()).toBe(reloads)
    expect(await readdir(join(site.directory, 'fragments'))).toEqual(files)
    expect((await ask(port)).body.from).toBe('127.0.11.1')
    foreign.close()
  })

  test('a lower revision is ignored, and an empty fragment removes its workload', async () => {
    const first = await target('127.0.12.1')
    const next = await target('127.0.12.2', first.port)
    const { port, fragment } = await served(first)
    await proxy.put({ ...fragment, release: add(next.address), revision: 3 }, never)
    expect(await proxy.put({ ...fragment, revision: 2 }, never)).toEqual({ reloaded: false, targets: 1 })
    expect((await ask(port)).body.from).toBe('127.0.12.2')
    await proxy.put({ ...fragment, revision: 4, release: null, listeners: [], backends: [] }, never)
    expect(await ask(port).catch(({ code }) => code)).toBe('ECONNREFUSED')
    expect((await readdir(join(site.directory, 'fragments'))).some((name) => name.includes(fragment.owner.id))).toBe(
      false,
    )
  })

  test('a host leads to its workload, in any case and with a port, and an unknown one is answered 404', async () => {
    const first = await target('127.0.13.1')
    const named = fragmentOf({
      release: add(first.address),
      port: first.port,
      hosts: [{ host: 'shop.example', backend: 'app' }],
    })
    await proxy.put(named, never)
    for (const host of ['shop.example', 'SHOP.example', `shop.example:${httpPort}`, 'shop.example.'])
      expect((await ask(httpPort, { host })).body.from).toBe('127.0.13.1')
    const unknown = await ask(httpPort, { host: 'other.example' })
    expect(unknown).toEqual({ status: 404, body: 'No application has this name.\n' })
    const other = fragmentOf({ release: null, port: 1, hosts: named.hosts })
    expect(await codeOf(proxy.put(other, never))).toBe('HOST_TAKEN')
    await proxy.put({ ...named, revision: 2, release: null }, never)
    const stopped = await ask(httpPort, { host: 'shop.example' })
    expect(stopped).toEqual({ status: 503, body: 'The application does not run at the moment.\n' })
  })

  test('a target sees the address of the client, whatever the client says of it', async () => {
    const { port } = await served(await target('127.0.14.1'))
    const headers = {
      'X-Forwarded-For': '1.2.3.4',
      x_forwarded_for: '1.2.3.4',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Server': 'evil',
      'X-Real-IP': '1.2.3.4',
      Forwarded: 'for=1.2.3.4',
      Proxy: 'http://evil',
    }
    const { headers: seen } = (await ask(port, { host: 'a.example:81', headers })).body
    expect(
      Object.keys(seen)
        .filter((name) => /forwarded|real|proxy/.test(name))
        .toSorted(),
    ).toEqual(['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto'])
    expect(seen).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'a.example:81',
      'x-forwarded-port': String(port),
      'x-forwarded-proto': 'http',
    })
  })
})
