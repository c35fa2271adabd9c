/** install.sh against a real panel, below a directory: what it writes, what it refuses, and who sees the token. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newSecret } from '#kernel/credentials/secret-token'
import { servers } from '#panel/servers/decider'
import { agentInstallScript } from '../../../src/panel/adapters/agent-install-script.ts'
import { RELEASE_FILE } from '../../../src/tasks/agent-release.ts'
import { hostIn } from '../../support/agent/installed-host.ts'
import { writeTestRelease } from '../../support/agent/test-release.ts'
import { ok, refusalIn } from '../../support/panel/project-fixture.ts'
import { serverFixture, tokenIn } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import { scratchOfFile, scratchPath } from '../../support/scratch.ts'

const agentDir = scratchOfFile()
const panel = await startPanel({ agentDir, unsetVariables: ['PANEL_URL'] })
await panel.licensed()
const { add } = serverFixture(panel)
const root = await panel.somebody('SUPERADMIN')
ok(await panel.call('PATCH', '/api/admin/config', { as: root.as, body: { urls: { panel: panel.url } } }))
const release = writeTestRelease(agentDir, { version: '1.0.0' })

const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn('SKIPPED: install.sh is not run, because the tests do not run as root')
/** In CI, what is missing is a failure. */
const has = (command: string) => Boolean(process.env['CI']) || spawnSync(command, ['--version']).error === undefined
const SHELLS = ['dash', 'bash', 'busybox'].filter((shell) => spawnSync(shell, ['-c', 'exit 0']).error === undefined)

const script = async (as: string): Promise<string> => {
  const reply = await panel.call('GET', '/api/agent/install.sh', { as })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/x-shellscript; charset=utf-8'])
  return reply.text
}
const agentOf = async (id: string) => (await panel.run((unit) => unit.look(servers, id)))!.agent

const BIN = 'var/lib/daybook-agent/bin'
const PROXY_UNIT = 'etc/systemd/system/daybook-proxy.service'
const SLICE_UNIT = 'etc/systemd/system/daybook.slice'
const WRITTEN = [
  'var/lib/daybook-agent/agent.json',
  'var/lib/daybook-agent/box-keys.json',
  'etc/daybook/agent.env',
  'etc/daybook/agent-start',
  'etc/systemd/system/daybook-agent.service',
  PROXY_UNIT,
  SLICE_UNIT,
]

test.runIf(isRoot).each(SHELLS)('%s makes the host a server, and changes nothing the second time', async (shell) => {
  const { id, installToken } = await add(root)
  const text = await script(installToken)
  expect(text).not.toContain(installToken)
  const host = hostIn(scratchPath())
  const env = { DAYBOOK_INSTALL_TOKEN: installToken, DOCKER_HOST: 'unix:///nowhere/docker.sock' }
  const first = await host.install(text, env, { shell })
  expect(first, first.stderr).toMatchObject({ status: 0, stderr: '' })
  expect(first.stdout).toContain('The agent runs')
  const name = `daybook-agent-1.0.0-${release.executables.amd64!.sha256.slice(0, 16)}`
  expect(readdirSync(host.path(BIN)).toSorted()).toEqual(['daybook-agent', name])
  expect(readlinkSync(host.path(`${BIN}/daybook-agent`))).toBe(name)
  expect(readlinkSync(host.path('usr/local/bin/daybook-agent'))).toBe(host.path(`${BIN}/daybook-agent`))
  expect(WRITTEN.map((file) => statSync(host.path(file)).mode & 0o777)).toEqual([
    0o600, 0o600, 0o600, 0o700, 0o644, 0o644, 0o644,
  ])
  const isOpen = (folder: string) => (statSync(host.path(folder)).mode & 0o077) !== 0
  expect(['usr/local/bin', 'etc/systemd/system', 'var/lib'].map(isOpen)).toEqual([true, true, true])
  expect(['etc/daybook', 'var/lib/daybook-agent', BIN].map(isOpen)).toEqual([false, false, false])
  expect(host.read('etc/daybook/agent.env')).toContain('DOCKER_HOST=unix:///nowhere/docker.sock')
  // A program of the agent that needs too much memory ends alone.
  expect(host.read('etc/systemd/system/daybook-agent.service')).toMatch(/^OOMPolicy=continue$/m)
  expect(host.read(SLICE_UNIT)).toMatch(/^CPUWeight=1000$/m)
  const agent = (await agentOf(id))!
  expect(agent).toBeDefined()

  const stamps = () => WRITTEN.slice(1).map((file) => [file, statSync(host.path(file)).ino, host.read(file)])
  const before = stamps()
  expect(await host.install(text, env, { shell })).toMatchObject({ status: 0, stderr: '' })
  expect(stamps()).toEqual(before)
  expect((await agentOf(id))!.registrationId).toBe(agent.registrationId)

  expect(host.heard('systemctl').match(/^(?:daemon-reload|enable .*|restart .*)$/gm)).toEqual([
    'daemon-reload',
    'enable --quiet daybook-proxy.service',
    'enable --quiet daybook-agent.service',
    'restart daybook-agent.service',
    'daemon-reload',
    'enable --quiet daybook-proxy.service',
    'enable --quiet daybook-agent.service',
    'restart daybook-agent.service',
  ])
  expect(host.heard('curl').match(/binary/g)).toHaveLength(1)
  for (const seen of [host.heard('curl'), host.heard('systemctl'), first.stdout])
    expect(seen).not.toContain(installToken)
  for (const file of WRITTEN) expect(host.read(file)).not.toContain(installToken)
})

