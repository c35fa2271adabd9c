/** Links between two agents over real connections: who answers whom, and what is told of it. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { startMesh } from '../../../src/agent/mesh/mesh.ts'
import type { Mesh } from '../../../src/agent/mesh/mesh.ts'
import { answerTo, newCall } from '../../../src/agent/mesh/messages.ts'
import { roundTripTo } from '../../../src/agent/mesh/probe.ts'
import type { MeshPeer } from '../../../src/tasks/mesh.ts'
import { freePort } from '../../support/free-port.ts'

const newKey = () => randomBytes(32).toString('base64url')
const signal = AbortSignal.timeout(30_000)
const running: Mesh[] = []
afterEach(() => void vi.restoreAllMocks())
afterEach(async () => void (await Promise.all(running.splice(0).map((mesh) => mesh.close()))))

async function host() {
  const [serverId, port] = [uuidv7(), await freePort()]
  const mesh = startMesh(serverId)
  running.push(mesh)
  const peer = (key: string, more: Partial<MeshPeer> = {}): MeshPeer => ({
    serverId,
    address: '127.0.0.1',
    port,
    key,
    ...more,
  })
  const apply = (peers: readonly MeshPeer[], at: number | null = port) =>
    mesh.planner.apply({ port: at, peers }, signal)
  return { serverId, port, mesh, peer, apply }
}

const linksOf = (mesh: Mesh) =>
  vi.waitFor(() => expect(mesh.news().links).not.toHaveLength(0), { timeout: 10_000 }).then(mesh.news)
const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
      .on('connect', () => {
        socket.destroy()
        resolve(true)
      })
      .on('error', () => resolve(false))
  })

test('two peers measure each other, and a port that is set to null is closed', async () => {
  const [east, west, key] = [await host(), await host(), newKey()]
  expect(east.mesh.news()).toEqual({})
  expect(await west.apply([east.peer(key, { address: null })])).toEqual({})
  await east.apply([west.peer(key)])
  const ok = { to: west.serverId, state: 'OK', rttMs: expect.any(Number), ageMs: expect.any(Number) }
  expect(await linksOf(east.mesh)).toEqual({ links: [ok] })
  expect(west.mesh.news(), 'a peer without an address is not called').toEqual({})
  await east.apply([], null)
  expect([await isOpen(east.port), east.mesh.news()]).toEqual([false, { links: [] }])
})

test('a peer with another key, of another id, or that says something else is blocked', async () => {
  const [east, west, key] = [await host(), await host(), newKey()]
  const babbler = createServer((socket) => socket.on('error', () => {}).end('x'.repeat(200)))
  await new Promise<void>((resolve) => babbler.listen(0, resolve))
  const others = [
    west.peer(newKey()),
    west.peer(key, { serverId: uuidv7() }),
    west.peer(key, { serverId: uuidv7(), port: (babbler.address() as { port: number }).port }),
    west.peer(key, { serverId: uuidv7(), port: await freePort() }),
  ]
  await west.apply([east.peer(key)])
  await east.apply(others)
  const { links } = await linksOf(east.mesh)
  expect(links).toMatchObject(others.map(({ serverId: to }) => ({ to, state: 'BLOCKED', rttMs: null })))
  babbler.close()
})

test('who is no peer gets no byte, and a call does not answer itself', async () => {
  const [east, west, key] = [await host(), await host(), newKey()]
  await west.apply([east.peer(key)])
  const answerOf = (bytes: Buffer): Promise<number> =>
    new Promise((resolve) => {
      let got = 0
      const socket = connect({ host: '127.0.0.1', port: west.port })
        .on('data', ({ length }) => void (got += length))
        .on('error', () => {})
        .on('close', () => resolve(got))
      socket.write(bytes)
    })
  const ends = { from: east.serverId, to: west.serverId }
  expect(await answerOf(newCall(ends, key).call)).toBe(32)
  expect(await answerOf(newCall(ends, newKey()).call)).toBe(0)
  expect(await answerOf(newCall({ ...ends, to: uuidv7() }, key).call)).toBe(0)
  expect(await answerOf(newCall({ ...ends, from: uuidv7() }, key).call)).toBe(0)
  expect(await answerOf(randomBytes(65))).toBe(0)
  expect(await answerOf(randomBytes(100_000))).toBe(0)
  const { call, isAnswer } = newCall(ends, key)
  expect(isAnswer(call.subarray(-32))).toBe(false)
  expect(isAnswer(answerTo(call, west.serverId, new Map([[east.serverId, key]]))!)).toBe(true)
})

/** Connections that say nothing, from one address of this host, and those of them that ended, in that order. */
async function silent(port: number, from: string, number: number) {
  const all = Array.from({ length: number }, () => connect({ host: '127.0.0.1', port, localAddress: from }))
  const ended: Socket[] = []
  for (const each of all) each.on('error', () => {}).on('close', () => void ended.push(each))
  await Promise.all(all.map((each) => once(each, 'connect')))
  return { all, ended }
}

test('strangers who hold connections keep no peer out, and are let go soon', async () => {
  const [east, west, key] = [await host(), await host(), newKey()]
  await west.apply([east.peer(key)])
  const crowd: Awaited<ReturnType<typeof silent>>[] = []
  for (let nth = 2; nth < 12; nth += 1) crowd.push(await silent(west.port, `127.0.0.${nth}`, 32))
  const target = { ...west.peer(key), address: '127.0.0.1' }
  expect(await roundTripTo(target, east.serverId, signal)).toEqual(expect.any(Number))
  await vi.waitFor(() => expect(crowd.map(({ ended }) => ended.length)).toEqual(crowd.map(() => 32)), {
    timeout: 10_000,
  })

  const { all, ended } = await silent(west.port, '127.0.0.2', 33)
  await vi.waitFor(() => expect(ended).toHaveLength(33), { timeout: 10_000 })
  expect(all.indexOf(ended[0]!), 'one too many of an address ends at once').toBe(32)
})

test('with a taken port it measures others, tells of the port, and opens it once it is free', async () => {
  const [east, west, key] = [await host(), await host(), newKey()]
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(east.port, resolve))
  vi.spyOn(Math, 'random').mockReturnValue(0.05)
  await west.apply([east.peer(key, { address: null })])
  await east.apply([west.peer(key)])
  expect(await linksOf(east.mesh)).toMatchObject({ links: [{ state: 'OK' }], meshPortClosed: east.port })
  await new Promise<unknown>((resolve) => other.close(resolve))
  await vi.waitFor(() => expect(east.mesh.news()).not.toHaveProperty('meshPortClosed'), { timeout: 10_000 })
  expect(await isOpen(east.port)).toBe(true)
  expect(east.mesh.news()).toMatchObject({ links: [{ state: 'OK' }] })
})

test('a plan that names another port gives up the taken one', async () => {
  const [east, west, key] = [await host(), await host(), newKey()]
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(east.port, resolve))
  await east.apply([west.peer(key)])
  const port = await freePort()
  await east.apply([west.peer(key)], port)
  expect([east.mesh.news(), await isOpen(port)]).toEqual([
    expect.not.objectContaining({ meshPortClosed: expect.anything() }),
    true,
  ])
  await east.apply([west.peer(key)])
  await east.apply([], null)
  expect(east.mesh.news()).not.toHaveProperty('meshPortClosed')
  await new Promise<unknown>((resolve) => other.close(resolve))
})
