/** `daybook start` on a container engine of the drill, with an application that is deployed from a repository of the drill. */
import { createHmac, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runtimeOf } from '../src/agent/proxy/runtime.ts'
import { BUSYBOX, loadBusybox } from '../test/support/busybox-image.ts'
import { noEngine, startEngine } from '../test/support/docker-engine.ts'
import type { TestEngine } from '../test/support/docker-engine.ts'
import { freePort } from '../test/support/free-port.ts'
import { repositoryIn, serveGit } from '../test/support/git-server.ts'
import { endProxy, noHaproxy } from '../test/support/haproxy.ts'
import { daybook } from '../test/support/processes/process.ts'
import { leftover } from './leftovers.ts'

const OVER_WITHIN_MS = 120_000
const READY = 'Press Ctrl-C'
const CLEARED_WITHIN_MS = 60_000
const AT_ONCE = 4
/** The port of the application in its container. */
export const SHOP_INSIDE = 8_080

export const missingForShop = (): string | undefined => noEngine ?? noHaproxy

/** The fast path is a file. The slow one takes 300 ms, and answers what it was sent. */
const SLOW = `#!/bin/sh
body=$(head -c "\${CONTENT_LENGTH:-0}")
usleep 300000
printf 'Content-Type: text/plain\\r\\n\\r\\n%s' "$body"
`
const dockerfileOf = (command: readonly string[], seconds: number) => `FROM ${BUSYBOX}
COPY www /www
RUN chmod 755 /www/cgi-bin/slow && sleep ${seconds}
CMD ${JSON.stringify(command)}
`
const SERVES = ['sh', '-c', `trap 'exit 0' TERM; httpd -f -p ${SHOP_INSIDE} -h /www & wait`]
const HANGS = ['sleep', '60']

export interface Ended {
  readonly id: string
  readonly status: string
  readonly tookMs: number
}

export type ShopSite = Awaited<ReturnType<typeof shopSite>>

interface ShopOptions {
  /** A module of drills/broken that is loaded before the panel, and before its agent. */
  readonly broken?: string | undefined
  /** Whether containers go on when the engine ends. */
  readonly isEngineOutlived?: boolean
}

/** The site while the work runs. @param directory keeps everything of it */
export async function onShop<Result>(
  directory: string,
  work: (site: ShopSite) => Promise<Result>,
  { broken, isEngineOutlived = false }: ShopOptions = {},
): Promise<Result> {
  const engine = await startEngine({ publishes: true, overlays: true, isOutlived: isEngineOutlived })
  try {
    const site = await shopSite(directory, engine, loading(broken))
    try {
      return await work(site)
    } finally {
      await site.close()
    }
  } finally {
    await engine.stop()
  }
}

/** The variables that load a module of drills/broken first. */
export const loading = (broken: string | undefined): NodeJS.ProcessEnv =>
  broken === undefined ? {} : { NODE_OPTIONS: `--import ${new URL(`broken/${broken}`, import.meta.url).href}` }

