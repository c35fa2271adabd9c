/** Follows something on the host for those who look at it now: nothing of it is kept, and it ends when they leave. */
import { setTimeout as sleep } from 'node:timers/promises'
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
    const say = (text: string, of: LogLine['of'] = 'OUT') => {
      const filter = filters()
      return lines.add(filter.push(text) + filter.end(), of)
    }
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
  const isRead = await send(followId, lines, parts.panel, signal)
  if (!isRead) leave.abort()
  const end = await ended
  if (isRead && !signal.aborted)
    await parts.panel.result(followId, { ...end, attempt: 1, lastSeq: lines.lastSeq }, signal)
}

/** @returns false when the reader has left */
async function send(
  followId: string,
  lines: LineQueue,
  panel: FollowRunnerDependencies['panel'],
  signal: AbortSignal,
): Promise<boolean> {
  let isPaused = false
  while (!signal.aborted) {
    if (!isPaused) await lines.wait(ALIVE_MS)
    const piece = isPaused ? [] : lines.first()
    if (!isPaused && piece.length === 0 && lines.isOver) return true
    try {
      const { next, cancel, pause } = await panel.progress(followId, { attempt: 1, lines: piece }, signal)
      if (cancel) return false
      lines.sent(piece.filter(({ seq }) => seq < next).length)
      isPaused = pause
      // A whole piece that waits goes at once.
      const restMs = pause ? PAUSED_MS : lines.bytes < PIECE_BYTES_MAX / 2 ? GATHER_MS : 0
      await sleep(restMs, undefined, { signal }).catch(() => {})
    } catch (error) {
      if (signal.aborted || !isPassing(error)) return false
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
  return false
}

interface LineQueue {
  /** Those that are not sent. */
  readonly bytes: number
  readonly lastSeq: number
  readonly isOver: boolean
  /** Resolves when there is room for more. */
  add(text: string, of: LogLine['of']): Promise<void>
  end(): void
  /** Until there is a line or an end, or the time is over. */
  wait(ms: number): Promise<void>
  /** As many as one request takes. */
  first(): LogLine[]
  sent(count: number): void
}

function lineQueue(now: () => Date, signal: AbortSignal): LineQueue {
  const waiting: LogLine[] = []
  const changes = new EventTarget()
  const change = () => void changes.dispatchEvent(new Event('change'))
  const changed = (ms: number) =>
    new Promise<void>((resolve) => {
      const either = AbortSignal.any([signal, AbortSignal.timeout(ms)])
      const end = () => {
        changes.removeEventListener('change', end)
        either.removeEventListener('abort', end)
        resolve()
      }
      changes.addEventListener('change', end)
      either.addEventListener('abort', end)
      if (signal.aborted) end()
    })
  let [lastSeq, bytes, isOver] = [0, 0, false]
  return {
    get bytes() {
      return bytes
    },
    get lastSeq() {
      return lastSeq
    },
    get isOver() {
      return isOver
    },
    async add(text, of) {
      const at = now().toISOString()
      for (const line of shortLines({ of, text })) {
        lastSeq += 1
        bytes += Buffer.byteLength(line.text)
        waiting.push({ ...line, at, seq: lastSeq })
      }
      change()
      while (bytes > WAITING_BYTES_MAX && !signal.aborted) await changed(ALIVE_MS)
    },
    end() {
      isOver = true
      change()
    },
    wait: async (ms) => (waiting.length > 0 || isOver ? undefined : changed(ms)),
    first() {
      let [until, size] = [0, 0]
      for (; until < Math.min(waiting.length, LINES_PER_PIECE) && size < PIECE_BYTES_MAX / 2; until += 1)
        size += Buffer.byteLength(waiting[until]!.text)
      return waiting.slice(0, until)
    },
    sent(count) {
      for (const { text } of waiting.splice(0, count)) bytes -= Buffer.byteLength(text)
      change()
    },
  }
}
