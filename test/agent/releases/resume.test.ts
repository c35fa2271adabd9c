/** Releases whose agent or engine was killed: what was made is taken over or removed, and addresses stay. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import {
  errorOf,
  health,
  HTTP,
  INSTALLATION,
  makeAppImage,
  releaseHost,
  releaseOf,
  service,
} from '../../support/agent/release-host.ts'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const directory = scratchOfFile()
const engine = noEngine === undefined ? await startEngine({ publishes: true }) : undefined
const image = engine ? await makeAppImage(engine, 'app') : ''
afterAll(() => engine?.stop())
const socketPath = engine?.socketPath ?? '/nowhere'
const { perform } = releaseHost(socketPath, { directory })
const containers = async (): Promise<any[]> => engine!.api('GET', '/containers/json?all=true')
const remove = ({ workload }: ReturnType<typeof releaseOf>) =>
  perform('release.remove', {
    installation: INSTALLATION,
    workload,
    proxyRevision: null,
    stopSeconds: 0,
    deleteVolumes: true,
    imageIds: [],
  })

const KILLED_START = fileURLToPath(new URL('../../support/agent/killed-start.ts', import.meta.url))
async function killedAfter(call: string, release: object): Promise<void> {
  const child = spawn(process.execPath, [KILLED_START, socketPath, directory, JSON.stringify(release), call], {
    stdio: 'inherit',
  })
  expect((await once(child, 'exit'))[1], call).toBe('SIGKILL')
}

test.skipIf(noEngine).each([
  ['the network is made', 'POST /networks/create', false],
  ['a container is made', 'POST /containers/create', false],
  ['a container is started', 'POST /containers/[^/]+/start', true],
  ['all are healthy', 'POST /containers/[^/]+/update', true],
])('an agent that is killed when %s goes on with one set of containers', async (_what, call, isKept) => {
  const release = releaseOf([service(image)])
  await killedAfter(call, release)
  const before = await containers()
  const done = perform('release.start', release)
  const [{ containerId, address }] = (await done).containers
  expect((await containers()).map(({ Id, State }) => [Id, State])).toEqual([[containerId, 'running']])
  expect(before.some(({ Id }) => Id === containerId)).toBe(isKept)
  expect(done.said[0]).toBe(`app 1 ${isKept ? 'runs already' : 'is started'} at ${address}`)
  expect((await perform('release.start', release)).containers, 'again').toMatchObject([{ containerId, address }])
  await remove(release)
})

test.skipIf(noEngine)('a cancel that comes after a kill removes what was made', async () => {
  const release = releaseOf([service(image)])
  await killedAfter('POST /containers/[^/]+/start', release)
  expect(await containers()).toHaveLength(1)
  await errorOf(perform('release.start', release, { signal: AbortSignal.abort() }))
  expect(await containers()).toEqual([])
})

test.skipIf(noEngine)('what runs with other variables is not taken over', async () => {
  const release = releaseOf([service(image)])
  const env = (value: string) => ({ secrets: { env: [{ service: 'app', name: 'TOKEN', value }] } })
  const [before] = (await perform('release.start', release, env('one'))).containers
  const [after] = (await perform('release.start', release, env('two'))).containers
  expect(after.containerId).not.toBe(before.containerId)
  expect(after.address).toBe(before.address)
  const [seen] = await containers()
  expect((await engine!.api('GET', `/containers/${seen.Id}/json`)).Config.Env).toContain('TOKEN=two')
  await remove(release)
})

test.skipIf(noEngine)('after a restart of the engine, containers come back at their addresses', async () => {
  const stack = ['c', 'b', 'a'].map((name) => service(image, { name, aliases: [name], replicas: 2 }))
  const release = releaseOf(stack)
  const { containers: all } = await perform('release.start', release)
  await engine!.kill()
  await engine!.start()
  const addresses = async () =>
    Object.fromEntries(
      (await containers()).map(({ Id, State, NetworkSettings: { Networks } }) => [
        Id,
        [State, Object.values<any>(Networks)[0].IPAddress],
      ]),
    )
  await expect
    .poll(addresses, { timeout: 20_000 })
    .toEqual(Object.fromEntries(all.map((each: any) => [each.containerId, ['running', each.address]])))
  for (const { address } of all)
    await expect
      .poll(() =>
        fetch(`http://${address}:${HTTP}/`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200)
  const next = await perform('release.start', { ...release, deploymentId: uuidv7() })
  const taken = new Set(all.map(({ address }: any) => address))
  expect(
    next.containers.some(({ address }: any) => taken.has(address)),
    'addresses of others',
  ).toBe(false)
  await remove(release)
})

test.skipIf(noEngine)('files that are lost or damaged lead to no address twice', async () => {
  const release = releaseOf([service(image, { replicas: 2 })])
  const { containers: all } = await perform('release.start', release)
  const [page] = readdirSync(join(directory, 'networks'))
  writeFileSync(join(directory, 'networks', page!), '{"network"')
  const next = await perform('release.start', { ...release, deploymentId: uuidv7() })
  const addresses = [...all, ...next.containers].map(({ address }: any) => address)
  expect(new Set(addresses).size).toBe(4)
  await remove(release)
})

test.skipIf(noEngine)('a block that the host or the engine uses is never picked', async () => {
  const [bridge] = (await engine!.api('GET', '/networks')).filter(({ Name }: any) => Name === 'bridge')
  const [a, b, c] = bridge.IPAM.Config[0].Subnet.split('.').map(Number)
  const policyPath = join(directory, 'policy.json')
  const range = (text: string) => writeFileSync(policyPath, JSON.stringify({ networkRange: text }))
  const narrow = releaseHost(socketPath, { directory, policyPath })
  range(`${a}.${b}.${c - (c % 2)}.0/23`)
  const release = releaseOf([service(image)])
  const [{ address }] = (await narrow.perform('release.start', release)).containers
  expect(address.split('.').slice(0, 3).map(Number)).toEqual([a, b, c % 2 === 0 ? c + 1 : c - 1])
  const other = releaseOf([service(image, { health: health({ kind: 'NONE' }) })])
  expect(await errorOf(narrow.perform('release.start', other))).toMatchObject({ code: 'NO_ADDRESS' })
  range('10.0.0.0/33')
  expect(await errorOf(narrow.perform('release.start', other))).toMatchObject({ code: 'NO_ADDRESS' })
  await remove(release)
})
