/** What is built and started for each source of an application, and the policy that all ways to it obey. */
import { describe, expect, test } from 'vitest'
import { Rejection } from '#kernel/lib/rejection'
import { NO_ADDRESS } from '#panel/applications/addresses/rules'
import { toKept } from '#panel/applications/command-rules'
import { applications } from '#panel/applications/decider'
import type { Application } from '#panel/applications/decider'
import { applicationEvents } from '#panel/applications/events'
import { placeOf } from '#panel/applications/place'
import type { Place } from '#panel/applications/place'
import { mustBeAllowed } from '#panel/applications/policy'
import { NO_PREVIEWS } from '#panel/applications/previews/events'
import { releasePlanOf } from '#panel/applications/release-plan'
import type { PlanInput } from '#panel/applications/release-plan'
import { isRepositoryUrl, repositoryAt } from '#panel/applications/repository-url'
import { withTag } from '#panel/deployments/plan'
import { given } from '#test/support/decider-spec'

const idOf = (nth: number) => `01890000-0000-7000-8000-${String(nth).padStart(12, '0')}`
const about = { applicationId: idOf(1), projectId: idOf(2), environmentId: idOf(3) }
const health = {
  kind: 'HTTP',
  path: '/',
  command: null,
  intervalSeconds: 2,
  timeoutSeconds: 5,
  startSeconds: 60,
  successes: 1,
} as const
const git: Extract<Application['source'], { kind: 'GIT' }> = {
  kind: 'GIT',
  providerId: null,
  url: 'https://forge.example/ada/shop.git',
  branch: 'main',
  directory: 'web',
  build: 'AUTO',
  path: null,
  watchPaths: [],
  service: null,
}
const values = {
  name: 'Shop',
  source: { kind: 'IMAGE', image: 'shop:1', registryId: null },
  port: 8_080,
  command: null,
  replicas: 2,
  memoryMiB: 512,
  cpuMillis: 1_000,
  healthCheck: health,
  drainSeconds: 30,
  stopSeconds: 10,
  keepImages: 5,
  volumes: [],
  rollover: 'AUTO',
  buildTimeoutSeconds: 1_800,
} as const
const application = (more: Partial<Application> = {}): Place =>
  placeOf({
    ...values,
    ...NO_ADDRESS,
    ...about,
    id: idOf(1),
    serverId: idOf(4),
    slug: 'shop',
    commands: [],
    dataCopy: null,
    autoDeploy: false,
    files: { compose: null, dockerfile: null },
    previews: NO_PREVIEWS,
    createdAt: '2026-01-01T00:00:00.000Z',
    source: { ...values.source },
    volumes: [],
    ...more,
  })
const plan = (more: Partial<Application>, input: PlanInput = {}) =>
  releasePlanOf(application(more), input, { baseImages: '' })
const files = (texts: Readonly<Record<string, string>>) => ({
  facts: { entries: Object.keys(texts), files: Object.entries(texts).map(([path, text]) => ({ path, text })) },
})
function codeOf(act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    return error.code
  }
}

