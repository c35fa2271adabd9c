/** `daybook start` on a container engine of the drill, with an application that is deployed from a repository of the drill. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
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
const INSIDE = 8_080

export const missingForShop = (): string | undefined => noEngine ?? noHaproxy

/** The fast path is a file. The slow one takes 300 ms, and answers what it was sent. */
const SLOW = `#!/bin/sh
body=$(head -c "\${CONTENT_LENGTH:-0}")
usleep 300000
printf 'Content-Type: text/plain\\r\\n\\r\\n%s' "$body"
`
const dockerfileOf = (command: readonly string[]) => `FROM ${BUSYBOX}
COPY www /www
RUN chmod 755 /www/cgi-bin/slow
CMD ${JSON.stringify(command)}
`
const SERVES = ['sh', '-c', `trap 'exit 0' TERM; httpd -f -p ${INSIDE} -h /www & wait`]
const HANGS = ['sleep', '60']

export interface Ended {
  readonly id: string
  readonly status: string
  readonly tookMs: number
}

export type ShopSite = Awaited<ReturnType<typeof shopSite>>

/** The site while the work runs. @param directory keeps everything of it */
export async function onShop<Result>(directory: string, work: (site: ShopSite) => Promise<Result>): Promise<Result> {
  const engine = await startEngine({ publishes: true })
  try {
    const site = await shopSite(directory, engine)
    try {
      return await work(site)
    } finally {
      await site.close()
    }
  } finally {
    await engine.stop()
  }
}

async function shopSite(directory: string, engine: TestEngine) {
  await loadBusybox(engine)
  const repository = repositoryIn(join(directory, 'git/shop'))
  const git = await serveGit(join(directory, 'git'))
  const [licensing, port] = [await freePort(), await freePort()]
  const env = { DOCKER_HOST: `unix://${engine.socketPath}`, LICENSING_PORT: `${licensing}`, PANEL_PORT: `${port}` }
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

  async function call(method: string, path: string, body?: unknown): Promise<any> {
    const headers = { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) }
    const reply = await fetch(origin + path, {
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
  const { id: projectId } = await call('POST', '/api/projects', { name: 'Drill' })
  const { id: environmentId } = await call('POST', `/api/projects/${projectId}/environments`, { name: 'live' })
  const application = await call('POST', '/api/applications', {
    projectId,
    environmentId,
    name: 'Shop',
    port: INSIDE,
    source: { kind: 'GIT', url: git.url('shop'), branch: 'main' },
    memoryMiB: 256,
    stopSeconds: 1,
    healthCheck: { kind: 'HTTP', path: '/index.html', intervalSeconds: 1, startSeconds: 5 },
  })
  const at = (path: string): string => `/api/applications/${application.id}${path}`
  const state = (id: string): Promise<any> => call('GET', `/api/deployments/${id}`)

  return {
    /** Where the application answers. */
    port: Number(new URL(application.url).port),
    change: (values: object) => call('PATCH', at(''), values),
    /** A version that answers `text`; without it, one that never gets healthy. */
    push(text?: string): void {
      repository.write({
        Dockerfile: dockerfileOf(text === undefined ? HANGS : SERVES),
        'www/cgi-bin/slow': SLOW,
        'www/index.html': text ?? 'nothing',
      })
      repository.commit(text ?? 'hangs')
    },
    ask: async (what: 'redeploy' | 'rollback' | 'restart', body: object = {}): Promise<string> =>
      (await call('POST', at(`/${what}`), body)).id,
    state,
    /** @returns how it has ended */
    async over(id: string): Promise<Ended> {
      const begunMs = performance.now()
      for (;;) {
        const { status, endedAt } = await state(id).catch(() => ({ status: 'UNKNOWN', endedAt: null }))
        const tookMs = performance.now() - begunMs
        if (endedAt !== null) return { id, status, tookMs }
        if (tookMs > OVER_WITHIN_MS) throw new Error(`Deployment ${id} is ${status} after ${OVER_WITHIN_MS} ms`)
        await pause(50)
      }
    },
    /** The deployments whose containers there are, one for each container. */
    containers: async (): Promise<string[]> =>
      (await engine.api('GET', '/containers/json?all=true')).map(({ Labels }: any) => Labels['daybook.deployment']),
    async removeContainers(): Promise<void> {
      for (const { Id } of await engine.api('GET', '/containers/json?all=true'))
        await engine.api('DELETE', `/containers/${Id}?force=true`)
    },
    /** SIGKILL to the panel with its worker, and a start anew. Sessions stay good. */
    async killPanel(): Promise<void> {
      await running.stop('SIGKILL')
      running = await begin()
      await signIn()
    },
    /** SIGKILL to the agent. The panel starts it anew. */
    killAgent(): void {
      const pid = childrenOf(running.pid).find((child) => commandOf(child).includes('\0agent\0'))
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
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
