/** HAProxy as a service: the unit that the installation writes, with the capabilities that it leaves, and who starts it. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { agentInstallScript } from '#panel/adapters/agent-install-script'
import { accountOfProxy, filesIn, runningMaster, startMaster } from '../../../src/agent/proxy/program.ts'
import { runtimeOf } from '../../../src/agent/proxy/runtime.ts'
import { ask, endProxy, noHaproxy } from '../../support/haproxy.ts'
import { scratchDirectory } from '../../support/scratch.ts'

const isRoot = process.getuid?.() === 0
const isSkipped = noHaproxy !== undefined || !isRoot
if (!isRoot) console.warn('SKIPPED: the service of the proxy is not run, because the tests do not run as root')

/** As install.sh writes it for an agent of the directory. */
function unitFor(directory: string): string {
  const script = agentInstallScript({
    panelUrl: 'https://panel.example',
    release: { version: '1.0.0', executables: {} },
  })
  const text = `proxy_unit() {${script.split('proxy_unit() {')[1]!.split('\n}\n')[0]}\n}`
  const program = `dir=$1 haproxy=/usr/sbin/haproxy\n${text}\nproxy_unit`
  return spawnSync('sh', ['-eu', '-c', program, 'sh', directory], { encoding: 'utf8' }).stdout
}
const settingOf = (unit: string, name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)![1]!

/** A service manager that starts what the unit says, with the capabilities that it leaves. */
function serviceManager(directory: string, unitText: string, fault = '') {
  const [unit, systemctl, log] = ['unit', 'systemctl', 'log'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(unit, unitText)
  const left = settingOf(unitText, 'CapabilityBoundingSet')
    .toLowerCase()
    .split(' ')
    .map((each) => `+${each.slice(4)}`)
  const start = `setsid setpriv --no-new-privs --bounding-set=-all,${left.join()} ${settingOf(unitText, 'ExecStart')}`
  const until = `until [ -S ${filesIn(join(directory, 'proxy')).masterSocket} ]; do sleep 0.05; done`
  const lines = ['#!/bin/sh', `echo "$*" >>${log}`, fault || `${start} >/dev/null 2>&1 &\n${until}`]
  writeFileSync(systemctl, `${lines.join('\n')}\n`, { mode: 0o755 })
  return { places: { unit, systemctl }, asked: () => (existsSync(log) ? readFileSync(log, 'utf8') : '') }
}

/** An agent whose proxy answers at a port that needs a capability. */
async function site(address: string) {
  const directory = scratchDirectory()
  const files = filesIn(join(directory, 'proxy'))
  mkdirSync(join(directory, 'proxy'), { mode: 0o700 })
  onTestFinished(() => endProxy(directory))
  const account = await accountOfProxy()
  const port = 81
  const lines = [
    'global',
    `  stats socket ${join(directory, 'proxy/runtime.sock')} mode 600 level admin expose-fd listeners`,
    ...(account === null ? [] : [`  user ${account}`, `  group ${account}`]),
    'defaults\n  mode http\n  timeout client 5s\n  timeout connect 5s\n  timeout server 5s',
    `frontend one\n  bind ${address}:${port}\n  http-request return status 200 content-type text/plain string served`,
  ]
  writeFileSync(files.config, `${lines.join('\n')}\n`)
  return { directory, files, answer: async () => (await ask(port, { address })).body }
}

test.skipIf(isSkipped)('the agent starts the service, and takes it for its own', async () => {
  const { directory, files, answer } = await site('127.0.9.1')
  const manager = serviceManager(directory, unitFor(directory))
  await startMaster(files, manager.places)
  expect(manager.asked()).toBe('start daybook-proxy.service\n')
  await expect.poll(() => answer().catch(() => 'refused')).toBe('served')
  await expect.poll(() => runningMaster(files)).toBeGreaterThan(1)
  const master = await runningMaster(files)
  const runtime = runtimeOf(files.masterSocket)
  // This service manager does not wait for the word of HAProxy, as systemd does.
  await expect.poll(() => runtime.workers().then(({ length }) => length)).toBe(1)
  const [before] = await runtime.workers()
  await runtime.reload()
  await expect
    .poll(async () => (await runtime.workers().catch(() => [])).some(({ pid }) => pid !== before!.pid))
    .toBe(true)
  expect(await answer()).toBe('served')
  expect(await runningMaster(files)).toBe(master)
  // It ends its workers, which run as another account.
  process.kill(master!, 'SIGTERM')
  await expect.poll(() => runningMaster(files)).toBeUndefined()
})

test.skipIf(isSkipped)('a service of another agent is left alone, and one that does not start is told', async () => {
  const { directory, files, answer } = await site('127.0.9.2')
  const other = serviceManager(directory, unitFor(`${directory}/other`))
  await startMaster(files, other.places)
  expect(other.asked()).toBe('')
  expect(await answer()).toBe('served')
  const broken = serviceManager(directory, unitFor(directory), 'exit 1')
  await expect(startMaster(files, broken.places)).rejects.toMatchObject({ code: 'PROXY_DOWN' })
  const missing = { ...broken.places, systemctl: join(directory, 'nowhere') }
  await expect(startMaster(files, missing)).rejects.toMatchObject({ code: 'PROXY_DOWN' })
})