async function shopSite(directory: string, engine: TestEngine, more: NodeJS.ProcessEnv) {
  await loadBusybox(engine)
  const repository = repositoryIn(join(directory, 'git/shop'))
  const git = await serveGit(join(directory, 'git'))
  const [licensing, port] = [await freePort(), await freePort()]
  const ports = { LICENSING_PORT: `${licensing}`, PANEL_PORT: `${port}` }
  const env = { DOCKER_HOST: `unix://${engine.socketPath}`, ...ports, ...more }
  const begin = async () => {
    const started = daybook(['start'], env, directory)
    await started.until(READY)
    return started
  }
  let running = await begin()
  const cleaned = leftover(() => running.child.kill('SIGKILL'))
  const origin = `http://127.0.0.1:${port}`
  const account = JSON.parse(/api\/auth\/register'.*?-d '(\{.*?\})'/s.exec(running.said())![1]!)
  let token = ''

  async function call(method: string, path: string, body?: unknown, at = origin): Promise<any> {
    const headers = { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) }
    const reply = await fetch(at + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  async function signIn(): Promise<void> {
    token = ''
    const { email, password } = account
    ;({ accessToken: token } = await call('POST', '/api/auth/login', { email, password }))
  }
  await call('POST', '/api/auth/register', account)
  await signIn()
  // No registry is asked for it.
  await call('PATCH', '/api/admin/settings/baseImages', { value: `static=${BUSYBOX}` })
  const { id: projectId } = await call('POST', '/api/projects', { name: 'Drill' })
  const { id: environmentId } = await call('POST', `/api/projects/${projectId}/environments`, { name: 'live' })
  const add = (name: string, more: object = {}) =>
    call('POST', '/api/applications', {
      projectId,
      environmentId,
      name,
      port: SHOP_INSIDE,
      source: { kind: 'GIT', url: git.url('shop'), branch: 'main' },
      memoryMiB: 256,
      stopSeconds: 1,
      healthCheck: { kind: 'HTTP', path: '/index.html', intervalSeconds: 1, startSeconds: 5 },
      ...more,
    })
  const application = await add('Shop')
  let expected = 1
  let secret = ''
  const at = (path: string): string => `/api/applications/${application.id}${path}`
  const state = (id: string): Promise<any> => call('GET', `/api/deployments/${id}`)

  const containersOf = (): Promise<any[]> => engine.api('GET', '/containers/json?all=true')
  const containers = async (): Promise<string[]> =>
    (await containersOf()).map(({ Labels }) => Labels['daybook.deployment'])

  /** @returns the deployments of the containers that are left when what clears up has had its time */
  async function quiet(): Promise<string[]> {
    for (const late = performance.now() + CLEARED_WITHIN_MS; ; await pause(100)) {
      const left = await containers()
      if (left.length === expected || performance.now() > late) return left
    }
  }

  /** SIGKILL. The panel starts it anew. */
  function killAgent(): void {
    const pid = childrenOf(running.pid).find((child) => commandOf(child).includes('\0agent\0'))
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  }

  async function over(id: string): Promise<Ended> {
    const begunMs = performance.now()
    for (;;) {
      const { status, endedAt } = await state(id).catch(() => ({ status: 'UNKNOWN', endedAt: null }))
      const tookMs = performance.now() - begunMs
      if (endedAt !== null) return { id, status, tookMs }
      if (tookMs > OVER_WITHIN_MS) throw new Error(`Deployment ${id} is ${status} after ${OVER_WITHIN_MS} ms`)
      await pause(50)
    }
  }

  return {
    engine,
    call,
    origin,
    dataDir: join(directory, '.daybook'),
    repositoryUrl: git.url('shop'),
    /** Of another application. */
    repository: (name: string) => ({ ...repositoryIn(join(directory, 'git', name)), url: git.url(name) }),
    add,
    logsUrl: `${origin}${at('/logs/stream?tail=1')}`,
    headers: () => ({ authorization: `Bearer ${token}` }),
    pid: () => running.pid,
    proxyPid: () => Number(readFileSync(join(directory, '.daybook/local-agent/proxy/haproxy.pid'), 'utf8')),
    /** Of the proxy, since it began. */
    reloads: async () => (await runtimeOf(join(directory, '.daybook/local-agent/proxy/master.sock')).reloads()).done,
    quiet,
    over,
    containers,
    /** From now on, a delivery deploys. */
    async listens(): Promise<void> {
      await call('PATCH', at('/auto-deploy'), { enabled: true })
      ;({ secret } = await call('GET', at('/webhook')))
    },
    /** What a forge sends after a push. */
    async deliver(): Promise<void> {
      const id = randomUUID()
      const body = JSON.stringify({ ref: 'refs/heads/main', after: 'a'.repeat(40), id })
      const headers = {
        'content-type': 'application/json',
        'x-github-event': 'push',
        'x-github-delivery': id,
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      }
      const url = `${origin}/api/webhooks/applications/${application.id}`
      const { status } = await fetch(url, { method: 'POST', headers, body })
      if (status !== 202) throw new Error(`The delivery was answered ${status}`)
    },
    /** Others, which run. */
    async addMany(count: number): Promise<void> {
      const names = Array.from({ length: count }, (_, nth) => `App ${nth}`)
      const deploy = async () => {
        for (let name = names.pop(); name !== undefined; name = names.pop()) {
          const { id } = await add(name, { memoryMiB: 16, cpuMillis: 50 })
          const { id: deploymentId } = await call('POST', `/api/applications/${id}/redeploy`, {})
          const { status } = await over(deploymentId)
          if (status !== 'SUCCEEDED') throw new Error(`${name} is ${status}`)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, deploy))
      expected += count
    },
    container: async (): Promise<string> => (await containersOf())[0].Id,
    imageOfNow: async (): Promise<string> => (await containersOf())[0].ImageID,
    /** Resolves when the command has ended. */
    async runInside(id: string, Cmd: readonly string[]): Promise<void> {
      const { Id } = await engine.api('POST', `/containers/${id}/exec`, { Cmd, AttachStdout: true, Tty: true })
      await engine.api('POST', `/exec/${Id}/start`, { Tty: true })
    },
    /** Where the application answers. */
    port: Number(new URL(application.url).port),
    change: (values: object) => call('PATCH', at(''), values),
    /** A version that answers `text`; without it, one that never gets healthy. */
    push(text?: string, buildSeconds = 0): void {
      repository.write({
        Dockerfile: dockerfileOf(text === undefined ? HANGS : SERVES, buildSeconds),
        'www/cgi-bin/slow': SLOW,
        'www/index.html': text ?? 'nothing',
      })
      repository.commit(text ?? 'hangs')
    },
    ask: async (what: 'redeploy' | 'rollback' | 'restart', body: object = {}): Promise<string> =>
      (await call('POST', at(`/${what}`), body)).id,
    state,
    async removeContainers(): Promise<void> {
      for (const { Id } of await containersOf()) await engine.api('DELETE', `/containers/${Id}?force=true`)
    },
    /** SIGKILL to the panel with its worker, and a start anew. Sessions stay good. */
    async killPanel(): Promise<void> {
      await running.stop('SIGKILL')
      running = await begin()
      await signIn()
    },
    killAgent,
    /** SIGKILL to all but the containers, the proxy and the database. @returns what starts it anew */
    async killAll({ withContainers }: { readonly withContainers: boolean }): Promise<() => Promise<void>> {
      const seen = await Promise.all(
        (await containersOf()).map(({ Id }) => engine.api('GET', `/containers/${Id}/json`)),
      )
      killAgent()
      await Promise.all([running.stop('SIGKILL'), engine.kill()])
      if (withContainers) for (const { State } of seen) process.kill(State.Pid, 'SIGKILL')
      return async () => {
        await engine.start()
        running = await begin()
        await signIn()
      }
    },
    async close(): Promise<void> {
      cleaned()
      await running.stop()
      endProxy(join(directory, '.daybook/local-agent'))
      git.close()
    },
  }
}

const commandOf = (pid: number): string => textOf(`/proc/${pid}/cmdline`)

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter(
      (name) => /^\d+$/.test(name) && textOf(`/proc/${name}/stat`).split(') ').at(-1)?.split(' ')[1] === `${parent}`,
    )
    .map(Number)

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
