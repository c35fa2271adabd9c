/** HAProxy on this machine, the targets behind it, and clients that count what they lose. */
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { refusalOf } from '../../src/agent/proxy/program.ts'
import { openProxy } from '../../src/agent/proxy/proxy.ts'
import { runtimeOf } from '../../src/agent/proxy/runtime.ts'
import type { TargetsOf } from '../../src/agent/proxy/targets.ts'
import type { ProxyFragment } from '../../src/tasks/proxy.ts'
import { freePort } from './free-port.ts'

/** Why HAProxy cannot run here; undefined: it can. */
export const noHaproxy: string | undefined =
  spawnSync('haproxy', ['-v']).status === 0 ? undefined : 'no HAProxy is installed'

if (noHaproxy !== undefined) {
  if (process.env['CI']) throw new Error(`CI needs HAProxy: ${noHaproxy}`)
  console.log(`SKIPPED: ${noHaproxy}`)
}

export type Target = Awaited<ReturnType<typeof startTarget>>

/** A release with one container: each answer says its name, and what it got. */
async function startTarget(address: string, port = 0, answerMs = 5) {
  const server = createServer(async (asked, answer) => {
    const body = await text(asked)
    const delayMs = Number(new URL(asked.url ?? '/', 'http://target').searchParams.get('ms') ?? answerMs)
    await pause(delayMs)
    answer.setHeader('content-type', 'application/json')
    answer.end(JSON.stringify({ from: address, body, headers: asked.headers }))
  })
  server.keepAliveTimeout = 60_000
  let connections = 0
  server.on('connection', () => (connections += 1))
  server.listen(port, address)
  await once(server, 'listening')
  return {
    address,
    port: (server.address() as AddressInfo).port,
    /** So far, those of checks included. */
    connections: () => connections,
    /** As SIGTERM does to many programs: what runs is cut. */
    async stop() {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** What the engine would say. */
function releases() {
  const running = new Map<string, string[]>()
  const targetsOf: TargetsOf = async ({ release }) => running.get(release) ?? []
  return {
    targetsOf,
    add(...addresses: readonly string[]): string {
      const release = randomUUID()
      running.set(release, [...addresses])
      return release
    },
  }
}

const INSTALLATION = 'the installation'

export function fragmentOf(
  more: Partial<ProxyFragment> & { readonly release: string | null; readonly port: number },
): ProxyFragment {
  const { port, ...rest } = more
  return {
    installation: INSTALLATION,
    owner: { kind: 'APPLICATION', id: randomUUID() },
    revision: 1,
    hosts: [],
    listeners: [],
    backends: [{ name: 'app', mode: 'HTTP', service: 'app', port, replicas: 1 }],
    ...rest,
  }
}

export const never = new AbortController().signal

/** Ends the HAProxy of an agent, if it has started one. @param directory of the agent */
export function endProxy(directory: string): void {
  try {
    process.kill(Number(readFileSync(join(directory, 'proxy', 'haproxy.pid'), 'utf8')), 'SIGTERM')
  } catch {
    // It has not been started, or was ended by the test.
  }
}

/** HAProxy of the test file. */
export async function proxySite() {
  const { add, targetsOf } = releases()
  const home = await mkdtemp(join(tmpdir(), 'agent-'))
  const directory = join(home, 'proxy')
  const httpPort = await freePort()
  const said: string[] = []
  const log = (message: string, error?: unknown) =>
    void said.push(error instanceof Error ? `${message}: ${error.message}` : message)
  const runtime = runtimeOf(join(directory, 'master.sock'))
  const master = () => Number(readFileSync(join(directory, 'haproxy.pid'), 'utf8'))
  /** As each start of an agent does. */
  const open = () => openProxy({ directory, httpPort, targetsOf, refusalOf: check, log })
  let checks = 0
  const check: typeof refusalOf = (config) => {
    checks += 1
    return refusalOf(config)
  }
  const proxy = open()
  const targets: Target[] = []
  return {
    directory,
    httpPort,
    said,
    runtime,
    master,
    open,
    proxy,
    /** How often HAProxy was asked whether it takes a configuration. */
    checks: () => checks,
    /** A release with containers at these addresses. */
    add,
    async target(address: string, port = 0): Promise<Target> {
      const started = await startTarget(address, port)
      targets.push(started)
      return started
    },
    /** At a port of its own. */
    async served(first: Target) {
      const port = await freePort()
      const listeners = [{ ip: null, port, mode: 'HTTP' as const, backend: 'app' }]
      const fragment = fragmentOf({ release: add(first.address), port: first.port, listeners })
      return { port, fragment, put: await proxy.put(fragment, never) }
    },
    reloads: async () => (await runtime.reloads()).done,
    async stop() {
      endProxy(home)
      await Promise.all(targets.map((each) => each.stop()))
      await rm(home, { recursive: true, force: true })
    },
  }
}

interface Answered {
  readonly status: number
  readonly body: any
}

export async function ask(
  port: number,
  {
    path = '/',
    host = 'localhost',
    agent,
    body,
    headers = {},
    address = '127.0.0.1',
  }: {
    path?: string
    host?: string
    agent?: Agent | false
    body?: string
    headers?: Record<string, string>
    address?: string
  } = {},
): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>()
  const method = body === undefined ? 'GET' : 'POST'
  const asked = request({ host: address, port, path, method, agent: agent ?? false, headers: { ...headers, host } })
  asked.on('error', reject).on('response', (response) => {
    text(response).then((said) => {
      const isJson = response.headers['content-type'] === 'application/json'
      return resolve({ status: response.statusCode!, body: isJson ? JSON.parse(said) : said })
    }, reject)
  })
  asked.end(body)
  return promise
}

/** Half of them keep their connections, a third of them sends bodies. Ended by `stop`. */
export function clients(port: number, { count = 12, host = 'localhost' }: { count?: number; host?: string } = {}) {
  const tally = { answered: 0, lost: [] as string[], slowestMs: 0, from: new Set<string>() }
  let isOver = false
  async function client(nth: number): Promise<void> {
    const agent = nth % 2 === 0 ? new Agent({ keepAlive: true, maxSockets: 1 }) : false
    while (!isOver) {
      const body = nth % 3 === 0 ? `body ${nth}` : undefined
      const begunMs = performance.now()
      try {
        const path = `/?ms=${Math.ceil(Math.random() * 100)}`
        const answer = await ask(port, { path, host, agent, ...(body !== undefined && { body }) })
        const isRight = answer.status === 200 && answer.body.body === (body ?? '')
        if (!isRight) tally.lost.push(`${answer.status} ${JSON.stringify(answer.body)}`)
        tally.answered += 1
        if (isRight) tally.from.add(answer.body.from)
      } catch (error) {
        tally.lost.push(`${nth} ${String(error)}`)
      }
      tally.slowestMs = Math.max(tally.slowestMs, performance.now() - begunMs)
      await pause(Math.random() * 10)
    }
    if (agent) agent.destroy()
  }
  const all = Array.from({ length: count }, (_, nth) => client(nth))
  return {
    tally,
    async stop() {
      isOver = true
      await Promise.all(all)
      return tally
    },
  }
}
