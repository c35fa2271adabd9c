/** Requests go on while the targets of the proxy, its configuration, the agent and HAProxy itself come and go. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { ask, clients, fragmentOf, never, noHaproxy, proxySite } from '../../support/haproxy.ts'

describe.skipIf(noHaproxy !== undefined)('the proxy of a host', async () => {
  const site = await proxySite()
  afterAll(site.stop)
  const { proxy, add, target, served } = site

  test('no request is lost while targets switch twenty times, and HAProxy is not reloaded', async () => {
    const first = await target('127.0.3.1')
    const { port, fragment, put } = await served(first)
    expect(put).toEqual({ reloaded: true, targets: 1 })
    const [reloads, checks] = [await site.reloads(), site.checks()]
    const load = clients(port)
    let [release, current, revision] = [fragment.release!, first, 1]
    for (let nth = 0; nth < 20; nth += 1) {
      const next = await target(`127.0.4.${nth + 1}`, first.port)
      const former = release
      release = add(next.address)
      const switched = await proxy.put({ ...fragment, release, revision: (revision += 1) }, never)
      expect(switched).toEqual({ reloaded: false, targets: 1 })
      expect(await proxy.drained({ release: former, seconds: 10, signal: never })).toMatchObject({ cut: 0 })
      await current.stop()
      current = next
    }
    const { lost, from } = await load.stop()
    expect(lost).toEqual([])
    expect(from.size).toBe(21)
    expect(await site.reloads()).toBe(reloads)
    expect(site.checks(), 'only targets have changed').toBe(checks)
  })

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

  test('a target that answers is checked rarely, and one that fails is soon left by requests', async () => {
    const first = await target('127.0.11.1')
    const { port } = await served(first)
    expect((await ask(port)).status).toBe(200)
    const before = first.connections()
    await pause(3_000)
    expect(first.connections() - before, 'of checks').toBeLessThan(2)
    await first.stop()
    const failedMs = performance.now()
    expect((await ask(port)).status).toBe(503)
    expect(performance.now() - failedMs).toBeLessThan(6_000)
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
    expect(performance.now() - killedMs).toBeLessThan(5_000)
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

  test('traffic goes on when the agent is killed', async () => {
    const alone = await proxySite()
    onTestFinished(alone.stop)
    const first = await alone.target('127.0.15.1')
    const port = await freePort()
    const listeners = [{ ip: null, port, mode: 'HTTP' as const, backend: 'app' }]
    const fragment = fragmentOf({ release: randomUUID(), port: first.port, listeners })
    const args = [alone.directory, String(alone.httpPort), JSON.stringify(fragment), first.address]
    const agent = spawn(process.execPath, ['test/support/agent/proxy-process.ts', ...args], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(agent.stdout, 'data')
    const load = clients(port)
    // Its whole process group, as a supervisor does.
    process.kill(-agent.pid!, 'SIGKILL')
    await once(agent, 'exit')
    await expect.poll(() => load.tally.answered).toBeGreaterThan(100)
    expect((await load.stop()).lost).toEqual([])
  })
})
