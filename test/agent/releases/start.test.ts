/** Releases on a real engine: what is started, what is refused, and that nothing is left of what fails. */
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { untilHealthy } from '../../../src/agent/releases/health.ts'
import {
  answers,
  errorOf,
  health,
  HTTP,
  INSTALLATION,
  makeAppImage,
  releaseHost,
  releaseOf,
  SERVE,
} from '../../support/agent/release-host.ts'
import { service as serviceOf } from '../../support/agent/release-host.ts'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import { freePort } from '../../support/free-port.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const directory = scratchOfFile()
const engine = noEngine === undefined ? await startEngine({ publishes: true }) : undefined
const image = engine ? await makeAppImage(engine, 'app', ['HEALTHCHECK --interval=1s CMD cat /data/healthy']) : ''
afterAll(() => engine?.stop())
const { perform } = releaseHost(engine?.socketPath ?? '/nowhere', { directory })
const service = (more: Parameters<typeof serviceOf>[1] = {}) => serviceOf(image, more)
const start = (services: readonly object[], more: object = {}, doing: Parameters<typeof perform>[2] = {}) =>
  perform('release.start', releaseOf(services, more), doing)

const containers = async (): Promise<any[]> => engine!.api('GET', '/containers/json?all=true')
const networks = async (): Promise<any[]> =>
  (await engine!.api('GET', '/networks')).filter(({ Name }: any) => Name.startsWith('daybook-'))
const pages = (): string[] => readdirSync(join(directory, 'networks'))
const removeAll = (release: ReturnType<typeof releaseOf>, more: object = {}) =>
  perform('release.remove', {
    installation: INSTALLATION,
    workload: release.workload,
    proxyRevision: null,
    stopSeconds: 0,
    deleteVolumes: true,
    imageIds: [],
    ...more,
  })

const started: ReturnType<typeof releaseOf>[] = []
const begin = async (release: ReturnType<typeof releaseOf>, doing: Parameters<typeof perform>[2] = {}) => {
  started.push(release)
  return (await perform('release.start', release, doing)).containers
}
afterEach(async () => {
  for (const release of started.splice(0)) await removeAll(release)
  if (!engine) return
  expect(await containers(), 'nothing is left').toEqual([])
  expect(await networks()).toEqual([])
  expect(pages()).toEqual([])
})

test.skipIf(noEngine)('containers run with their address, variables, limits, labels and nothing else', async () => {
  const volume = `${uuidv7()}-data-1`
  const web = service({ name: 'web', replicas: 2, aliases: ['shop'], cpuMillis: 900_000, memoryMiB: 64 })
  const release = releaseOf([{ ...web, volumes: [{ volume, mountPath: '/data' }] }])
  const secrets = { env: [{ service: 'web', name: 'TOKEN', value: 'the = secret' }] }
  const [first, second] = await begin(release, { secrets })
  expect([first, second]).toMatchObject([
    { service: 'web', replica: 1, healthyMs: expect.any(Number) },
    { service: 'web', replica: 2 },
  ])
  expect((await fetch(`http://${second.address}:${HTTP}/`)).status).toBe(200)
  const seen = await engine!.api('GET', `/containers/${second.containerId}/json`)
  expect(seen.Config.Labels).toEqual({
    'daybook.installation': INSTALLATION,
    'daybook.task': expect.any(String),
    'daybook.workload': `APPLICATION/${release.workload.id}`,
    'daybook.project': release.projectId,
    'daybook.environment': release.environmentId,
    'daybook.deployment': release.deploymentId,
    'daybook.service': 'web',
    'daybook.replica': '2',
  })
  expect(seen.Name).toBe(`/daybook-${release.deploymentId}-web-2`)
  expect(seen.Config.Env).toContain('TOKEN=the = secret')
  expect([seen.Path, ...seen.Args]).toEqual(SERVE)
  expect(seen.HostConfig).toMatchObject({
    Memory: 64 * 2 ** 20,
    NanoCpus: availableParallelism() * 1e9,
    PidsLimit: 512,
    Privileged: false,
    Binds: null,
    PortBindings: {},
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges'],
    RestartPolicy: { Name: 'always' },
    LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } },
  })
  const status = await inside(second.containerId, ['cat', '/proc/1/status'])
  expect(status).toMatch(/NoNewPrivs:\s1/)
  expect(status, 'the seven capabilities').toMatch(/CapBnd:\s00000000000004eb\n/)
  const [network] = await networks()
  expect(network.Labels).toEqual({
    'daybook.installation': INSTALLATION,
    'daybook.project': release.projectId,
    'daybook.environment': release.environmentId,
  })
  expect(network.IPAM.Config[0].Subnet).toMatch(/^10\.(?:19[2-9]|20[0-7])\.\d+\.0\/24$/)
  expect(first.address.startsWith(network.IPAM.Config[0].Subnet.replace('0/24', ''))).toBe(true)
  expect((await engine!.api('GET', `/volumes/${volume}`)).Labels['daybook.workload']).toBe(
    `APPLICATION/${release.workload.id}`,
  )
  expect(await inside(first.containerId, ['wget', '-qO-', `http://shop:${HTTP}/`]), 'by its alias').toBe('it works\n')
})

