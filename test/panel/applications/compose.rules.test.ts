/** Compose files: what is made of them, and that nothing comes out which the policy would refuse. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { Rejection } from '#kernel/lib/rejection'
import { composeServices } from '#panel/applications/compose/services'
import { wordsIn } from '#panel/applications/compose/words'

/** `place: RULE` of a refusal. */
function refusalOf(text: string): string | undefined {
  try {
    composeServices(text)
    return undefined
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    expect([error.statusCode, error.code]).toEqual([400, 'COMPOSE_REFUSED'])
    const [, place, rule] = /refused at (.+), by the rule (\w+): /.exec(error.message)!
    return `${place}: ${rule}`
  }
}
const ofService = (more: object) => stringify({ services: { web: { image: 'shop:1', ...more } } })

test('a file becomes the services of a release', () => {
  const [web, db] = composeServices(`
x-common: &common
  restart: always
  environment: {MODE: live, LIMIT: 5, PRICE: 5$$}
services:
  web:
    <<: *common
    build: {context: ./web/, dockerfile: docker/Dockerfile, target: run, args: [A=b=c]}
    command: serve --name "a b" 'c d' e\\ f
    ports: ["127.0.0.1:8080:80/tcp", "53:53/udp"]
    depends_on: {db: {condition: service_healthy}}
    stop_grace_period: 1m30s
  db:
    image: postgres:18
    volumes: ["data:/var/lib/postgresql"]
    deploy: {replicas: 2, resources: {limits: {memory: 1g, cpus: "0.5"}}}
    healthcheck: {test: pg_isready, interval: 5s, timeout: 1500ms, retries: 3, start_period: 10s}
volumes: {data: }
`)
  expect(web).toEqual({
    name: 'web',
    image: null,
    build: { directory: 'web', dockerfile: 'docker/Dockerfile', target: 'run', args: [{ name: 'A', value: 'b=c' }] },
    command: ['serve', '--name', 'a b', 'c d', 'e f'],
    environment: [
      { name: 'MODE', value: 'live' },
      { name: 'LIMIT', value: '5' },
      { name: 'PRICE', value: '5$' },
    ],
    port: 80,
    replicas: null,
    memoryMiB: null,
    cpuMillis: null,
    volumes: [],
    health: null,
    stopSeconds: 90,
    dependsOn: ['db'],
  })
  expect(db).toMatchObject({
    image: 'postgres:18',
    build: null,
    replicas: 2,
    memoryMiB: 1_024,
    cpuMillis: 500,
    volumes: [{ name: 'data', mountPath: '/var/lib/postgresql' }],
    health: { kind: 'COMMAND', command: ['/bin/sh', '-c', 'pg_isready'], intervalSeconds: 5, timeoutSeconds: 2 },
  })
  expect(db!.health!.startSeconds).toBe(10 + 3 * (5 + 2))
})

test('a service that another one waits for is checked by its image', () => {
  const health = (condition: string) =>
    composeServices(
      stringify({ services: { a: { image: 'a', depends_on: { b: { condition } } }, b: { image: 'b' } } }),
    ).find(({ name }) => name === 'b')!.health
  expect(health('service_healthy')).toMatchObject({ kind: 'IMAGE' })
  expect(health('service_started')).toBeNull()
})