describe('an application of one image', () => {
  const volumes = [{ name: 'data', mountPath: '/data', shared: false }]

  test('is started as it is configured, and builds nothing', () => {
    expect(plan({ volumes })).toEqual({
      builds: [],
      services: [
        {
          name: 'app',
          image: 'shop:1',
          buildOf: null,
          command: null,
          environment: [],
          isHttp: true,
          port: 8_080,
          replicas: 2,
          memoryMiB: 512,
          cpuMillis: 1_000,
          volumes: [{ volume: `${idOf(1)}-data-1`, mountPath: '/data' }],
          health,
          stopSeconds: 10,
          dependsOn: [],
          aliases: ['shop'],
        },
      ],
      rollover: 'STOP_FIRST',
    })
  })

  test('stops first for a volume that is not shared, or when that is asked', () => {
    expect(plan({}).rollover).toBe('START_FIRST')
    expect(plan({ volumes: [{ ...volumes[0]!, shared: true }] }).rollover).toBe('START_FIRST')
    expect(plan({ rollover: 'STOP_FIRST' }).rollover).toBe('STOP_FIRST')
  })

  test('runs an image that is there instead of building one again', () => {
    const imageId = `sha256:${'a'.repeat(64)}`
    const services = [{ image: imageId, buildOf: null }]
    expect(plan({ source: git }, { imageId })).toMatchObject({ builds: [], services })
  })

  test('runs no image that its application names by an id, however it came to be so', () => {
    const image = `sha256:${'a'.repeat(64)}`
    const byId = { kind: 'IMAGE', image, registryId: null } as const
    const withHex = { image: withTag('sha256', 'a'.repeat(64)) }
    for (const refused of [() => plan({ source: byId }), () => plan({}, withHex), () => plan({}, { image })])
      expect(refused).toThrow(expect.objectContaining({ code: 'IMAGE_REFUSED' }))
  })
})

describe('an application from git', () => {
  const one = { service: 'app', context: 'FETCHED', directory: 'web', target: null, args: [] }

  test('is built by the Dockerfile of its directory', () => {
    const built = {
      builds: [{ ...one, dockerfile: 'Dockerfile', dockerfileText: null }],
      services: [{ buildOf: 'app', image: null }],
    }
    expect(plan({ source: git }, files({ Dockerfile: 'FROM x' }))).toMatchObject(built)
    const named = plan({ source: { ...git, build: 'DOCKERFILE', path: 'deploy/Dockerfile' } }, files({}))
    expect(named.builds).toEqual([{ ...one, dockerfile: 'deploy/Dockerfile', dockerfileText: null }])
  })

  test('without one is built by what is found there, and served at its port', () => {
    const { builds } = plan({ source: git }, files({ 'package.json': '{"scripts":{"start":"node a.js"}}' }))
    expect(builds).toEqual([{ ...one, dockerfile: null, dockerfileText: expect.stringContaining('ENV PORT=8080\n') }])
    expect(codeOf(() => plan({ source: git }, files({ 'notes.txt': '' })))).toBe('NOT_DETECTED')
  })

  test('is built by the Dockerfile that is written here, if there is one', () => {
    const kept = { compose: null, dockerfile: 'FROM mine' }
    const { builds } = plan({ source: git, files: kept }, files({ Dockerfile: 'FROM x' }))
    expect(builds).toEqual([{ ...one, dockerfile: null, dockerfileText: 'FROM mine' }])
  })

  test('of files alone is served by a small server', () => {
    const source = { ...git, build: 'STATIC' } as const
    const facts = files({ 'index.html': '', Dockerfile: 'FROM x', 'package.json': '{}' })
    const { builds } = releasePlanOf(application({ source }), facts, { baseImages: 'static=box:1' })
    expect(builds[0]!.dockerfileText).toContain('FROM box:1\nCOPY . /srv\n')
    expect(codeOf(() => plan({ source }, files({ 'package.json': '{}' })))).toBe('NOT_DETECTED')
  })
})

test('an application of a Dockerfile is built without files, once it is written', () => {
  const source = { kind: 'DOCKERFILE' } as const
  expect(codeOf(() => plan({ source }))).toBe('NOTHING_TO_DEPLOY')
  const { builds } = plan({ source, files: { compose: null, dockerfile: 'FROM mine' } })
  expect(builds).toMatchObject([{ context: 'EMPTY', directory: '', dockerfile: null, dockerfileText: 'FROM mine' }])
})

