/** How releases end on a real engine: after the proxy, with their last words, and with what they alone use. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { NO_PROXY } from '../../../src/agent/releases/proxy-switch.ts'
import type { DrainAsked } from '../../../src/agent/releases/proxy-switch.ts'
import { imageNameOf } from '../../../src/tasks/builds.ts'
import {
  errorOf,
  health,
  INSTALLATION,
  makeAppImage,
  releaseHost,
  releaseOf,
  service,
} from '../../support/agent/release-host.ts'
import type { Doing } from '../../support/agent/release-host.ts'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const directory = scratchOfFile()
const engine = noEngine === undefined ? await startEngine({ publishes: true }) : undefined
const image = engine ? await makeAppImage(engine, 'app') : ''
afterAll(() => engine?.stop())
afterEach(() => void (drained = NO_PROXY.drained))

let drained = NO_PROXY.drained
const proxy = { ...NO_PROXY, drained: (asked: DrainAsked) => drained(asked) }
const { perform } = releaseHost(engine?.socketPath ?? '/nowhere', { directory, proxy })
const containers = async (): Promise<any[]> => engine!.api('GET', '/containers/json?all=true')
const networks = async (): Promise<string[]> =>
  (await engine!.api('GET', '/networks'))
    .map(({ Name }: any) => Name)
    .filter((name: string) => name.startsWith('daybook-'))
const images = async (): Promise<string[]> =>
  (await engine!.api('GET', '/images/json')).flatMap(({ RepoTags }: any) => RepoTags ?? []).toSorted()
const named = async (name: string, of = image) => {
  const [repo = '', tag = ''] = name.split(':')
  await engine!.api('POST', `/images/${of}/tag?repo=${repo}&tag=${tag}`)
  return name
}

type Release = ReturnType<typeof releaseOf>
const shell = (script: string) => service(image, { command: ['sh', '-c', script], health: health({ kind: 'NONE' }) })
const start = (release: Release, doing: Doing = {}) => perform('release.start', release, doing)
const retire = ({ workload, deploymentId }: Release, more: object = {}, doing: Doing = {}) =>
  perform(
    'release.retire',
    { installation: INSTALLATION, workload, deploymentId, drainSeconds: 7, stopSeconds: 1, imageIds: [], ...more },
    doing,
  )
const remove = ({ workload }: Release, more: object = {}) =>
  perform('release.remove', {
    installation: INSTALLATION,
    workload,
    proxyRevision: null,
    stopSeconds: 0,
    deleteVolumes: false,
    imageIds: [],
    ...more,
  })

test.skipIf(noEngine)('a container gets its SIGTERM after the proxy has let go of it', async () => {
  const release = releaseOf([
    shell('trap "echo told to end; exit 0" TERM; echo begun >&2; while true; do sleep 0.1; done'),
  ])
  const [{ containerId }] = (await start(release)).containers
  const seen: unknown[] = []
  drained = async ({ release: of, seconds }) => {
    const { State } = await engine!.api('GET', `/containers/${containerId}/json`)
    const { Id } = await engine!.api('POST', `/containers/${containerId}/exec`, { Cmd: ['cat', '/none'] })
    seen.push([of, seconds, State.Status, Id.length])
    return { drainedMs: 1_234, cut: 2 }
  }
  const done = retire(release)
  expect(await done).toEqual({ drainedMs: 1_234, cut: 2, freedBytes: 0 })
  expect(seen).toEqual([[release.deploymentId, 7, 'running', 64]])
  expect(done.said.slice(-3)).toEqual(['The last of what app 1 has said:', 'ERR begun\n', 'OUT told to end\n'])
  expect([await containers(), await networks(), readdirSync(join(directory, 'networks'))]).toEqual([[], [], []])
  expect(await retire(release), 'again').toEqual({ drainedMs: 0, cut: 0, freedBytes: 0 })
})

test.skipIf(noEngine)('the last MiB of a log is told, without values of variables, and once', async () => {
  const script =
    'i=0; while [ $i -lt 40000 ]; do echo "line $i of a log that is long $TOKEN"; i=$((i+1)); done; sleep 60'
  const release = releaseOf([shell(script)])
  await start(release, { secrets: { env: [{ service: 'app', name: 'TOKEN', value: 'sesame open' }] } })
  const [{ Id }] = await containers()
  const hasAll = async () =>
    (await engine!.api('GET', `/containers/${Id}/logs?stdout=true&tail=1`)).includes('line 39999 ')
  await expect.poll(hasAll, { timeout: 20_000 }).toBe(true)
  const stop = new AbortController()
  const [made, first] = [new Map<string, string>(), releaseHost(engine!.socketPath, { directory })]
  // As an agent that is killed before it removes the container.
  const note = made.set.bind(made)
  made.set = (key, ref) => {
    stop.abort()
    return note(key, ref)
  }
  const cut = first.perform('release.retire', retirement(release), { made, signal: stop.signal })
  await errorOf(cut)
  const text = cut.said
    .filter((said) => said.startsWith('OUT '))
    .map((said) => said.slice(4))
    .join('')
  expect(text.endsWith('line 39999 of a log that is long ***\n')).toBe(true)
  expect(text).not.toContain('sesame')
  // Each line was 8 bytes longer before its value was taken out.
  expect(Math.abs(text.length + text.split('\n').length * 8 - 2 ** 20)).toBeLessThan(1_000)
  const again = retire(release, {}, { made: new Map(made) })
  await again
  expect(again.said.filter((said) => said.startsWith('OUT'))).toEqual([])
  expect(await containers()).toEqual([])
})
const retirement = ({ workload, deploymentId }: Release) => ({
  installation: INSTALLATION,
  workload,
  deploymentId,
  drainSeconds: 0,
  stopSeconds: 0,
  imageIds: [],
})

test.skipIf(noEngine)('another deployment, another application and the network of both stay', async () => {
  const release = releaseOf([service(image)])
  const next = { ...release, deploymentId: uuidv7() }
  const other = { ...release, workload: { kind: 'APPLICATION' as const, id: uuidv7() }, deploymentId: uuidv7() }
  for (const each of [release, next, other]) await start(each)
  const of = async () => (await containers()).map(({ Labels }): string => Labels['daybook.deployment']).toSorted()
  await retire(release)
  expect(await of()).toEqual([next.deploymentId, other.deploymentId].toSorted())
  await remove(next)
  expect(await of()).toEqual([other.deploymentId])
  expect(await networks()).toEqual([`daybook-${release.environmentId}`])
  await remove(other)
  expect(await networks()).toEqual([])
})

test.skipIf(noEngine)('images go that nothing else names or runs', async () => {
  const own = releaseOf([])
  const imageOf = (name: string) => makeAppImage(engine!, name, [`LABEL made=${name}`])
  const [used, shared, alone, gone] = [await imageOf('used'), await imageOf('shared'), await imageOf('alone'), 'a']
  const name = (of: Release, at: string) =>
    imageNameOf(of.workload, { deploymentId: of.deploymentId, service: at, mark: 'f00' })
  for (const [at, each] of [
    ['used', used],
    ['shared', shared],
    ['alone', alone],
  ] as const)
    await named(name(own, at), each)
  const other = releaseOf([service(used)])
  const kept = await named(name(other, 'shared'), shared)
  await engine!.api('DELETE', '/images/alone')
  await start(other)
  const imageIds = [used, shared, alone, `sha256:${gone.repeat(64)}`]
  const { freedBytes } = await retire(own, { imageIds })
  expect(freedBytes).toBeGreaterThan(1_000_000)
  const left = await images()
  expect(left).toEqual(expect.arrayContaining(['used:latest', name(own, 'used'), 'shared:latest', kept]))
  expect(left.filter((each) => each.includes(own.workload.id))).toEqual([name(own, 'used')])
  expect(await errorOf(engine!.api('GET', `/images/${alone}/json`))).not.toMatchObject({ code: 'done' })
  const fetched = [own, other].map(({ workload }) => join(directory, 'repositories', `application-${workload.id}`))
  for (const each of fetched) mkdirSync(each, { recursive: true })
  await remove(other)
  expect(fetched.map((each) => existsSync(each))).toEqual([true, false])
})

test.skipIf(noEngine)('the volumes of a workload are kept, or deleted with it', async () => {
  const volume = (nth: number) => ({ volume: `${nth}-${uuidv7()}`, mountPath: '/data' })
  const [first, second] = [volume(1), volume(2)]
  const release = releaseOf([service(image, { volumes: [first] })])
  const other = releaseOf([service(image, { volumes: [second] })])
  await start(release)
  await start(other)
  expect(await remove(release)).toEqual({ freedBytes: 0, keptVolumes: [first.volume] })
  expect(await remove(release, { deleteVolumes: true })).toEqual({ freedBytes: 0, keptVolumes: [] })
  const { Volumes } = await engine!.api('GET', '/volumes')
  expect(Volumes.map(({ Name }: any) => Name)).toEqual([second.volume])
  await remove(other, { deleteVolumes: true })
})
