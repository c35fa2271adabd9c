/** Follows something on the host for those who look at it now: nothing of it is kept, and it ends when they leave. */
import { setTimeout as sleep } from 'node:timers/promises'
import { WakeUp } from '#kernel/lib/wake-up'
import type { ReadFollow } from '../tasks/envelope.ts'
import { LINES_PER_PIECE, PIECE_BYTES_MAX } from '../tasks/protocol.ts'
import type { LogLine } from '../tasks/protocol.ts'
import type { BoxKeys } from '../tasks/sealed-box.ts'
import { failed } from './journal.ts'
import type { TaskEnd } from './journal.ts'
import { isPassing } from './panel-client.ts'
import type { PanelClient } from './panel-client.ts'
import { TaskFailure } from './performer.ts'
import type { Follower } from './performer.ts'
import { secretFilters, secretsIn } from './secret-filter.ts'
import { openSecrets, UNOPENED } from './secrets.ts'
import { shortLines } from './spool.ts'

const GATHER_MS = 100
/** Without news the panel is asked whether its reader is still there. */
const ALIVE_MS = 10_000
const PAUSED_MS = 500
const RETRY_MS = 500
/** The follower waits while so much is not sent. */
const WAITING_BYTES_MAX = 1_048_576
/** Of a request: what is beside its lines is less than the rest. */
const ENOUGH_BYTES = PIECE_BYTES_MAX - 1_024
/** Slow connections get so much through in time. */
const LEAST_BYTES = 32_768
const SHRINK = 4

export interface FollowRunnerDependencies {
  readonly followers: ReadonlyMap<string, Follower>
  readonly boxKeys: BoxKeys
  readonly panel: Pick<PanelClient, 'progress' | 'result'>
  now(): Date
}

/** Resolves when it has ended, its reader has left, or `stopped` is aborted. */
export async function runFollow(ask: ReadFollow, parts: FollowRunnerDependencies, stopped: AbortSignal): Promise<void> {
  const { followId, kind, params } = ask
  const leave = new AbortController()
  const signal = AbortSignal.any([leave.signal, stopped])
  const lines = lineQueue(parts.now, signal)
  const secrets = openSecrets(ask.secrets, parts.boxKeys, { taskId: followId, attempt: 1 })
  const follower = parts.followers.get(kind.name)!
  const follow = async (): Promise<TaskEnd> => {
    if (secrets === UNOPENED) return failed('REFUSED_SECRETS', 'The secrets were sealed for another agent')
    const filters = secretFilters((follower.redacts ?? secretsIn)(secrets))
    const redacted = (text: string) => {
      const filter = filters()
      return filter.push(text) + filter.end()
    }
    const say = (texts: string | readonly string[], of: LogLine['of'] = 'OUT') =>
      lines.add([texts].flat().map(redacted), of)
    try {
      await follower.follow(params, { secrets, signal, say })
      return { outcome: 'SUCCEEDED', result: {} }
    } catch (error) {
      // The words of other errors may hold secrets.
      return error instanceof TaskFailure
        ? failed(error.code, error.message)
        : failed('INTERNAL', 'It cannot be followed')
    }
  }
  const ended = follow().finally(() => lines.end())
  try {
    const isRead = await send(followId, lines, parts.panel, signal)
    if (!isRead) leave.abort()
    const end = await ended
    if (isRead && !signal.aborted)
      await parts.panel.result(followId, { ...end, attempt: 1, lastSeq: lines.lastSeq }, signal)
  } finally {
    // What listens to this signal is kept until it is aborted, and `stopped` lasts as long as the agent.
    leave.abort()
  }
}

/** @returns false when the reader has left */
async function send(
  followId: string,
  lines: LineQueue,
  panel: FollowRunnerDependencies['panel'],
  signal: AbortSignal,
): Promise<boolean> {
  let [isPaused, most] = [false, ENOUGH_BYTES]
  while (!signal.aborted) {
    if (!isPaused) await lines.wait(ALIVE_MS)
    const piece = isPaused ? [] : lines.first(most)
    if (!isPaused && piece.length === 0 && lines.isOver) return true
    try {
      const { next, cancel, pause } = await panel.progress(followId, { attempt: 1, lines: piece }, signal)
      if (cancel) return false
      const sentBytes = lines.sent(piece.filter(({ seq }) => seq < next).length)
      isPaused = pause
      if (pause) await sleep(PAUSED_MS, undefined, { signal }).catch(() => {})
      // Lines that come fast have gathered while others were sent.
      else await lines.wait(GATHER_MS * (1 - Math.min(1, sentBytes / most)), most)
      if (sentBytes > 0) most = Math.min(ENOUGH_BYTES, most + LEAST_BYTES)
    } catch (error) {
      if (signal.aborted || !isPassing(error)) return false
      // It may have been too much for the connection, which would never get the same through.
      most = Math.max(LEAST_BYTES, most / SHRINK)
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
  return false
}

interface LineQueue {
  readonly lastSeq: number
  readonly isOver: boolean
  /** Resolves when there is room for more. */
  add(texts: readonly string[], of: LogLine['of']): Promise<void>
  end(): void
  /** Until so many bytes wait, or nothing more comes, or the time is over. @param enough default: until there is a line */
  wait(ms: number, enough?: number): Promise<void>
  /** As many as have at most so many bytes in a request, but at least one. */
  first(most: number): LogLine[]
  /** @returns their bytes */
  sent(count: number): number
}

/** In a request. */
const sizeOf = (line: LogLine): number => Buffer.byteLength(JSON.stringify(line)) + 1

function lineQueue(now: () => Date, signal: AbortSignal): LineQueue {
  const waiting: { readonly line: LogLine; readonly size: number }[] = []
  const news = new WakeUp()
  let room = Promise.withResolvers<void>()
  let [lastSeq, bytes, wanted, isOver] = [0, 0, 0, false]
  signal.addEventListener('abort', () => {
    news.call()
    room.resolve()
  })
  const isEnough = () => bytes >= wanted || isOver || signal.aborted
  return {
    get lastSeq() {
      return lastSeq
    },
    get isOver() {
      return isOver
    },
    async add(texts, of) {
      const at = now().toISOString()
      for (const text of texts)
        for (const line of shortLines({ of, text })) {
          const numbered = { ...line, at, seq: (lastSeq += 1) }
          const size = sizeOf(numbered)
          bytes += size
          waiting.push({ line: numbered, size })
        }
      if (isEnough()) news.call()
      while (bytes > WAITING_BYTES_MAX && !signal.aborted) await room.promise
    },
    end() {
      isOver = true
      news.call()
    },
    async wait(ms, enough = 1) {
      wanted = enough
      news.reset()
      if (!isEnough()) await news.rest(ms)
    },
    first(most) {
      let [until, size] = [0, 0]
      for (; until < Math.min(waiting.length, LINES_PER_PIECE); until += 1) {
        size += waiting[until]!.size
        if (size > most && until > 0) break
      }
      return waiting.slice(0, until).map(({ line }) => line)
    },
    sent(count) {
      const sentBytes = waiting.splice(0, count).reduce((sum, { size }) => sum + size, 0)
      bytes -= sentBytes
      room.resolve()
      room = Promise.withResolvers()
      return sentBytes
    },
  }
}
