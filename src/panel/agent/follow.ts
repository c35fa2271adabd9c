/**
 * Live reads that go on until their viewers leave, such as the log of a container. All viewers of one source in this process
 * share one follow. Nothing of it is kept.
 */
import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { HandlerContext } from '#kernel/http/route'
import { LruMap } from '#kernel/lib/lru-map'
import { found, Rejection, reject } from '#kernel/lib/rejection'
import { serviceKey } from '#kernel/lib/services'
import { WakeUp } from '#kernel/lib/wake-up'
import type { FollowKind } from '../../tasks/kind.ts'
import { ResultBody } from '../../tasks/protocol.ts'
import type { LogLine, ProgressAnswer } from '../../tasks/protocol.ts'
import { openRead } from './asks.ts'
import { taskHub } from './hub.ts'
import { dropLines, putLines, takeLines } from './live-lines.ts'
import { IDLE_MS, WINDOW_BYTES } from './live-pieces.ts'
import { serversOfAgents } from './servers-of-agents.ts'

const FOLLOWS_MAX = 100
const LOOK_AGAIN_MS = 1_000
/** An agent that has not taken it by then is silent. */
const SILENT_MS = 10_000
/** A viewer that comes later sees so many lines of before. */
const RECENT_LINES = 200

const TOUCH = `UPDATE telemetry.ask SET expires_at = clock_timestamp() + interval '30 seconds' WHERE ask_id = $1
  RETURNING answer, extract(epoch FROM clock_timestamp() - told_at)::float8 * 1000 AS "toldMs"`
const CLOSE = 'DELETE FROM telemetry.ask WHERE ask_id = $1'
const TOLD = `UPDATE telemetry.ask SET told_at = clock_timestamp()
  WHERE ask_id = $6 AND server_id = $7 AND is_follow AND expires_at > clock_timestamp() RETURNING ask_id`
/** Of which this process remembers that agents have told of them. */
const TOLD_MAX = 1_000

/** What this process follows, by server, kind and parameters. */
export const openFollows = serviceKey<Map<string, Source>>('open follows', new Map())

type FollowCall = Pick<HandlerContext, 'telemetry' | 'service' | 'now' | 'abortSignal'>
type SourceCall = Pick<FollowCall, 'telemetry' | 'service' | 'now'>

interface Source {
  view(signal: AbortSignal): AsyncIterable<readonly LogLine[]>
}

/** Lines that came together. All viewers get the same array. */
interface Batch {
  readonly lines: readonly LogLine[]
  readonly bytes: number
}

interface Viewer {
  readonly waiting: Batch[]
  bytes: number
  readonly wakeUp: WakeUp
}

/**
 * The lines from now on, after the newest ones of before.
 * @throws Rejection 503 SERVER_OFFLINE · from the iterator: 409 BUSY, 503 SERVER_SILENT, or the code that the agent gives
 */
export async function follow<Params>(
  call: FollowCall,
  kind: FollowKind<Params>,
  serverId: string,
  params: Params,
): Promise<AsyncIterable<readonly LogLine[]>> {
  const { telemetry, service, now, abortSignal } = call
  const checked = kind.params.parse(params)
  const key = JSON.stringify([serverId, kind.name, checked])
  if (!(await service(serversOfAgents).isReachable(telemetry, serverId, now)))
    reject('unavailable', 'The server has not been heard of: its agent is offline', 'SERVER_OFFLINE')
  const sources = service(openFollows)
  const known = sources.get(key)
  if (known) return known.view(abortSignal)
  const asked = { serverId, kind: kind.name, version: kind.version, params: checked }
  const source = openSource({ telemetry, service, now }, asked, () => {
    // A newer one may have come since its last viewer left.
    if (sources.get(key) === source) sources.delete(key)
  })
  sources.set(key, source)
  return source.view(abortSignal)
}

interface AskedSource {
  readonly serverId: string
  readonly kind: string
  readonly version: number
  readonly params: unknown
}

function openSource(parts: SourceCall, asked: AskedSource, onEnd: () => void): Source {
  const viewers = new Set<Viewer>()
  const stop = new AbortController()
  let recent: readonly LogLine[] = []
  let end: { readonly error?: unknown } | undefined

  function show(lines: readonly LogLine[]): void {
    if (lines.length === 0) return
    recent = [...recent.slice(-RECENT_LINES), ...lines.slice(-RECENT_LINES)].slice(-RECENT_LINES)
    const batch = batchOf(lines)
    for (const viewer of viewers) give(viewer, batch)
  }

  const isBehind = () => [...viewers].some(({ bytes }) => bytes > WINDOW_BYTES)

  function finish(how: { readonly error?: unknown }): void {
    end = how
    onEnd()
    for (const { wakeUp } of viewers) wakeUp.call()
  }

  pump(parts, asked, { show, isBehind, hasViewers: () => viewers.size > 0 }, stop.signal).then(
    () => finish({}),
    (error: unknown) => finish({ error }),
  )

  return {
    async *view(signal) {
      const own: Viewer = { waiting: [], bytes: 0, wakeUp: new WakeUp() }
      viewers.add(own)
      if (recent.length > 0) give(own, batchOf(recent))
      const leave = () => own.wakeUp.call()
      signal.addEventListener('abort', leave)
      try {
        while (!signal.aborted) {
          own.wakeUp.reset()
          const batch = own.waiting.shift()
          own.bytes -= batch?.bytes ?? 0
          if (batch) yield batch.lines
          else if (end?.error !== undefined) throw end.error
          else if (end) return
          else await own.wakeUp.rest(LOOK_AGAIN_MS)
        }
      } finally {
        signal.removeEventListener('abort', leave)
        viewers.delete(own)
        if (viewers.size === 0) stop.abort()
        if (viewers.size === 0) onEnd()
      }
    },
  }
}

