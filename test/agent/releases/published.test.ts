/** Ports of UDP, which the engine itself leads to a container. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, afterEach, expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { errorOf, health, INSTALLATION, releaseHost, releaseOf, service } from '../../support/agent/release-host.ts'
import { answerUdp, makeUdpImage } from '../../support/agent/udp-image.ts'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const directory = scratchOfFile()
const engine = noEngine === undefined ? await startEngine({ publishes: true }) : undefined
const image = engine ? await makeUdpImage(engine, 'app') : ''
afterAll(() => engine?.stop())
const { perform } = releaseHost(engine?.socketPath ?? '/nowhere', { directory })

const HERE = '127.0.0.1'
const CONTAINER_PORT = 5_353
async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, HERE)
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  return port
}

/** It answers each datagram with its name. */
const answering = (name: string, port: number, more: object = {}) =>
  service(image, {
    command: answerUdp(CONTAINER_PORT, name),
    port: null,
    health: health({ kind: 'NONE' }),
    published: [{ ip: HERE, port, containerPort: CONTAINER_PORT, protocol: 'UDP' }],
    ...more,
  })

/** Sent until it is answered: a datagram may be lost. */
async function answerAt(port: number): Promise<string> {
  const socket = createSocket('udp4')
  const again = setInterval(() => socket.send('who', port, HERE), 100)
  try {
    const [answer] = (await once(socket, 'message', { signal: AbortSignal.timeout(5_000) })) as [Buffer]
    return answer.toString()
  } finally {
    clearInterval(again)
    socket.close()
  }
}

const begun: ReturnType<typeof releaseOf>[] = []
afterEach(async () => {
  for (const { workload } of begun.splice(0))
    await perform('release.remove', {
      installation: INSTALLATION,
      workload,
      proxyRevision: null,
      stopSeconds: 0,
      deleteVolumes: true,
      imageIds: [],
    })
  if (engine) expect(await engine.api('GET', '/containers/json?all=true')).toEqual([])
})
const release = (...services: object[]) => {
  const made = releaseOf(services)
  begun.push(made)
  return made
}

test.skipIf(noEngine)('datagrams reach the release that has the port, and the one that replaces it', async () => {
  const port = await freeUdpPort()
  const first = release(answering('first', port))
  await perform('release.start', first)
  expect(await answerAt(port)).toBe('first')
  const fragment = {
    installation: INSTALLATION,
    owner: first.workload,
    revision: 1,
    hosts: [],
    listeners: [],
    backends: [],
  }
  const next = { ...first, services: [answering('next', port)], deploymentId: uuidv7() }
  await perform('release.replace', { ...next, replaces: first.deploymentId, drainSeconds: 0, fragment })
  expect(await answerAt(port)).toBe('next')
})

test.skipIf(noEngine)('the first replica has the port, and nothing else of the host leads to a container', async () => {
  const port = await freeUdpPort()
  const published = [{ ip: HERE, port, containerPort: CONTAINER_PORT, protocol: 'UDP' as const }]
  const both = release(
    answering('one', port, { replicas: 2, published: [...published, { ...published[0]!, port: await freeUdpPort() }] }),
  )
  const { containers } = await perform('release.start', both)
  const bindings = async (nth: number) =>
    (await engine!.api('GET', `/containers/${containers[nth].containerId}/json`)).HostConfig.PortBindings
  expect(await bindings(0)).toEqual({
    [`${CONTAINER_PORT}/udp`]: [
      { HostIp: HERE, HostPort: String(port) },
      { HostIp: HERE, HostPort: expect.any(String) },
    ],
  })
  expect(await bindings(1)).toEqual({})
})

test.skipIf(noEngine)('a port that is taken, and one of another host, are told', async () => {
  const port = await freeUdpPort()
  await perform('release.start', release(answering('first', port)))
  const second = release(answering('second', port))
  expect(await errorOf(perform('release.start', second))).toMatchObject({ code: 'PORT_IN_USE' })
  expect(await answerAt(port)).toBe('first')
  const program = createSocket('udp4').bind(0, HERE)
  await once(program, 'listening')
  const foreign = release(answering('third', program.address().port))
  expect(await errorOf(perform('release.start', foreign))).toMatchObject({ code: 'PORT_IN_USE' })
  program.close()
  const published = [{ ip: '192.0.2.77', port, containerPort: CONTAINER_PORT, protocol: 'UDP' as const }]
  const elsewhere = release(answering('fourth', port, { published }))
  expect(await errorOf(perform('release.start', elsewhere))).toMatchObject({ code: 'NOT_AN_ADDRESS_HERE' })
})
