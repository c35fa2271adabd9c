/** The tour of docs/panel/first-application.md, as it is pasted: `npm start`, the example and a real engine. */
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { loadBusybox } from '../support/busybox-image.ts'
import { noEngine, startEngine } from '../support/docker-engine.ts'
import { freePort } from '../support/free-port.ts'
import { endProxy, noHaproxy } from '../support/haproxy.ts'
import { daybook } from '../support/processes/process.ts'
import { scratchOfFile } from '../support/scratch.ts'

const ROOT = join(import.meta.dirname, '../..')
const PAGE = readFileSync(join(ROOT, 'docs/panel/first-application.md'), 'utf8')
const IMAGE = /^FROM (\S+)$/m.exec(readFileSync(join(ROOT, 'examples/hello/Dockerfile'), 'utf8'))![1]!
const missing = ['bash', 'curl', 'jq', 'git'].filter((program) => spawnSync(program, ['--version']).status !== 0)
const isSkipped = (noEngine ?? noHaproxy) !== undefined || missing.length > 0
const engine = isSkipped ? undefined : await startEngine({ publishes: true })
const home = scratchOfFile()
const running: ReturnType<typeof daybook>[] = []
afterAll(async () => {
  for (const each of running.toReversed()) await each.stop()
  endProxy(join(home, '.daybook/local-agent'))
  await engine?.stop()
})

/** A first start, and what a person does in half an hour. */
const LONG = { timeout: 240_000 }
const scripts = [...PAGE.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, script]) => script!)

test.skipIf(isSkipped)('the commands of the tour deploy the example, change it and roll back', LONG, async () => {
  // There is no hub here: the engine has what the example is made from.
  await loadBusybox(engine!, IMAGE)
  const [licensing, panel, git] = [await freePort(), await freePort(), await freePort()]
  const env = { DOCKER_HOST: `unix://${engine!.socketPath}`, LICENSING_PORT: `${licensing}`, PANEL_PORT: `${panel}` }
  const started = daybook(['start'], env, home)
  running.push(started)
  const example = daybook(['--port', `${git}`], {}, home, join(ROOT, 'scripts/example.ts'))
  running.push(example)
  await started.until('Press Ctrl-C')
  expect(started.said()).toMatch(/Local server +ready/)
  await example.until('is served at')
  const bash = (script: string) =>
    promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: home }).catch((error: unknown) => {
      throw new Error(JSON.stringify(error), { cause: error })
    })
  const register = /curl -sS '\S+\/api\/auth\/register'.*?\n\n/s.exec(started.said())![0]
  await bash(register)
  // No hub is asked for it.
  const headers = { 'content-type': 'application/json' }
  const account = /-d '(\{.*?\})'/s.exec(register)![1]!
  const { email, password } = JSON.parse(account)
  const send = async (method: string, path: string, body: object, more: object = {}): Promise<any> => {
    const asked = { method, headers: { ...headers, ...more }, body: JSON.stringify(body) }
    return (await fetch(`http://127.0.0.1:${panel}/api/${path}`, asked)).json()
  }
  const { accessToken } = await send('POST', 'auth/login', { email, password })
  const authorization = `Bearer ${accessToken}`
  await send('PATCH', 'admin/settings/baseImages', { value: `static=${IMAGE}` }, { authorization })
  const tour = scripts
    .find((script) => script.includes('curl'))!
    .replace('http://127.0.0.1:3000', `http://127.0.0.1:${panel}`)
    .replace('http://127.0.0.1:3010', `http://127.0.0.1:${git}`)
  const { stdout } = await bash(`curl() { command curl --fail-with-body "$@"; }\n${tour}`)
  const shown = stdout.match(/^(?:SUCCEEDED|FAILED)$|<h1>.*<\/h1>/gm)
  const first = ['SUCCEEDED', '<h1>Hello from Daybook</h1>']
  expect(shown, stdout).toEqual([...first, 'SUCCEEDED', '<h1>Hello again</h1>', ...first])
  expect(stdout).toContain('app 1 is healthy')
})