test.runIf(isRoot)('a new release takes the place of the executable, and what an operator has set stays', async () => {
  const { installToken } = await add(root)
  const host = hostIn(scratchPath())
  const env = { DAYBOOK_INSTALL_TOKEN: installToken }
  await host.install(await script(installToken), env)
  writeFileSync(host.path('etc/daybook/agent.env'), 'DOCKER_HOST=unix:///mine\n')
  const { executables } = writeTestRelease(agentDir, { version: '1.1.0' })
  expect((await host.install(await script(installToken), env)).status).toBe(0)
  const name = `daybook-agent-1.1.0-${executables.amd64!.sha256.slice(0, 16)}`
  expect(readlinkSync(host.path(`${BIN}/daybook-agent`))).toBe(name)
  expect(host.read('etc/daybook/agent.env')).toBe('DOCKER_HOST=unix:///mine\n')
  writeTestRelease(agentDir, { version: '1.0.0' })
})

test.runIf(isRoot)(
  'the command that the panel shows does all of it, and no list of arguments has the token',
  async () => {
    const body = { name: 'by its command' }
    const { server, installCommand } = ok(await panel.call('POST', '/api/servers', { as: root.as, body }), 201)
    const token = tokenIn(installCommand)
    const host = hostIn(scratchPath())
    expect(await host.install(installCommand, {})).toMatchObject({ status: 0, stderr: '' })
    expect(await agentOf(server.id)).toBeDefined()
    // The recorded environments too.
    for (const seen of ['curl', 'systemctl']) expect(host.heard(seen)).not.toContain(token)
    const { command } = ok(await panel.call('POST', `/api/servers/${server.id}/regen-token`, { as: root.as }))
    expect(await host.install(command.replaceAll(tokenIn(command), newSecret('i')), {})).toMatchObject({
      stderr: expect.stringContaining('401'),
      stdout: '',
    })
  },
)

test.runIf(isRoot)('without systemd it registers the host, and says what is to be run', async () => {
  const { id, installToken } = await add(root)
  const host = hostIn(scratchPath())
  const text = (await script(installToken)).replaceAll('/run/systemd/system', '/run/none')
  const { status, stdout } = await host.install(text, { DAYBOOK_INSTALL_TOKEN: installToken })
  expect([status, stdout]).toEqual([0, expect.stringContaining(`${host.path(BIN)}/daybook-agent run`)])
  expect([existsSync(host.path(WRITTEN[4]!)), await agentOf(id)]).toEqual([false, expect.anything()])
})

test.runIf(isRoot)('without HAProxy it says that no request reaches an application, and makes no service', async () => {
  const { installToken } = await add(root)
  const host = hostIn(scratchPath())
  rmSync(join(host.tools, 'haproxy'))
  const text = (await script(installToken)).replace('command -v haproxy', 'command -v haproxy-that-is-missing')
  const { status, stdout } = await host.install(text, { DAYBOOK_INSTALL_TOKEN: installToken })
  expect([status, stdout]).toEqual([0, expect.stringContaining('apt-get install haproxy')])
  expect(existsSync(host.path(PROXY_UNIT))).toBe(false)
  expect(host.heard('systemctl')).not.toContain('daybook-proxy')
})