describe('an application of a Compose file', () => {
  const text = `services:
  web: {build: {context: api, target: run, args: {A: "1"}}, ports: ["80"], depends_on: [db], environment: {MODE: live}}
  db: {image: "postgres:18", mem_limit: 300m, volumes: ["data:/data"], stop_grace_period: 1m}
volumes: {data: }`
  const source = { ...git, build: 'COMPOSE', service: 'web' } as const

  test('is built and started service by service, within what it reserves', () => {
    const { builds, services, rollover } = plan({ source }, files({ 'compose.yaml': text }))
    expect(builds).toEqual([
      {
        service: 'web',
        context: 'FETCHED',
        directory: 'web/api',
        dockerfile: 'Dockerfile',
        dockerfileText: null,
        target: 'run',
        args: [{ name: 'A', value: '1' }],
      },
    ])
    expect(services).toMatchObject([
      {
        name: 'web',
        buildOf: 'web',
        image: null,
        isHttp: true,
        port: 8_080,
        replicas: 2,
        health,
        aliases: ['web', 'shop'],
        memoryMiB: 362,
      },
      {
        name: 'db',
        buildOf: null,
        image: 'postgres:18',
        isHttp: false,
        port: null,
        replicas: 1,
        memoryMiB: 300,
        health: { kind: 'NONE' },
      },
    ])
    expect(services.map(({ replicas, cpuMillis }) => replicas * cpuMillis)).toEqual([1_332, 666])
    expect(services[0]).toMatchObject({
      environment: [{ name: 'MODE', value: 'live' }],
      dependsOn: ['db'],
      stopSeconds: 10,
    })
    expect(services[1]).toMatchObject({
      volumes: [{ volume: `${idOf(1)}-data-1`, mountPath: '/data' }],
      stopSeconds: 60,
    })
    expect(rollover).toBe('STOP_FIRST')
  })

  test('takes the text that is given, then the one written here, then that of the repository', () => {
    const imageOf = (name: string) => `services: {web: {image: ${name}}}`
    const inRepository = files({ 'docker-compose.yml': imageOf('repository') })
    const kept = { compose: imageOf('kept'), dockerfile: null }
    const first = (more: Partial<Application>, input: PlanInput) => plan({ source, ...more }, input).services[0]!.image
    expect(first({}, inRepository)).toBe('repository')
    expect(first({ files: kept }, inRepository)).toBe('kept')
    expect(first({ files: kept }, { ...inRepository, composeText: imageOf('given') })).toBe('given')
    expect(codeOf(() => plan({ source }, files({})))).toBe('NO_COMPOSE_FILE')
    expect(codeOf(() => plan({ source: { ...source, path: 'other.yaml' } }, inRepository))).toBe('NO_COMPOSE_FILE')
  })

  const stored =
    (compose: string, more: Partial<Application> = {}) =>
    () =>
      mustBeAllowed(application({ source: { kind: 'COMPOSE', service: null }, ...more }), { compose })

  test('obeys one policy, whether its file is written here or comes from a repository', () => {
    const hostile = 'services: {web: {image: a, privileged: true}}'
    expect(codeOf(stored(hostile))).toBe('COMPOSE_REFUSED')
    expect(codeOf(() => plan({ source }, files({ 'compose.yaml': hostile })))).toBe('COMPOSE_REFUSED')
    expect(codeOf(() => plan({ source }, { composeText: hostile }))).toBe('COMPOSE_REFUSED')
    expect(codeOf(stored(hostile, { source: git }))).toBe('COMPOSE_REFUSED')
    expect(codeOf(() => plan({ source, command: ['a'] }, files({ 'compose.yaml': text })))).toBe('IN_COMPOSE_FILE')
  })

  test('needs no more than the application reserves, and names who serves HTTP', () => {
    const sized = (memory: string) => `services: {web: {image: a, scale: 2, mem_limit: ${memory}}}`
    expect(codeOf(stored(sized('512m')))).toBeUndefined()
    expect(codeOf(stored(sized('513m')))).toBe('COMPOSE_REFUSED')
    const two = 'services: {web: {image: a}, db: {image: b}}'
    expect(codeOf(stored(two))).toBe('COMPOSE_REFUSED')
    expect(codeOf(stored(two, { source: { kind: 'COMPOSE', service: 'api' } }))).toBe('COMPOSE_REFUSED')
    expect(codeOf(stored(two, { source: { kind: 'COMPOSE', service: 'db' } }))).toBeUndefined()
    expect(codeOf(stored('services: {web: {build: .}}'))).toBe('COMPOSE_REFUSED')
    expect(codeOf(stored(sized('1m'), { command: ['a'] }))).toBe('IN_COMPOSE_FILE')
  })
})