const REFUSED: readonly (readonly [string, object])[] = [
  ['privileged: PRIVILEGED', { privileged: true }],
  ['network_mode: HOST_NETWORK', { network_mode: 'host' }],
  ['networks: NETWORKS', { networks: ['default'] }],
  ['pid: HOST_PID', { pid: 'host' }],
  ['ipc: HOST_IPC', { ipc: 'host' }],
  ['uts: HOST_UTS', { uts: 'host' }],
  ['userns_mode: HOST_USERS', { userns_mode: 'host' }],
  ['cgroup: HOST_CGROUP', { cgroup: 'host' }],
  ['cgroup_parent: HOST_CGROUP', { cgroup_parent: '/' }],
  ['cap_add: CAP_ADD', { cap_add: ['ALL'] }],
  ['devices: DEVICES', { devices: ['/dev/sda'] }],
  ['device_cgroup_rules: DEVICES', { device_cgroup_rules: ['a *:* rwm'] }],
  ['gpus: DEVICES', { gpus: 'all' }],
  ['security_opt: SECURITY_OPT', { security_opt: ['seccomp:unconfined'] }],
  ['volumes_from: EXTERNAL', { volumes_from: ['container:other'] }],
  ['external_links: EXTERNAL', { external_links: ['other'] }],
  ['env_file: ENV_FILE', { env_file: '/etc/shadow' }],
  ['extends: OTHER_FILE', { extends: { file: '/etc/passwd', service: 'a' } }],
  ['sysctls: UNKNOWN_KEY', { sysctls: { 'net.ipv4.ip_forward': 1 } }],
  ['container_name: UNKNOWN_KEY', { container_name: 'panel' }],
  ['labels: UNKNOWN_KEY', { labels: { 'daybook.workload': 'APPLICATION/1' } }],
  ['user: UNKNOWN_KEY', { user: 'root' }],
  ['entrypoint: UNKNOWN_KEY', { entrypoint: 'sh' }],
  ['volumes.0: BIND_MOUNT', { volumes: ['/:/host'] }],
  ['volumes.0: BIND_MOUNT', { volumes: ['./data:/data'] }],
  ['volumes.0: BIND_MOUNT', { volumes: ['~/.ssh:/keys'] }],
  ['volumes.0: BIND_MOUNT', { volumes: ['/var/run/docker.sock:/var/run/docker.sock'] }],
  ['volumes.0: BIND_MOUNT', { volumes: ['C:\\:/data'] }],
  ['volumes.0.type: BIND_MOUNT', { volumes: [{ type: 'bind', source: '/', target: '/host' }] }],
  ['volumes.0.bind: UNKNOWN_KEY', { volumes: [{ type: 'volume', source: 'd', target: '/d', bind: {} }] }],
  ['volumes: VOLUME', { volumes: ['data:/data'] }],
  ['volumes.0.mountPath: FORM', { volumes: ['data:/a/../../b'] }],
  ['volumes.0: VOLUME', { volumes: ['data'] }],
  ['environment.0: HOST_ENVIRONMENT', { environment: ['PATH'] }],
  ['environment.PATH: HOST_ENVIRONMENT', { environment: { PATH: null } }],
  ['environment.A: INTERPOLATION', { environment: { A: '${DATABASE_URL}' } }],
  ['command: INTERPOLATION', { command: 'echo $HOME' }],
  ['environment: FORM', { environment: { DAYBOOK_ID: '1' } }],
  ['image: FORM', { image: '-v/:/host' }],
  ['depends_on: DEPENDENCY', { depends_on: ['web'] }],
  ['depends_on: DEPENDENCY', { depends_on: ['db'] }],
  ['scale: FORM', { scale: 9 }],
  ['deploy.resources.limits.memory: FORM', { deploy: { resources: { limits: { memory: '1k' } } } }],
]

test.each(REFUSED)('a service is refused at %s', (where, more) => {
  expect(refusalOf(ofService(more))).toBe(`services.web.${where}`)
})

test.each([
  ['services.web.build: FORM', { services: { web: { build: '../other' } } }],
  ['services.web.build: FORM', { services: { web: { build: '/etc' } } }],
  ['services.web.build: FORM', { services: { web: { build: 'https://forge.example/a.git' } } }],
  ['services.web.build.dockerfile: FORM', { services: { web: { build: { dockerfile: '../../Dockerfile' } } } }],
  ['services.web.build.network: UNKNOWN_KEY', { services: { web: { build: { network: 'host' } } } }],
  ['services.web.build.args.0: HOST_ENVIRONMENT', { services: { web: { build: { args: ['TOKEN'] } } } }],
  ['services.web: IMAGE_OR_BUILD', { services: { web: {} } }],
  ['services.web: IMAGE_OR_BUILD', { services: { web: { image: 'a', build: '.' } } }],
  ['services: FORM', { services: {} }],
  ['services.-web: FORM', { services: { '-web': { image: 'a' } } }],
  ['include: OTHER_FILE', { include: ['/etc/passwd'], services: { web: { image: 'a' } } }],
  ['secrets: UNKNOWN_KEY', { secrets: { a: { file: '/etc/shadow' } }, services: { web: { image: 'a' } } }],
  ['volumes.d.external: EXTERNAL', { volumes: { d: { external: true } }, services: { web: { image: 'a' } } }],
  ['volumes.d.driver_opts: DRIVER_OPTS', { volumes: { d: { driver_opts: {} } }, services: { web: { image: 'a' } } }],
  ['volumes.d.name: UNKNOWN_KEY', { volumes: { d: { name: 'of-another' } }, services: { web: { image: 'a' } } }],
])('a file is refused at %s', (where, file) => {
  expect(refusalOf(stringify(file))).toBe(where)
})

