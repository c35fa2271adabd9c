/** The links from this host to its peers: measured again and again, and told in beats. */
import type { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { LINKS_MAX, mesh } from '../../tasks/mesh.ts'
import type { MeshBody, MeshLink, MeshPeer } from '../../tasks/mesh.ts'
import { backOff } from '../back-off.ts'
import { planner } from '../plans.ts'
import type { Planner } from '../plans.ts'
import { listenForPeers, stopListening } from './listen.ts'
import { answerTo } from './messages.ts'
import { roundTripTo } from './probe.ts'
import type { Target } from './probe.ts'

const EVERY_MS = 300_000
/** A peer may open its port a moment later. From then on, each wait is twice the one before. */
const BLOCKED_FIRST_MS = 2_000
const AT_ONCE = 20
/** A beat that is lost is followed by others with the same links. */
const TOLD_FOR_MS = 120_000

interface Measured extends Omit<MeshLink, 'ageMs'> {
  readonly atMs: number
}

export interface Mesh {
  readonly planner: Planner
  /** For a beat: what was measured of late, and the port of the plan while the host cannot open it. */
  news(): { readonly links?: MeshLink[]; readonly meshPortClosed?: number }
  close(): Promise<void>
}

/** @param serverId of this host */
export function startMesh(serverId: string): Mesh {
  let body: MeshBody = { port: null, peers: [] }
  let listener: { readonly port: number; readonly server: Server } | undefined
  let keys: ReadonlyMap<string, string> = new Map()
  let [links, newsMs] = [[] as readonly Measured[], -Infinity]
  let measuring = new AbortController()
  let closedPort: number | undefined
  let turn: Promise<void> = Promise.resolve()

  async function change(port: number | null, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted || (listener && listener.port === port)) return
    if (listener) await stopListening(listener.server)
    const server = port === null ? undefined : await listenForPeers(port, (call) => answerTo(call, serverId, keys))
    listener = server && { port: port!, server }
    closedPort = server ? undefined : (port ?? undefined)
  }

  /** One at a time. */
  const listen = (port: number | null, signal?: AbortSignal): Promise<void> =>
    (turn = turn.then(() => change(port, signal)))

  /** Another program may free the port. */
  async function listenUntilOpen(port: number | null, signal: AbortSignal): Promise<void> {
    const again = backOff({ firstMs: BLOCKED_FIRST_MS, longestMs: EVERY_MS })
    while (!signal.aborted && closedPort !== undefined) {
      await again.wait(signal)
      await listen(port, signal)
    }
  }

  async function measure(peers: readonly MeshPeer[], { signal }: AbortController): Promise<void> {
    const targets = peers.filter((peer): peer is Target => peer.address !== null).slice(0, LINKS_MAX)
    let blockedMs = BLOCKED_FIRST_MS
    while (targets.length > 0) {
      const measured = await linksTo(targets, serverId, signal)
      if (signal.aborted) return
      ;[links, newsMs] = [measured, performance.now()]
      const isBlocked = measured.some(({ state }) => state === 'BLOCKED')
      const isOver = await pause(isBlocked ? blockedMs : EVERY_MS, false, { signal, ref: false }).catch(() => true)
      if (isOver) return
      blockedMs = isBlocked ? Math.min(blockedMs * 2, EVERY_MS) : BLOCKED_FIRST_MS
    }
  }

  return {
    planner: planner(mesh, async (next) => {
      if (isDeepStrictEqual(next, body)) return {}
      body = next
      keys = new Map(next.peers.map((peer) => [peer.serverId, peer.key]))
      measuring.abort()
      links = links.filter(({ to }) => keys.has(to))
      measuring = new AbortController()
      await listen(next.port)
      void listenUntilOpen(next.port, measuring.signal)
      void measure(next.peers, measuring)
      return {}
    }),
    news() {
      const nowMs = performance.now()
      const closed = closedPort === undefined ? {} : { meshPortClosed: closedPort }
      if (nowMs - newsMs > TOLD_FOR_MS) return closed
      return { ...closed, links: links.map(({ atMs, ...link }) => ({ ...link, ageMs: Math.round(nowMs - atMs) })) }
    },
    async close() {
      measuring.abort()
      await listen(null)
    },
  }
}

async function linksTo(targets: readonly Target[], from: string, signal: AbortSignal): Promise<Measured[]> {
  const measured: Measured[] = []
  for (let nth = 0; nth < targets.length && !signal.aborted; nth += AT_ONCE)
    measured.push(...(await Promise.all(targets.slice(nth, nth + AT_ONCE).map((each) => linkTo(each, from, signal)))))
  return measured
}

async function linkTo(target: Target, from: string, signal: AbortSignal): Promise<Measured> {
  const rttMs = await roundTripTo(target, from, signal)
  const told = { to: target.serverId, atMs: performance.now() }
  return rttMs === undefined ? { ...told, state: 'BLOCKED', rttMs: null } : { ...told, state: 'OK', rttMs }
}
