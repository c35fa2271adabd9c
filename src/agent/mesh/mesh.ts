/** The links from this host to its peers: measured again and again, and told in beats. */
import type { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { LINKS_MAX, mesh } from '../../tasks/mesh.ts'
import type { MeshBody, MeshLink, MeshPeer } from '../../tasks/mesh.ts'
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
  /** What was measured of late, for a beat. */
  news(): { readonly links?: MeshLink[] }
  close(): Promise<void>
}

/** @param serverId of this host */
export function startMesh(serverId: string): Mesh {
  let body: MeshBody = { port: null, peers: [] }
  let listener: { readonly port: number; readonly server: Server } | undefined
  let keys: ReadonlyMap<string, string> = new Map()
  let [links, newsMs] = [[] as readonly Measured[], -Infinity]
  let measuring = new AbortController()

  async function listen(port: number | null): Promise<void> {
    if (listener?.port === port) return
    if (listener) await stopListening(listener.server)
    listener = undefined
    if (port !== null) listener = { port, server: await listenForPeers(port, (call) => answerTo(call, serverId, keys)) }
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
      const isSame = isDeepStrictEqual(next, body)
      if (isSame && (listener?.port ?? null) === next.port) return {}
      body = next
      keys = new Map(next.peers.map((peer) => [peer.serverId, peer.key]))
      measuring.abort()
      links = links.filter(({ to }) => keys.has(to))
      await listen(next.port)
      measuring = new AbortController()
      void measure(next.peers, measuring)
      return {}
    }),
    news() {
      const nowMs = performance.now()
      if (nowMs - newsMs > TOLD_FOR_MS) return {}
      return { links: links.map(({ atMs, ...link }) => ({ ...link, ageMs: Math.round(nowMs - atMs) })) }
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
