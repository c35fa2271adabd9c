/** Requests go on while the targets of the proxy, its configuration, the agent and HAProxy itself come and go. */
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Proxy } from '../../../src/agent/proxy/proxy.ts'
import { freePort } from '../../support/free-port.ts'
import { ask, clients, fragmentOf, never, noHaproxy, proxySite, releases, startTarget } from '../../support/haproxy.ts'

describe.skipIf(noHaproxy !== undefined)('the proxy of a host', async () => {
  const { add, targetsOf } = releases()
  const site = await proxySite(targetsOf)
  const proxy: Proxy = site.open()
  const [one, two] = [await startTarget('127.0.3.1'), await startTarget('127.0.3.2')]
  afterAll(async () => {
    await site.stop()
    await Promise.all([one.stop(), two.stop()])
  })

  test('no request is lost while targets switch twenty times, and HAProxy is not reloaded', async () => {
    const port = await freePort()
    const first = fragmentOf({
      release: add(one.address),
      port: one.port,
      listeners: [{ ip: null, port, mode: 'HTTP', backend: 'app' }],
    })
    console.log(await proxy.put(first, never), site.said)
    const reloads = await site.reloads()
    const load = clients(port)
    let [current, revision] = [{ ...first, target: one }, 1]
    for (let nth = 0; nth < 20; nth += 1) {
      const target = await startTarget(`127.0.4.${nth + 1}`, one.port)
      const release = add(target.address)
      const put = await proxy.put({ ...first, release, revision: (revision += 1) }, never)
      expect(put).toEqual({ reloaded: false, targets: 1 })
      const drained = await proxy.drained({ release: current.release!, seconds: 10, signal: never })
      expect(drained.cut).toBe(0)
      if (current.target !== one) await current.target.stop()
      current = { ...current, release, target }
    }
    const { lost, answered, from } = await load.stop()
    console.log(answered, from.size)
    expect(lost).toEqual([])
    expect(await site.reloads()).toBe(reloads)
  })
})