/** @returns what it says */
async function inside(id: string, Cmd: readonly string[]): Promise<string> {
  const { Id } = await engine!.api('POST', `/containers/${id}/exec`, { Cmd, AttachStdout: true, Tty: true })
  return (await engine!.api('POST', `/exec/${Id}/start`, { Tty: true })).replaceAll('\r', '')
}

test.skipIf(noEngine)('a service starts when those that it depends on are healthy', async () => {
  const base = service({ name: 'base', command: ['sh', '-c', `sleep 1; exec ${SERVE.join(' ')}`] })
  const web = service({
    name: 'web',
    dependsOn: ['base'],
    command: ['sh', '-c', `wget -qO- http://base:${HTTP} && ${SERVE.join(' ')}`],
  })
  const release = releaseOf([web, { ...base, aliases: ['base'] }])
  const said: string[] = []
  const all = await begin(release, { onSay: (text) => said.push(text) })
  expect(all.map((each: any) => each.service)).toEqual(['web', 'base'])
  expect(said.map((text) => text.replace(/ (?:at|after) .*/, ''))).toEqual([
    'base 1 is started',
    'base 1 is healthy',
    'web 1 is started',
    'web 1 is healthy',
  ])
})

const shell = (script: string, more: Parameters<typeof serviceOf>[1] = {}) =>
  service({ command: ['sh', '-c', script], ...more })
const idle = (more: Partial<Health>) => shell('exec sleep 60', { health: health({ startSeconds: 2, ...more }) })
const web = (more: Partial<Health>) => service({ health: health(more) })
type Health = ReturnType<typeof health>

const FAILING: readonly (readonly [
  what: string,
  code: string | RegExp,
  message: RegExp,
  failing: ReturnType<typeof service>,
])[] = [
  ['exits', 'EXITED', /^app 1 ended with exit code 3$/, shell('echo the last word; sleep 1; exit 3')],
  ['ends at once', 'EXITED', /code 0/, shell('exit 0', { health: health({ kind: 'NONE' }) })],
  ['has no such command', 'EXITED', /code 127.*cannot run/, service({ command: ['/none'] })],
  // The engine misses the end of some.
  [
    'needs too much memory',
    /^(?:OOM|EXITED)$/,
    /memory/,
    shell('dd if=/dev/zero of=/dev/null bs=200M', { memoryMiB: 16 }),
  ],
  ['does not listen', 'PORT_CLOSED', /port 8080/, idle({})],
  ['does not listen by TCP', 'PORT_CLOSED', /port 8080/, idle({ kind: 'TCP' })],
  ['answers 503', 'UNHEALTHY', /answers 503 to GET/, web({ startSeconds: 2, path: answers(503) })],
  ['is silent', 'UNHEALTHY', /does not answer GET .* in time/, web({ startSeconds: 2, path: answers(0) })],
  ['fails its check', 'UNHEALTHY', /code 1/, idle({ kind: 'COMMAND', command: ['cat', '/none'] })],
  [
    'lets its check run',
    'UNHEALTHY',
    /out of time/,
    idle({ kind: 'COMMAND', timeoutSeconds: 1, command: ['sleep', '47'] }),
  ],
  ['fails the check of its image', 'UNHEALTHY', /check of its image/, idle({ kind: 'IMAGE' })],
]

