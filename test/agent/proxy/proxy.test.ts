/** Requests go on while the targets of the proxy, its configuration, the agent and HAProxy itself come and go. */
import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { ask, clients, fragmentOf, never, noHaproxy, proxySite, releases, startTarget } from '../../support/haproxy.ts'
import type { Target } from '../../support/haproxy.ts'

const BUSY_MS = 1_500

describe.skipIf(noHaproxy !== undefined)('the proxy of a host', async () => {
  const { add, targetsOf } = releases()
  const site = await proxySite(targetsOf)
  const proxy = site.open()
  const targets: Target[] = []
  afterAll(async () => {
    await site.stop()
    await Promise.all(targets.map((each) => each.stop()))
  })

  async function target(address: string, port = 0): Promise<Target> {
    const started = await startTarget(address, port)
    targets.push(started)
    return started
  }

  async function served(first: Target) {
    const port = await freePort()
    const listeners = [{ ip: null, port, mode: 'HTTP' as const, backend: 'app' }]
    const fragment = fragmentOf({ release: add(first.address), port: first.port, listeners })
    const put = await proxy.put(fragment, never)
    return { port, fragment, put }
  }

  test('no request is lost while targets switch twenty times, and HAProxy is not reloaded', async () => {
    const first = await target('127.0.3.1')
    const { port, fragment, put } = await served(first)
    expect(put).toEqual({ reloaded: true, targets: 1 })
    const reloads = await site.reloads()
    const load = clients(port)
    let [release, revision] = [fragment.release!, 1]
    for (let nth = 0; nth < 20; nth += 1) {
      const next = await target(`127.0.4.${nth + 1}`, first.port)
      const former = release
      release = add(next.address)
      const switched = await proxy.put({ ...fragment, release, revision: (revision += 1) }, never)
      expect(switched).toEqual({ reloaded: false, targets: 1 })
      expect(await proxy.drained({ release: former, seconds: 10, signal: never })).toMatchObject({ cut: 0 })
      await targets.find(({ address }) => address === (nth === 0 ? '127.0.3.1' : `127.0.4.${nth}`))!.stop()
    }
    const { lost, from } = await load.stop()
    expect(lost).toEqual([])
    expect(from.size).toBe(21)
    expect(await site.reloads()).toBe(reloads)
  })

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

  test('requests wait while a workload stops and starts again, and none is lost', async () => {
    const first = await target('127.0.8.1')
    const { port, fragment } = await served(first)
    const load = clients(port)
    let [release, current, revision] = [fragment.release!, first, 1]
    for (let nth = 0; nth < 2; nth += 1) {
      await proxy.hold(fragment.owner)
      expect(await proxy.drained({ release, seconds: 10, signal: never })).toMatchObject({ cut: 0 })
      await current.stop()
      const answered = load.tally.answered
      await pause(500)
      expect(load.tally.answered).toBe(answered)
      // Its successor has its address.
      current = await target('127.0.8.1', first.port)
      release = add(current.address)
      await proxy.put({ ...fragment, release, revision: (revision += 1) }, never)
      await expect.poll(() => load.tally.answered).toBeGreaterThan(answered + 20)
    }
    await proxy.hold(fragment.owner)
    await proxy.drained({ release, seconds: 10, signal: never })
    await proxy.resume(fragment.owner, never)
    const { lost, answered } = await load.stop()
    expect(lost).toEqual([])
    expect(answered).toBeGreaterThan(40)
  })

  test('a HAProxy that was killed is started again with the targets of the last deployment', async () => {
    const first = await target('127.0.9.1')
    const { port, fragment } = await served(first)
    const next = await target('127.0.9.2', first.port)
    await proxy.put({ ...fragment, release: add(next.address), revision: 2 }, never)
    const leave = proxy.keepUp()
    const killed = site.master()
    process.kill(killed, 'SIGKILL')
    const killedMs = performance.now()
    await expect
      .poll(() =>
        ask(port).then(
          ({ body }) => body.from,
          () => '',
        ),
      )
      .toBe('127.0.9.2')
    expect(performance.now() - killedMs).toBeLessThan(2_000)
    expect(site.master()).not.toBe(killed)
    await leave()
  })

  test('an agent that starts again goes on with the HAProxy that runs', async () => {
    const first = await target('127.0.10.1')
    const { port, fragment } = await served(first)
    const [master, reloads] = [site.master(), await site.reloads()]
    const load = clients(port)
    const again = site.open()
    const leave = again.keepUp()
    const next = await target('127.0.10.2', first.port)
    const put = await again.put({ ...fragment, release: add(next.address), revision: 2 }, never)
    expect(put).toEqual({ reloaded: false, targets: 1 })
    expect(await again.drained({ release: fragment.release!, seconds: 10, signal: never })).toMatchObject({ cut: 0 })
    await leave()
    expect((await load.stop()).lost).toEqual([])
    expect([site.master(), await site.reloads()]).toEqual([master, reloads])
    expect((await ask(port)).body.from).toBe('127.0.10.2')
  })
})