test.runIf(isRoot)('what cannot be installed is refused in a sentence, and no executable gets its name', async () => {
  const { id, installToken } = await add(root)
  const text = await script(installToken)
  const env = { DAYBOOK_INSTALL_TOKEN: installToken }
  const other = text.replaceAll(release.executables.amd64!.sha256, 'f'.repeat(64))
  const refused = async (given: string, sentence: RegExp, { more = {}, uid = 0, machine = '' } = {}) => {
    const host = hostIn(scratchPath())
    if (machine) {
      writeFileSync(join(host.tools, 'uname'), `#!/bin/sh\n[ "$1" = -m ] && echo ${machine} || echo Linux\n`)
      chmodSync(join(host.tools, 'uname'), 0o755)
    }
    const { status, stderr } = await host.install(given, { ...env, ...more }, { uid })
    expect([status, stderr]).toEqual([1, expect.stringMatching(sentence)])
    const made = existsSync(host.path(BIN)) ? readdirSync(host.path(BIN)) : []
    expect(made).toEqual([])
  }
  await refused(text, /^Run this as root\.$/m, { uid: 65_534 })
  await refused(text, /^There is no agent for riscv64: it runs on amd64 and arm64\.$/m, { machine: 'riscv64' })
  await refused(text, /^Set DAYBOOK_INSTALL_TOKEN/, { more: { DAYBOOK_INSTALL_TOKEN: '' } })
  await refused(text, /^DAYBOOK_INSTALL_TOKEN must contain only/, { more: { DAYBOOK_INSTALL_TOKEN: 'a"\nurl = "b' } })
  await refused(text, /^The agent could not be downloaded/m, {
    more: { DAYBOOK_INSTALL_TOKEN: `${installToken.slice(0, -1)}-` },
  })
  await refused(text, /^DAYBOOK_PREFIX must be/, { more: { DAYBOOK_PREFIX: 'here' } })
  await refused(other, /^The agent that was downloaded has another SHA-256/m)
  const broken = writeTestRelease(agentDir, { version: '1.0.1', fault: 'self-test' })
  await refused(await script(installToken), /^The agent does not run on this host/m)
  expect(broken.version).toBe('1.0.1')
  writeTestRelease(agentDir, { version: '1.0.0' })
  expect(await agentOf(id)).toBeNull()
})

