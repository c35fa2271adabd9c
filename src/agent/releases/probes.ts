/** One look at a container: whether it is healthy, by the way that its service names. */
import { get } from 'node:http'
import { connect } from 'node:net'
import type { ReleaseHealth } from '../../tasks/releases.ts'
import type { AskEngine } from '../engine/ask-engine.ts'
import type { Seen } from './containers.ts'
import { runInside } from './run-inside.ts'

/** The first status that says that the program itself has failed. */
const SERVER_ERROR = 500
/** A program that ends at once has run before. */
const SETTLED_MS = 1_000

export interface Probed {
  readonly isHealthy: boolean
  /** What it did instead, after the word "it". */
  readonly why: string
  readonly isPortClosed?: boolean
}

export interface Target {
  readonly ask: AskEngine
  readonly seen: Seen
  readonly address: string
  readonly port: number
  readonly health: ReleaseHealth
  /** Since the agent waits for it. */
  readonly runsMs: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

const HEALTHY: Probed = { isHealthy: true, why: '' }
const unhealthy = (why: string, isPortClosed = false): Probed => ({ isHealthy: false, why, isPortClosed })
const closed = ({ port }: Target): Probed => unhealthy(`does not listen on port ${port} of its network`, true)

export const PROBES: Readonly<Record<ReleaseHealth['kind'], (target: Target) => Promise<Probed>>> = {
  HTTP: httpProbe,
  TCP: tcpProbe,
  async COMMAND({ ask, seen, health, timeoutMs }) {
    const code = await runInside(ask, seen.Id, health.command!, timeoutMs)
    if (code === 0) return HEALTHY
    return unhealthy(code === undefined ? 'lets the check run out of time' : `answers the check with code ${code}`)
  },
  async IMAGE({ seen: { State } }) {
    const status = State.Health?.Status ?? 'none'
    if (status === 'healthy') return HEALTHY
    return unhealthy(
      status === 'none' ? 'is of an image without a health check' : `is ${status} by the check of its image`,
    )
  },
  async NONE({ seen: { State }, runsMs }) {
    return State.Running && runsMs >= SETTLED_MS ? HEALTHY : unhealthy('does not run yet')
  },
}

/** Redirects are answers: they are not followed. */
function httpProbe(target: Target): Promise<Probed> {
  const { address, port, health, timeoutMs, signal } = target
  const path = health.path ?? '/'
  const late = AbortSignal.timeout(timeoutMs)
  const { promise, resolve } = Promise.withResolvers<Probed>()
  let isConnected = false
  const asked = get({
    host: address,
    port,
    path,
    agent: false,
    signal: AbortSignal.any([signal, late]),
  })
  asked.once('socket', (socket) => socket.once('connect', () => (isConnected = true)))
  asked.once('response', (response) => {
    response.destroy()
    const { statusCode = SERVER_ERROR } = response
    resolve(statusCode < SERVER_ERROR ? HEALTHY : unhealthy(`answers ${statusCode} to GET ${path}`))
  })
  // An answer that changes the protocol is neither a response nor an error.
  asked.once('upgrade', (_response, socket) => {
    socket.destroy()
    resolve(unhealthy(`answers GET ${path} with another protocol`))
  })
  asked.on('error', () => {
    if (!isConnected) resolve(closed(target))
    else if (late.aborted) resolve(unhealthy(`does not answer GET ${path} in time`))
    else resolve(unhealthy(`does not answer GET ${path} by HTTP`))
  })
  return promise
}

function tcpProbe(target: Target): Promise<Probed> {
  const { address, port, timeoutMs, signal } = target
  const { promise, resolve } = Promise.withResolvers<Probed>()
  const socket = connect({ host: address, port, signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) })
  socket.once('connect', () => {
    socket.destroy()
    resolve(HEALTHY)
  })
  socket.on('error', () => resolve(closed(target)))
  return promise
}