test('a volume is mounted once, and a check by HTTP needs a port', () => {
  const volume = (name: string, mountPath: string) => ({ name, mountPath, shared: false })
  const allowed = (more: Partial<Application>) => codeOf(() => mustBeAllowed(application(more), { compose: null }))
  expect(allowed({ volumes: [volume('a', '/a'), volume('b', '/b')] })).toBeUndefined()
  expect(allowed({ volumes: [volume('a', '/a'), volume('a', '/b')] })).toBe('VOLUME_TWICE')
  expect(allowed({ volumes: [volume('a', '/a'), volume('b', '/a')] })).toBe('VOLUME_TWICE')
  expect(allowed({ port: null })).toBe('CHECK_NEEDS_PORT')
})

describe('deploying on push', () => {
  const created = (source: Application['source']) =>
    applicationEvents.ApplicationCreated({
      ...about,
      serverId: idOf(4),
      slug: 'shop',
      ...toKept(values),
      source,
      volumes: [],
    })
  const on = applicationEvents.ApplicationAutoDeploySet({ ...about, autoDeploy: true })

  test('is for applications from git alone, and is set once', () => {
    given(applications, [created(git)])
      .when('SetAutoDeploy', { enabled: true })
      .then([on])
    given(applications, [created(git), on])
      .when('SetAutoDeploy', { enabled: true })
      .then([])
    given(applications, [created(values.source)])
      .when('SetAutoDeploy', { enabled: true })
      .refused(409, /Pushes deploy/)
  })

  test('ends when the application has another source', () => {
    const source = { kind: 'DOCKERFILE' } as const
    given(applications, [created(git), on])
      .when('Change', { changes: { source } })
      .then([
        applicationEvents.ApplicationChanged({ ...about, ...toKept(values), source, volumes: [], formerName: 'Shop' }),
        applicationEvents.ApplicationAutoDeploySet({ ...about, autoDeploy: false }),
      ])
  })
})

test.each([
  'https://forge.example/ada/shop.git',
  'https://forge.example:8443/a/b/c',
  'ssh://git@forge.example:2222/ada/shop.git',
  'http://127.0.0.1:3000/ada/shop',
])('%s is the address of a repository', (url) => expect(isRepositoryUrl(url)).toBe(true))

test.each([
  'http://forge.example/ada/shop',
  'https://ada:token@forge.example/ada/shop',
  'https://forge.example/ada/../shop',
  'https://forge.example/ada/%2e%2e/shop',
  'https://forge.example/ada/-shop',
  'https://forge.example/ada/shop?x=1',
  'https://forge.example/ada/shop#x',
  'https://forge.example',
  'https://FORGE.example/ada/shop',
  'ssh://-oProxyCommand=x@forge.example/ada/shop',
  'ssh://git@-oProxyCommand=x/ada/shop',
  'ssh://git@forge.example/ada/../shop',
  'file:///etc/passwd',
  'ext::sh -c id',
  'git@forge.example:ada/shop',
  '-u',
])('%s is none', (url) => expect(isRepositoryUrl(url)).toBe(false))

test('a repository belongs to the provider whose address it begins with', () => {
  const at = (url: string, baseUrl = 'https://forge.example/git') => repositoryAt(url, { baseUrl })
  expect(at('https://forge.example/git/ada/shop.git')).toBe('ada/shop')
  for (const url of [
    'https://forge.example/ada/shop',
    'https://forge.example/gitea/shop',
    'https://forge.example.evil/git/a',
  ])
    expect(at(url)).toBeUndefined()
})