test.skipIf(noEngine)('nothing is left of a release that gets not healthy, and its end is told', async () => {
  const good = service({ name: 'good' })
  const all = FAILING.map(([, , , failing], nth) => start(nth === 0 ? [good, failing] : [failing]))
  const errors = await Promise.all(all.map(errorOf))
  for (const [nth, [what, code, message]] of FAILING.entries())
    expect(errors[nth], what).toEqual({ code: expect.stringMatching(code), message: expect.stringMatching(message) })
  expect(all[0]!.said.slice(-2)).toEqual(['The last lines of app 1:', 'OUT the last word\n'])
})

test.skipIf(noEngine)('a container is healthy by the check of its service', async () => {
  const kinds = [
    web({ path: answers(302) }),
    web({ path: answers(404) }),
    web({ kind: 'TCP' }),
    web({ kind: 'COMMAND', command: ['cat', '/www/index.html'], successes: 2 }),
    shell('echo > /data/healthy; exec sleep 60', { health: health({ kind: 'IMAGE' }) }),
    idle({ kind: 'NONE' }),
  ]
  const all = await Promise.all(kinds.map((good) => begin(releaseOf([good]))))
  expect(all.map(({ length }) => length)).toEqual(kinds.map(() => 1))
  expect(all[3][0].healthyMs, 'two successes').toBeGreaterThan(1_000)
})

test.skipIf(noEngine)('what the host lacks is named before anything is made', async () => {
  const gone = service({ imageId: `sha256:${'0'.repeat(64)}` })
  expect(await errorOf(start([gone]))).toMatchObject({ code: 'IMAGE_GONE' })
  expect(await errorOf(start([service()], { outboundIp: '192.0.2.77' }))).toMatchObject({ code: 'NO_ADDRESS' })
  await engine!.api('POST', '/volumes/create', { Name: 'of-another', Labels: { 'daybook.installation': 'another' } })
  const taking = service({ volumes: [{ volume: 'of-another', mountPath: '/data' }] })
  expect(await errorOf(start([taking]))).toMatchObject({ code: 'VOLUME_TAKEN' })
})

test.skipIf(noEngine)('connections leave from the address that is asked for', async () => {
  const [network] = (await engine!.api('GET', '/networks')).filter(({ Name }: any) => Name === 'bridge')
  const outboundIp = network.IPAM.Config[0].Gateway
  const release = releaseOf([service()], { outboundIp })
  await begin(release)
  const [made] = await networks()
  expect(made.Name).toBe(`daybook-${release.environmentId}-${outboundIp}`)
  expect(made.Options).toEqual({ 'com.docker.network.host_ipv4': outboundIp })
})

test.skipIf(noEngine)('a task that is cancelled leaves nothing', async () => {
  const stop = new AbortController()
  const slow = shell('exec sleep 60', { name: 'slow', replicas: 2 })
  const done = start(
    [service(), slow],
    {},
    { signal: stop.signal, onSay: (text) => text.startsWith('app 1 is healthy') && stop.abort() },
  )
  expect((await errorOf(done)).message).toMatch(/abort/)
  expect(await containers()).toEqual([])
  expect((await errorOf(start([service()], {}, { signal: AbortSignal.abort() }))).message, 'before').toMatch(/abort/)
})

test('a container that comes up late is found soon after, by looks that become rarer', async () => {
  const UP_MS = 400
  const State = { Status: 'running', Running: true, OOMKilled: false, ExitCode: 0, StartedAt: '' }
  const seen = {
    Id: 'a',
    Name: '/a',
    Image: 'b',
    Config: {},
    State,
    RestartCount: 0,
    NetworkSettings: { Networks: {} },
  }
  const found = async () => {
    const [port, begunMs] = [await freePort(), performance.now()]
    const server = createServer()
    setTimeout(() => server.listen(port, '127.0.0.1'), UP_MS)
    let looks = 0
    const ask = async () => ({ status: 200, body: (looks += 1) && seen })
    const check = health({ kind: 'TCP', intervalSeconds: 5, startSeconds: 60 })
    const waited = { id: 'a', of: 'web 1', address: '127.0.0.1', service: { port, health: check } as never }
    await untilHealthy(ask, waited, AbortSignal.timeout(20_000))
    server.close()
    return { lateMs: performance.now() - begunMs - UP_MS, looks }
  }
  // A busy machine makes some late, and looks that are too rare make all late.
  let late = Infinity
  for (let tries = 0; late >= 150 && tries < 20; tries += 1) {
    const { lateMs, looks } = await found()
    expect(looks).toBeLessThan(30)
    late = lateMs
  }
  expect(late).toBeLessThan(150)
})
