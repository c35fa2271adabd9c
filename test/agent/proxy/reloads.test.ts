/** Requests go on while HAProxy is reloaded: a former worker ends what it has begun. */
import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { ask, clients, never, noHaproxy, proxySite } from '../../support/haproxy.ts'

const BUSY_MS = 1_500

describe.skipIf(noHaproxy !== undefined)('the proxy of a host that is reloaded', async () => {
  const site = await proxySite()
  afterAll(site.stop)
  const { proxy, add, target, served } = site

  test('no request is lost while other applications come, and their reloads are shared', async () => {
    const { port } = await served(await target('127.0.5.1'))
    const other = await target('127.0.5.2')
    const reloads = await site.reloads()
    const load = clients(port)
    const all = await Promise.all(Array.from({ length: 4 }, () => served(other)))
    expect(all.every(({ put }) => put.reloaded)).toBe(true)
    expect(await site.reloads()).toBeLessThanOrEqual(reloads + 2)
    await Promise.all([served(other), served(other)])
    for (const { port: own } of all) expect((await ask(own)).body.from).toBe('127.0.5.2')
    expect((await load.stop()).lost).toEqual([])
  })

  test('a target is not left while a client may send it a request by a worker from before a reload', async () => {
    const former = await target('127.0.6.1')
    const next = await target('127.0.6.2', former.port)
    const { port, fragment } = await served(former)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    expect((await ask(port, { agent })).body.from).toBe('127.0.6.1')
    // Its connection stays with the former worker.
    await served(next)
    await proxy.put({ ...fragment, release: add(next.address), revision: 2 }, never)
    const draining = proxy.drained({ release: fragment.release!, seconds: 0, signal: never })
    expect(await Promise.race([draining, pause(500, 'waits')])).toBe('waits')
    expect((await ask(port, { agent })).body.from).toBe('127.0.6.1')
    expect(await draining).toMatchObject({ cut: 0 })
    await former.stop()
    expect((await ask(port, { agent })).body.from).toBe('127.0.6.2')
    agent.destroy()
  })

  test('requests that run longer than a reload are waited for, and cut when their time is over', async () => {
    const former = await target('127.0.7.1')
    const next = await target('127.0.7.2', former.port)
    const { port, fragment } = await served(former)
    const long = ask(port, { path: `/?ms=${BUSY_MS}` })
    const endless = ask(port, { path: '/?ms=60000' }).catch(() => 'cut')
    await expect.poll(() => proxySessions(fragment)).toBe(2)
    await served(next)
    await proxy.put({ ...fragment, release: add(next.address), revision: 2 }, never)
    const drained = await proxy.drained({ release: fragment.release!, seconds: 2, signal: never })
    expect(drained.cut).toBe(1)
    expect(drained.drainedMs).toBeGreaterThanOrEqual(2_000)
    expect((await long).body.from).toBe('127.0.7.1')
    await former.stop()
    // The target has ended its connection, which is answered 502.
    expect(await endless).toMatchObject({ status: 502 })
  })

  const proxySessions = (fragment: {
    owner: { id: string }
    release: string | null
    backends: readonly { port: number }[]
  }) =>
    site.runtime.sessionsOf(`application-${fragment.owner.id}-app`, [
      { address: '127.0.7.1', port: fragment.backends[0]!.port, release: fragment.release! },
    ])
})