test('a text that is not one plain document is refused', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
  for (const [before, name] of ['a b', 'b c', 'c d', 'd e', 'e f', 'f g', 'g h'].map((pair) => pair.split(' ')))
    bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join()}]`)
  expect(refusalOf(bomb.join('\n'))).toBe('the whole file: ALIASES')
  const wide = `x: &x [${'1,'.repeat(4_000)}]\nservices: [${'*x,'.repeat(90)}]`
  expect(refusalOf(wide)).toBe('the whole file: SIZE')
  for (const text of ['a: 1\n---\nb: 2', '[[', '['.repeat(100_000), 'a: !!js/function x', 'a: *none', 'a: 1\na: 2'])
    expect(refusalOf(text), text.slice(0, 20)).toMatch(/^the whole file: (YAML|ALIASES)$/)
  expect(refusalOf(`# ${'x'.repeat(262_144)}`)).toBe('the whole file: SIZE')
  expect(refusalOf('')).toBe('the whole file: FORM')
})

test('keys of every object bring nothing in', () => {
  expect(refusalOf('services: {web: {image: a, __proto__: {privileged: true}}}')).toMatch(/^services\.web/)
  expect(refusalOf('services: {web: {image: a, <<: {privileged: true}}}')).toBe('services.web.privileged: PRIVILEGED')
  expect(refusalOf('services: {web: {image: a, constructor: {}}}')).toBe('services.web.constructor: UNKNOWN_KEY')
  expect(composeServices('services: {constructor: {image: a}}')).toHaveLength(1)
})

/** Values that Compose takes somewhere, and hostile ones. */
const word = fc.constantFrom(
  'web',
  'db',
  'data:/data',
  '/:/host',
  '../up',
  '.',
  'host',
  'a:1',
  '$X',
  '$$',
  '1',
  'ALL',
  '-v',
  'A=b',
)
const leaf = fc.oneof(word, fc.boolean(), fc.integer(), fc.constant(null), fc.string({ maxLength: 8 }))
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(word, tie('any'), { maxKeys: 3 }),
  ),
})).any
const KEYS =
  'image build command environment ports volumes depends_on deploy healthcheck expose x-note restart scale ' +
  'privileged network_mode pid cap_add devices security_opt env_file'
const key = fc.constantFrom(...KEYS.split(' '))
const service = fc.dictionary(key, value, { maxKeys: 4 }).map((more) => ({ image: 'a:1', ...more }))
const file = fc.record({
  services: fc.dictionary(fc.constantFrom('web', 'db'), service, { minKeys: 1, maxKeys: 2 }),
  volumes: fc.constantFrom({ data: null }, {}),
})
const ALLOWED = [
  'build',
  'command',
  'cpuMillis',
  'dependsOn',
  'environment',
  'health',
  'image',
  'memoryMiB',
  'name',
  'port',
  'replicas',
  'stopSeconds',
  'volumes',
]

test('whatever a file says, nothing comes out that the policy refuses', () => {
  let taken = 0
  fc.assert(
    fc.property(file, (asked) => {
      const text = stringify(asked)
      if (refusalOf(text) !== undefined) return
      taken += 1
      for (const each of composeServices(text)) {
        expect(Object.keys(each).toSorted()).toEqual(ALLOWED)
        for (const { name, mountPath } of each.volumes)
          expect(`${name}:${mountPath}`).toMatch(/^[a-z0-9][a-z0-9_-]*:\//)
        expect(JSON.stringify(each.build ?? '')).not.toContain('..')
      }
      const said = Object.values(asked.services).flatMap((each) => Object.keys(each))
      expect(said.filter((name) => /privileged|mode|pid|cap|devices|security|env_file/.test(name))).toEqual([])
    }),
    { numRuns: 3_000 },
  )
  expect(taken).toBeGreaterThan(100)
}, 60_000)

test('no text of any kind makes anything but services or a refusal', () => {
  const piece = fc.constantFrom(
    'services:',
    '\n  ',
    'web: ',
    '{',
    '}',
    '[',
    ']',
    '&a ',
    '*a',
    '<<: ',
    '- ',
    '"',
    "'",
    '\t',
    '? ',
    '| ',
    '!!x ',
    '%',
    '\0',
    '🙂',
  )
  const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 25 }).map((all) => all.join(''))
  fc.assert(
    fc.property(text, (asked) => void refusalOf(asked)),
    { numRuns: 2_000 },
  )
})

test('words are split as a shell does, and nothing is expanded', () => {
  expect(wordsIn(`a "b \\"c" 'd\\' e\\ f"g"h ""`)).toEqual(['a', 'b "c', 'd\\', 'e fgh', ''])
  expect(wordsIn('a; rm -rf / && `x` $(y) *')).toEqual(['a;', 'rm', '-rf', '/', '&&', '`x`', '$(y)', '*'])
  expect(wordsIn('a "b')).toBeUndefined()
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 5 }), (words) => {
      const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
      expect(wordsIn(quoted)).toEqual(words)
    }),
  )
})