const batchOf = (lines: readonly LogLine[]): Batch => ({
  lines,
  bytes: lines.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
})

function give(viewer: Viewer, batch: Batch): void {
  viewer.waiting.push(batch)
  viewer.bytes += batch.bytes
  viewer.wakeUp.call()
}

interface Audience {
  show(lines: readonly LogLine[]): void
  isBehind(): boolean
  hasViewers(): boolean
}

/** Runs until the source ends, or the viewers leave. @throws Rejection */
async function pump(
  { telemetry, service, now }: SourceCall,
  { serverId, kind, version, params }: AskedSource,
  { show, isBehind, hasViewers }: Audience,
  signal: AbortSignal,
): Promise<void> {
  const [followId, startedMs, hub] = [randomUUID(), performance.now(), service(taskHub)]
  const seat = await hub.ofTask(followId)
  let [last, touchedMs, isFlowing] = [0, 0, false]
  try {
    const asked = { askId: followId, serverId, kind, version, params, now, forMs: IDLE_MS }
    if (!(await openRead(telemetry, asked, { isFollow: true, most: FOLLOWS_MAX })))
      reject('conflict', `${FOLLOWS_MAX} follows of the server are open: close one`, 'BUSY')
    hub.ask(serverId)
    let state: FollowState = { answer: null, toldMs: null }
    while (!signal.aborted) {
      seat.reset()
      // Before the lines are taken: an agent that has ended has put all of them.
      if (!isFlowing || performance.now() - touchedMs > LOOK_AGAIN_MS) {
        state = await touch(telemetry, followId)
        touchedMs = performance.now()
      }
      const lines = isBehind() ? [] : await takeLines(telemetry, followId, last)
      last = lines.at(-1)?.seq ?? last
      show(lines)
      const hasFlowed = isFlowing
      isFlowing = lines.length > 0
      // After the last lines, what is judged is how it is now.
      if (isFlowing || hasFlowed) continue
      const aloneMs = performance.now() - startedMs
      if (state.answer !== null && !isBehind()) return readEnd(state.answer)
      if ((state.toldMs ?? aloneMs) > (state.toldMs === null ? SILENT_MS : IDLE_MS))
        reject('unavailable', 'The agent of the server did not answer in time', 'SERVER_SILENT')
      if (!hasViewers() && aloneMs > IDLE_MS) return
      await seat.wait(LOOK_AGAIN_MS, signal)
    }
  } finally {
    seat.leave()
    await telemetry.query(CLOSE, [followId])
    await dropLines(telemetry, followId)
  }
}

interface FollowState {
  readonly answer: unknown
  /** Since the agent has told something; null before. */
  readonly toldMs: number | null
}

async function touch(telemetry: Pool, followId: string): Promise<FollowState> {
  const { rows } = await telemetry.query<FollowState>(TOUCH, [followId])
  return rows[0] ?? reject('unavailable', 'The follow was ended', 'SERVER_SILENT')
}

function readEnd(answer: unknown): void {
  const told = ResultBody.parse(answer)
  if (told.outcome === 'FAILED') throw new Rejection('unavailable', told.error.message, told.error.code)
}

/** What agents follow: no task has the id of a follow. */
const toldFollows = serviceKey<LruMap<true>>('follows that agents tell of', new LruMap(TOLD_MAX))

export const isKnownFollow = ({ service }: Pick<FollowCall, 'service'>, id: string): boolean =>
  service(toldFollows).get(id) === true

/** @throws Rejection 404 where the agent was not asked to follow this, or its viewers have left */
export async function putFollowed(
  { telemetry, service }: Pick<FollowCall, 'telemetry' | 'service'>,
  { serverId, followId }: { readonly serverId: string; readonly followId: string },
  lines: readonly LogLine[],
): Promise<Pick<ProgressAnswer, 'next' | 'pause'>> {
  const put = found(await putLines(telemetry, followId, lines, { statement: TOLD, values: [followId, serverId] }))
  service(toldFollows).set(followId, true)
  return put
}
