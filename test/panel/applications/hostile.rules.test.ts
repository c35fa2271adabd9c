/**
 * 10,000 hostile branches, paths, addresses and Compose files: what is taken leads nowhere but where it may. What the programs of
 * a host make of those that are taken is shown by test/agent/sources/hostile-refs.test.ts.
 */
import { spawnSync } from 'node:child_process'
import { posix } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { Rejection } from '#kernel/lib/rejection'
import { composeServices } from '#panel/applications/compose/services'
import { isRepositoryUrl } from '#panel/applications/repository-url'
import { containerOf } from '../../../src/agent/releases/template.ts'
import { gitAddress } from '../../../src/agent/sources/git-address.ts'
import { REF, REPOSITORY_PATH } from '../../../src/tasks/builds.ts'
import { releaseStart } from '../../../src/tasks/release-start.ts'
import { mountPath } from '../../../src/tasks/releases.ts'
import { releaseOf, service } from '../../support/agent/release-host.ts'

const PIECES =
  '.. . / // - -- a b main $(id) `id` ; | && > < \n \r \0 \t ~ ^ : ? * [ ] \\ @ @{ .lock .git % %2e %00 %0a é \u202e \u2028 " \' # $HOME ${x} = HEAD refs/heads --upload-pack=x -oProxyCommand=x ext:: file:// user@ :22 127.0.0.1 docker.sock sha256:'
    .split(' ')
    .concat(' ')
const word = (most = 6): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: most }).map((pieces) => pieces.join(''))

/** Those of the generated texts that are taken. */
function taken(texts: fc.Arbitrary<string>, numRuns: number, isTaken: (text: string) => boolean): string[] {
  const all = new Set<string>()
  fc.assert(
    fc.property(texts, (text) => {
      if (isTaken(text)) all.add(text)
    }),
    { numRuns },
  )
  expect(all.size).toBeGreaterThan(50)
  return [...all]
}

