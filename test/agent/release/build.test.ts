/** The executable as it is released: built, downloaded by install.sh, and run as the unit says, against a real panel. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { arch } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { newEd25519, publicKeyOf } from '#kernel/credentials/jws'
import packageJson from '../../../package.json' with { type: 'json' }
import { releaseKeyIn } from '../../../scripts/agent-build/release-key.ts'
import { buildRelease } from '../../../scripts/agent-build/release.ts'
import { AGENT_ARCHITECTURES, isSignedRelease } from '../../../src/tasks/agent-release.ts'
import type { AgentArchitecture, AgentRelease } from '../../../src/tasks/agent-release.ts'
import { hostIn } from '../../support/agent/installed-host.ts'
import { ok } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import { scratchOfFile, scratchPath } from '../../support/scratch.ts'

const BUILD_MS = 120_000
const own = arch() === 'arm64' ? 'arm64' : 'amd64'
/** Runs programs of arm64, and has the libraries that they are linked to (Debian: libc6-arm64-cross, libstdc++6-arm64-cross). */
const [EMULATOR, LIBRARIES] = ['qemu-aarch64-static', '/usr/aarch64-linux-gnu']
const isEmulated =
  spawnSync(EMULATOR, ['--version']).status === 0 && existsSync(join(LIBRARIES, 'lib/ld-linux-aarch64.so.1'))
if (!isEmulated && own !== 'arm64') {
  if (process.env['CI']) throw new Error(`CI needs ${EMULATOR} and libraries of arm64`)
  console.warn(`SKIPPED: the agent for arm64 is not run: ${EMULATOR} or libraries of arm64 are not installed`)
}
const directory = scratchOfFile()
const key = newEd25519()
const { version } = packageJson
const panel = await startPanel({ agentDir: directory, unsetVariables: ['PANEL_URL'] })
await panel.licensed()
const { add, get } = serverFixture(panel)
const root = await panel.somebody('SUPERADMIN')
ok(await panel.call('PATCH', '/api/admin/config', { as: root.as, body: { urls: { panel: panel.url } } }))

let release: AgentRelease
beforeAll(async () => {
  release = await buildRelease({
    directory,
    version,
    key,
    architectures: isEmulated ? AGENT_ARCHITECTURES : [own],
    say: () => {},
  })
}, BUILD_MS)

const compressed = (of: AgentArchitecture = own) => readFileSync(join(directory, release.executables[of]!.file))

test('a release names its files, with their hashes and the signature of the release key', () => {
  expect(JSON.parse(readFileSync(join(directory, 'release.json'), 'utf8'))).toEqual(release)
  const { sha256, signature, bytes } = release.executables[own]!
  expect([createHash('sha256').update(compressed()).digest('hex'), compressed().length]).toEqual([sha256, bytes])
  const signed = { version, arch: own, sha256 } as const
  expect(isSignedRelease(signed, signature, publicKeyOf(key))).toBe(true)
  expect(isSignedRelease(signed, signature, publicKeyOf(newEd25519()))).toBe(false)
  expect(isSignedRelease({ ...signed, version: '99.0.0' }, signature, publicKeyOf(key))).toBe(false)
  expect(isSignedRelease({ ...signed, arch: own === 'amd64' ? 'arm64' : 'amd64' }, signature, publicKeyOf(key))).toBe(
    false,
  )
})

function executable(of: AgentArchitecture = own): string {
  const path = scratchPath()
  writeFileSync(path, gunzipSync(compressed(of)), { mode: 0o755 })
  return path
}

test('the executable runs by itself, and loads no foreign code', () => {
  const path = executable()
  const foreign = `${path}.cjs`
  writeFileSync(foreign, 'console.log("foreign")')
  const run = (...args: string[]) => {
    const { status, stdout } = spawnSync(path, args, {
      encoding: 'utf8',
      env: { NODE_OPTIONS: `--require ${foreign}` },
    })
    return [status, stdout.trim()]
  }
  expect(run('--version')).toEqual([0, version])
  expect(run('self-test')).toEqual([0, `daybook-agent ${version} works on ${own}`])
  const [, notices] = run('notices')
  expect(notices).toMatch(
    /^Daybook contains code of these packages\.\n\n== .*\n[^]*== zod .*MIT[^]*== Node\.js\n\nNode\.js is licensed/,
  )
  expect(run('run')[0]).toBe(64)
})

test.runIf(isEmulated)('the executable for arm64 passes its self-test', () => {
  const { status, stdout } = spawnSync(EMULATOR, ['-L', LIBRARIES, executable('arm64'), 'self-test'], {
    encoding: 'utf8',
  })
  expect([status, stdout.trim()]).toEqual([0, `daybook-agent ${version} works on arm64`])
})

const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn('SKIPPED: the built agent is not installed, because the tests do not run as root')
test.runIf(isRoot)('install.sh and its unit make it the agent of a server', { timeout: 60_000 }, async () => {
  const { id, installToken } = await add(root)
  const { text } = await panel.call('GET', '/api/agent/install.sh', { as: installToken })
  const host = hostIn(scratchPath())
  const { status, stdout, stderr } = await host.install(text, { DAYBOOK_INSTALL_TOKEN: installToken })
  expect([status, stdout, stderr]).toEqual([0, expect.stringContaining(`daybook-agent ${version} works on`), ''])
  const supervisor = host.supervise()
  try {
    const agent = () => get(root, `/${id}`).then((reply) => ok(reply))
    await expect.poll(async () => (await agent()).status, { timeout: 20_000 }).toBe('ONLINE')
    expect((await agent()).agent).toMatchObject({ version, arch: own })
    expect(supervisor.codes).toEqual([])
  } finally {
    await supervisor.stop()
  }
  expect(supervisor.codes).toEqual([0])
})

test('the release key is made once, for its owner alone, and read from then on', async () => {
  const path = join(scratchPath(), 'key.json')
  const first = await releaseKeyIn(path)
  expect([first.isNew, statSync(path).mode & 0o777]).toEqual([true, 0o600])
  expect(await releaseKeyIn(path)).toEqual({ jwk: first.jwk, isNew: false })
  writeFileSync(path, '{}')
  await expect(releaseKeyIn(path)).rejects.toThrow()
})
