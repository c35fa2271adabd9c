/** What no panel may ask of an agent: payloads and secrets that the kinds of releases refuse. */
import { expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { withCommands } from '../../../src/agent/releases/commands.ts'
import { imageReference } from '../../../src/agent/releases/image-reference.ts'
import { deploymentInName, imageNameOf } from '../../../src/tasks/builds.ts'
import { releaseStart } from '../../../src/tasks/release-start.ts'
import { releaseRemove, releaseRetire, ReleaseSecrets } from '../../../src/tasks/releases.ts'
import type { ReleaseService } from '../../../src/tasks/releases.ts'
import { health, releaseOf, service } from '../../support/agent/release-host.ts'

const IMAGE = `sha256:${'a'.repeat(64)}`
const isTaken = (more: object, of: object = {}): boolean =>
  releaseStart.payload.safeParse(releaseOf([{ ...service(IMAGE), ...more }], of)).success
const udp = (more: object = {}) => ({
  published: [{ ip: null, port: 5_353, containerPort: 53, protocol: 'UDP', ...more }],
})
const mounted = (volume: string, mountPath: string) => ({ volumes: [{ volume, mountPath }] })

test('a release as the panel makes it is taken', () => {
  expect(isTaken({})).toBe(true)
  expect(isTaken(mounted(`${uuidv7()}-data-1`, '/var/lib/data'))).toBe(true)
  expect(isTaken(udp())).toBe(true)
})

test.each([
  ['an image by name', { imageId: 'nginx:latest' }],
  ['a name that leaves its label', { name: 'a/../b' }],
  ['a directory of the host as volume', mounted('/etc', '/data')],
  ['a volume over the root', mounted('data', '/')],
  ['a mount path with ..', mounted('data', '/data/../etc')],
  ['a mount path with an option', mounted('data', '/data:ro')],
  ['a field that is not known', { privileged: true }],
  ['a port that is none', { port: 70_000 }],
  ['a published port of TCP, which is the proxy’s', udp({ protocol: 'TCP' })],
  ['a published port of a name', udp({ ip: 'localhost' })],
  ['a published port that is none', udp({ port: 0 })],
  ['nine replicas', { replicas: 9 }],
  ['an alias with a dot', { aliases: ['registry.internal'] }],
  ['a path with a header', { health: health({ path: '/ HTTP/1.1\r\nHost: other' }) }],
  ['a path that is a URL', { health: health({ path: 'http://192.0.2.1/' }) }],
  ['a check by HTTP without a port', { port: null }],
  ['a service that waits for itself', { dependsOn: ['app'] }],
  ['a service that waits for none', { dependsOn: ['db'] }],
])('%s is refused', (_what, more) => expect(isTaken(more)).toBe(false))

test('commands come with the secrets, and those that an earlier panel has put into the payload count without them', () => {
  const command = ['then']
  const told = (more: Partial<ReleaseService>, ...commands: object[]) => {
    const release = releaseStart.payload.parse(releaseOf([service(IMAGE, more)]))
    const secrets = ReleaseSecrets.parse({ env: [], ...(commands.length > 0 && { commands }) })
    const [{ command: program, health: check }] = withCommands(release, secrets).services as [ReleaseService]
    return [program, check.command]
  }
  expect(told({ command })).toEqual([command, null])
  expect(told({ command }, { service: 'app', command: ['now'], health: null })).toEqual([['now'], null])
  expect(told({ command: null }, { service: 'app', command: null, health: null })).toEqual([null, null])
  expect(told({ command }, { service: 'other', command: ['now'], health: null })).toEqual([command, null])
  const byCommand = { health: health({ kind: 'COMMAND' }) }
  expect(told(byCommand, { service: 'app', command, health: ['check'] })).toEqual([command, ['check']])
  const NONE = expect.objectContaining({ code: 'NO_COMMAND' })
  expect(() => told(byCommand)).toThrow(NONE)
  expect(() => told(byCommand, { service: 'app', command, health: null })).toThrow(NONE)
})

test('services with one name, and a circle of them, are refused', () => {
  const release = (...services: object[]) => releaseStart.payload.safeParse(releaseOf(services)).success
  const named = (name: string, dependsOn: string[] = []) => service(IMAGE, { name, dependsOn })
  expect(release(named('a'), named('b', ['a']))).toBe(true)
  expect(release(named('a'), named('a'))).toBe(false)
  expect(release(named('a', ['b']), named('b', ['a']))).toBe(false)
})

test('an address that is none, and an id with a path, are refused', () => {
  expect(isTaken({}, { outboundIp: '10.0.0.1; reboot' })).toBe(false)
  expect(isTaken({}, { environmentId: '../../etc' })).toBe(false)
  const { installation, workload, deploymentId } = releaseOf([])
  const retire = { installation, workload, deploymentId, drainSeconds: 1, stopSeconds: 1, imageIds: [] }
  expect(releaseRetire.payload.safeParse(retire).success).toBe(true)
  expect(releaseRetire.payload.safeParse({ ...retire, imageIds: ['a?force=true'] }).success).toBe(false)
  expect(releaseRetire.payload.safeParse({ ...retire, workload: { kind: 'REGISTRY', id: workload.id } }).success).toBe(
    false,
  )
  const remove = { installation, workload, proxyRevision: 3, stopSeconds: 1, deleteVolumes: false, imageIds: [] }
  expect(releaseRemove.payload.safeParse(remove).success).toBe(true)
  expect(releaseRemove.payload.safeParse({ ...remove, deleteVolumes: 'yes' }).success).toBe(false)
})

test('a variable whose name ends early is refused', () => {
  const isVariable = (name: string, value = 'x') =>
    ReleaseSecrets.safeParse({ env: [{ service: 'app', name, value }] }).success
  expect(isVariable('A_1', 'two\nlines = 1')).toBe(true)
  for (const name of ['', 'A=B', 'A\0']) expect(isVariable(name), name).toBe(false)
  expect(isVariable('A', 'x\0y')).toBe(false)
})

test('names of images tell their deployment, also those of earlier versions', () => {
  const [workload, deploymentId] = [{ kind: 'APPLICATION' as const, id: uuidv7() }, uuidv7()]
  const name = imageNameOf(workload, { deploymentId, service: 'app', mark: 'f00' })
  expect(name).toBe(`daybook/application-${workload.id}/app:${deploymentId}-f00`)
  expect(deploymentInName(name)).toBe(deploymentId)
  expect(deploymentInName(`daybook/application-${workload.id}/app:${deploymentId}`)).toBe(deploymentId)
})

test('names of images have a registry, and a tag', () => {
  const digest = `sha256:${'b'.repeat(64)}`
  const hub = (repo: string, tag: string) => ({ host: 'docker.io', repo: `docker.io/${repo}`, tag })
  expect(imageReference('nginx')).toEqual(hub('library/nginx', 'latest'))
  expect(imageReference('grafana/loki:3.1')).toEqual(hub('grafana/loki', '3.1'))
  expect(imageReference('docker.io/nginx:1')).toEqual(hub('library/nginx', '1'))
  const own = { host: '127.0.0.1:5000', repo: '127.0.0.1:5000/shop/web' }
  expect(imageReference('127.0.0.1:5000/shop/web:v1')).toEqual({ ...own, tag: 'v1' })
  expect(imageReference(`127.0.0.1:5000/shop/web:v1@${digest}`)).toEqual({ ...own, tag: digest })
  for (const text of [
    '',
    'Nginx',
    'a b',
    'nginx:',
    '/etc/passwd',
    '../x',
    'host.tld/',
    'x@sha256:1',
    'a//b',
    'http://h.tld/x',
  ])
    expect(imageReference(text), text).toBeUndefined()
})