test('a branch that is taken is a name for git too, and no option', { timeout: 30_000 }, () => {
  const refs = taken(word(), 3_000, (text) => REF.test(text))
  for (const ref of refs) expect(ref).not.toMatch(/^[-/]|\.\.|[\p{Cc} ~^:?*[\\]|@\{/u)
  for (const ref of refs.slice(0, 300))
    expect(spawnSync('git', ['check-ref-format', `refs/heads/${ref}`]).status, JSON.stringify(ref)).toBe(0)
})

test('a path that is taken stays below its directory, and is no option', () => {
  const isBelow = (path: string) => posix.join('/source', path) === posix.normalize(`/source/${path}`)
  for (const path of taken(word(), 2_500, (text) => REPOSITORY_PATH.test(text))) {
    expect(posix.normalize(`/source/${path}`).startsWith('/source/'), path).toBe(true)
    expect(isBelow(path) && !/(?:^|\/)-|\p{Cc}|\\/u.test(path), path).toBe(true)
  }
  const mounted = word().map((text) => `/${text}`)
  for (const path of taken(mounted, 1_000, (text) => mountPath.safeParse(text).success)) {
    expect(posix.normalize(path)).toBe(path)
    expect(path).toMatch(/^\/[^:\0]+$/)
  }
})

test('an address that is taken is one for git too, of the same host', () => {
  const scheme = fc.constantFrom('https://', 'ssh://git@', 'https://', 'ssh://git@', 'ssh://', 'http://', '')
  const path = fc.array(fc.constantFrom(...'a b c d e f g - . .. ~ + / _ %2e %0a @ : \u2028 git'.split(' ')), {
    minLength: 1,
    maxLength: 5,
  })
  const text = fc.tuple(
    scheme,
    word(4),
    fc.oneof(
      word(4),
      path.map((pieces) => pieces.join('')),
    ),
  )
  const urls = taken(
    text.map(([scheme, host, path]) => `${scheme}${host.length % 3 === 0 ? host : 'forge.example'}/${path}`),
    1_500,
    isRepositoryUrl,
  )
  // The agent may refuse more.
  const addresses = urls.flatMap((url) => addressOf(url) ?? [])
  expect(addresses.length).toBeGreaterThan(30)
  for (const { url, host, protocol } of addresses) {
    expect(urls).toContain(url)
    expect([host.startsWith('-'), /^(?:https|ssh|http)$/.test(protocol)], url).toEqual([false, true])
  }
})

function addressOf(url: string) {
  try {
    return gitAddress(url)
  } catch (error) {
    expect(error).toMatchObject({ code: 'ADDRESS_REFUSED' })
    return undefined
  }
}

const VALUES: readonly unknown[] = [
  true,
  'host',
  '/',
  ['ALL'],
  ['/:/host'],
  ['data:/data'],
  ['data:/data/../..'],
  [{ type: 'bind', source: '/', target: '/host' }],
  [{ type: 'volume', source: 'data', target: '/data' }],
  ['seccomp:unconfined'],
  { context: '../..', dockerfile: '/etc/passwd' },
  `sha256:${'a'.repeat(64)}`,
  'sh -c "id"',
  ['sh', '-c', 'id'],
  { test: ['CMD-SHELL', 'id'] },
  null,
  0,
  'shop:1',
]
const KEYS =
  'image build command entrypoint privileged network_mode pid ipc cap_add devices security_opt volumes volumes_from env_file environment ports extends user sysctls labels container_name healthcheck depends_on deploy tmpfs secrets configs cgroup_parent runtime __proto__'.split(
    ' ',
  )
const NAMES = [
  'Privileged',
  'Binds',
  'Devices',
  'PidMode',
  'IpcMode',
  'UsernsMode',
  'Runtime',
  'Sysctls',
  'VolumesFrom',
]

test('of a Compose file that is taken, nothing reaches more than its own container', () => {
  const value = fc.oneof(fc.constantFrom(...VALUES), word(), fc.array(word(3), { maxLength: 2 }))
  const more = fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS), value), {
    maxLength: 3,
    selector: ([key]) => key,
  })
  let count = 0
  fc.assert(
    fc.property(more, fc.boolean(), (entries, hasImage) => {
      const web = Object.assign(Object.create(null), hasImage && { image: 'shop:1' }, Object.fromEntries(entries))
      const text = stringify({ services: { web }, volumes: { data: null } })
      const services = takenOf(text)
      if (!services) return
      count += 1
      const [{ image, build, command, volumes }] = services as [(typeof services)[number]]
      if (image !== null) expect(image).toMatch(/^(?!sha256(?::|$))[a-z0-9]/)
      if (build) expect(posix.normalize(`/source/${build.directory}`)).toMatch(/^\/source(?:\/|$)/)
      const mounts = volumes.map(({ name, mountPath: path }) => ({ volume: `id-${name}-1`, mountPath: path }))
      const release = releaseStart.payload.parse(
        releaseOf([service(`sha256:${'b'.repeat(64)}`, { command: command && [...command], volumes: mounts })]),
      )
      const made = containerOf({
        release,
        taskId: '',
        service: release.services[0]!,
        replica: 1,
        network: 'own',
        address: '10.0.0.2',
        env: [],
        slice: undefined,
      })
      expect(Object.keys(made.HostConfig).filter((key) => NAMES.includes(key))).toEqual([])
      expect(made.HostConfig).toMatchObject({
        NetworkMode: 'own',
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges'],
      })
      for (const { Type, Source } of made.HostConfig.Mounts)
        expect([Type, Source]).toEqual(['volume', expect.stringMatching(/^id-[a-z0-9][a-z0-9_-]*-1$/)])
    }),
    { numRuns: 2_000 },
  )
  expect(count).toBeGreaterThan(50)
})

/** @returns undefined for a file that is refused, as a person's mistake is */
function takenOf(text: string) {
  try {
    return composeServices(text)
  } catch (error) {
    expect(error).toBeInstanceOf(Rejection)
    return undefined
  }
}