test.runIf(isRoot).each(SHELLS)(
  'in %s, an update whose starts a full disk does not count is taken back',
  async (shell) => {
    const { installToken } = await add(root)
    const host = hostIn(scratchPath())
    await host.install(await script(installToken), { DAYBOOK_INSTALL_TOKEN: installToken })
    const [bin, own] = [host.path(BIN), readlinkSync(host.path(`${BIN}/daybook-agent`))]
    const start = (limit: string, path = process.env['PATH']!) => {
      const words = [...(shell === 'busybox' ? ['busybox', 'sh'] : [shell]), host.path('etc/daybook/agent-start'), bin]
      const code = `trap '' XFSZ; ulimit -f ${limit}; exec "$@"`
      const { status, stdout } = spawnSync('bash', ['-c', code, 'bash', ...words], {
        encoding: 'utf8',
        env: { PATH: path },
      })
      return [status, stdout, readlinkSync(join(bin, 'daybook-agent'))]
    }
    writeFileSync(join(bin, 'pending'), 'daybook-agent-former\n')
    writeFileSync(join(bin, 'daybook-agent-former'), '#!/bin/sh\n', { mode: 0o755 })
    expect(start('unlimited')).toEqual([0, '', own])
    const tools = scratchPath()
    mkdirSync(tools)
    for (const name of ['ln', 'mv']) writeFileSync(join(tools, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    if (shell !== 'busybox') expect(start('0', `${tools}:${process.env['PATH']}`)).toEqual([0, '', own])
    const takenBack = 'The update of the agent was taken back: daybook-agent-former runs again\n'
    expect(start('0')).toEqual([0, expect.stringContaining(takenBack), 'daybook-agent-former'])
    expect(readdirSync(bin).filter((name) => ['pending', 'starts'].includes(name))).toEqual([])
  },
)

test.runIf(isRoot)('of which only a part has arrived, it does nothing', async () => {
  const { installToken } = await add(root)
  const text = await script(installToken)
  for (let part = 1; part < 20; part += 1) {
    const host = hostIn(scratchPath())
    await host.install(text.slice(0, Math.floor((text.length - 6) * (part / 20))), {
      DAYBOOK_INSTALL_TOKEN: installToken,
    })
    expect(readdirSync(host.path('.')).toSorted(), `${part} of 20`).toEqual(['run', 'tools'])
  }
})

test('only an install token gets the script, and only where a release is built', async () => {
  const { installToken: as } = await add(root)
  const get = (more = {}) => panel.call('GET', '/api/agent/install.sh', more)
  expect((await get()).status).toBe(401)
  expect((await get({ as: root.as })).status).toBe(403)
  expect((await get({ as: newSecret('i') })).status).toBe(401)
  rmSync(join(agentDir, RELEASE_FILE))
  expect(refusalIn(await get({ as }))).toEqual([503, 'AGENT_NOT_BUILT'])
  writeTestRelease(agentDir, { version: '1.0.0' })
})

test('without TLS to another host, no command is made and nothing is changed', async () => {
  const { id, installToken } = await add(root)
  const sent = (method: string, path: string, body?: object) =>
    panel.call(method, `/api/servers${path}`, { as: root.as, ...(body && { body }) })
  const set = async (url: string) =>
    ok(await panel.call('PATCH', '/api/admin/config', { as: root.as, body: { urls: { panel: url } } }))
  const number = async () => ok(await sent('GET', '')).total
  const before = await number()
  await set('http://panel.example')
  for (const [method, path, body] of [
    ['POST', '', { name: 'over http' }],
    ['GET', `/${id}/install-command`],
    ['POST', `/${id}/regen-token`],
    ['POST', `/${id}/reset`],
    ['POST', '/local/install-agent'],
  ] as const)
    expect(refusalIn(await sent(method, path, body)), path).toEqual([409, 'PANEL_URL_NOT_HTTPS'])
  expect(await number()).toBe(before)
  await set('https://panel.example')
  const { command } = ok(await sent('GET', `/${id}/install-command`))
  expect([tokenIn(command), command]).toEqual([installToken, expect.stringContaining(`curl -fsS --proto '=https' `)])
  await set(panel.url)
  expect(ok(await sent('GET', `/${id}/install-command`)).command).not.toContain('--proto')
})

test.runIf(isRoot)('the script itself refuses an address without TLS to another host', async () => {
  const { installToken } = await add(root)
  for (const shell of SHELLS)
    for (const panelUrl of [
      'http://panel.example',
      'http://127.0.0.1.panel.example',
      'http://127.example:80',
      'http://localhost.panel.example',
      'http://localhost:80@panel.example',
      'ftp://localhost',
    ]) {
      const host = hostIn(scratchPath())
      const done = await host.install(
        agentInstallScript({ panelUrl, release }),
        {
          DAYBOOK_INSTALL_TOKEN: installToken,
        },
        { shell },
      )
      expect([done.status, done.stderr, host.heard('curl')], `${shell} ${panelUrl}`).toEqual([
        1,
        'The address of the panel must begin with https://, except on its own host.\n',
        '',
      ])
    }
  const own = ['http://localhost', 'http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1', 'https://[::1]:1']
  for (const panelUrl of own) {
    const host = hostIn(scratchPath())
    const text = agentInstallScript({ panelUrl, release }).replace('--retry 3', '')
    await host.install(text, { DAYBOOK_INSTALL_TOKEN: installToken })
    expect(host.heard('curl'), panelUrl).toContain(`--proto =${panelUrl.split(':')[0]} `)
  }
})

test('whatever the address of the panel holds, it is one word', () => {
  const panelUrl = `https://x.test/'; touch /tmp/broken #$(id)\`id\``
  const text = `${agentInstallScript({ panelUrl, release }).split('say()')[0]}printf %s "$PANEL_URL"`
  for (const shell of SHELLS)
    expect(spawnSync(shell, shell === 'busybox' ? ['sh'] : [], { input: text, encoding: 'utf8' }).stdout).toBe(panelUrl)
})

const shellcheck = has('shellcheck')
if (!shellcheck) console.warn('SKIPPED: shellcheck is not installed, so nothing has looked at install.sh but shells')
test.runIf(shellcheck && isRoot)(
  'shellcheck has nothing to say, neither about the script nor about what it writes',
  async () => {
    const { installToken } = await add(root)
    const host = hostIn(scratchPath())
    const text = await script(installToken)
    await host.install(text, { DAYBOOK_INSTALL_TOKEN: installToken })
    for (const input of [text, host.read('etc/daybook/agent-start')]) {
      const { status, stdout } = spawnSync('shellcheck', ['--shell=sh', '-'], { input, encoding: 'utf8' })
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    }
  },
)

const systemd = has('systemd-analyze')
if (!systemd) console.warn('SKIPPED: systemd-analyze is not installed, so nothing has looked at the unit')
test.runIf(systemd && isRoot)('systemd finds nothing wrong with the units', async () => {
  const { installToken } = await add(root)
  const host = hostIn(scratchPath())
  await host.install(await script(installToken), { DAYBOOK_INSTALL_TOKEN: installToken })
  for (const unit of ['etc/systemd/system/daybook-agent.service', PROXY_UNIT]) {
    const words = ['verify', '--man=no', host.path(unit)]
    const { status, stdout, stderr } = spawnSync('systemd-analyze', words, { encoding: 'utf8' })
    expect({ unit, status, stdout, stderr }).toEqual({ unit, status: 0, stdout: '', stderr: '' })
  }
})
