/** A log as it happens: each answer waits for the next lines, or for the end of what says them. */
import { useEffect, useState } from 'react'
import { Refusal } from '#api-client/refusal'
import type { LogLine } from '../../kit/log-line.ts'

interface ToldLine {
  readonly seq: number
  readonly at: string
  readonly of: 'OUT' | 'ERR' | 'STEP'
  readonly text: string
}

interface WithLog {
  readonly log: { readonly lines: readonly ToldLine[]; readonly next: number } | null
}

export interface FollowQuery {
  readonly after: number
  readonly waitMs: number
}

export interface Followed<Told> {
  /** Undefined until the first answer. */
  readonly told: Told | undefined
  /** The newest ones. */
  readonly lines: readonly LogLine[]
  readonly refused: Error | undefined
}

/** More would make the page slow. */
export const LINES_SHOWN_MAX = 5_000
const WAIT_MS = 10_000
const PAUSE_MS = 2_000
const NOTHING = { told: undefined, lines: [], refused: undefined }

const pause = (): Promise<void> => new Promise((passed) => setTimeout(passed, PAUSE_MS))

/** What a later try would be told as well. */
const isFinal = (error: unknown): boolean => error instanceof Refusal && FINAL.includes(error.statusCode)
const FINAL = [400, 403, 404]

/**
 * @param read stays the same from one drawing to the next; a component that follows something else has another key
 * @param isOver the last lines may come a moment after the end: an end is read until a page is empty, and once more
 */
export function useFollowed<Told extends WithLog>(
  read: (query: FollowQuery, signal: AbortSignal) => Promise<Told>,
  isOver: (told: Told) => boolean,
): Followed<Told> {
  const [followed, setFollowed] = useState<Followed<Told>>(NOTHING)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const next = async (query: FollowQuery): Promise<Told> => {
      const told = await read(query, signal)
      const more = (told.log?.lines ?? []).map(({ seq, ...line }) => ({ key: seq, ...line }))
      setFollowed(({ lines }) => ({
        told,
        lines: more.length === 0 ? lines : [...lines, ...more].slice(-LINES_SHOWN_MAX),
        refused: undefined,
      }))
      return told
    }
    const follow = async (): Promise<void> => {
      for (let after = 0, waitMs = 0, rests = 0; !signal.aborted; waitMs = WAIT_MS)
        try {
          const told = await next({ after, waitMs })
          after = told.log?.next ?? after
          if (!isOver(told) || (told.log?.lines.length ?? 0) > 0) continue
          if (rests > 0 || told.log === null) return
          rests += 1
          await pause()
        } catch (error) {
          if (signal.aborted) return
          setFollowed((before) => ({ ...before, refused: error as Error }))
          if (isFinal(error)) return
          await pause()
        }
    }
    void follow()
    return () => controller.abort()
  }, [read, isOver])
  return followed
}
