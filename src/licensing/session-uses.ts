/** When sessions were last used, to the minute. Not history: a table of its own, written in batches, never waited for. */
import type { Pool } from 'pg'

const FLUSH_MS = 1_000
const MINUTE_MS = 60_000
const NOTED_MAX = 10_000

/** Rows outlive no session by more than a day. */
const WRITE = `
  WITH used AS (
    INSERT INTO telemetry.staff_session_use (session_id, last_used_at)
    SELECT * FROM unnest($1::uuid[], $2::timestamptz[])
    ON CONFLICT (session_id) DO UPDATE SET last_used_at = greatest(staff_session_use.last_used_at, excluded.last_used_at)
  )
  DELETE FROM telemetry.staff_session_use WHERE last_used_at < now() - interval '31 days'`

export interface SessionUses {
  note(sessionId: string, at: Date): void
  /** Writes what is still waiting. */
  close(): Promise<void>
}

/** One writer a process. A write that fails is forgotten: the next use of the session brings the next one. */
export function sessionUses(pool: Pool): SessionUses {
  const minutes = new Map<string, number>()
  const waiting = new Map<string, Date>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  async function write(uses: readonly [string, Date][]): Promise<void> {
    try {
      await pool.query(WRITE, [uses.map(([id]) => id), uses.map(([, at]) => at.toISOString())])
    } catch {
      for (const [id] of uses) minutes.delete(id)
    }
  }

  function flush(): Promise<void> {
    timer = undefined
    const uses = [...waiting]
    waiting.clear()
    if (uses.length > 0) writing = writing.then(() => write(uses))
    return writing
  }

  return {
    note(sessionId, at) {
      const minute = Math.floor(at.getTime() / MINUTE_MS)
      if (minutes.get(sessionId) === minute) return
      if (minutes.size >= NOTED_MAX) minutes.clear()
      minutes.set(sessionId, minute)
      waiting.set(sessionId, new Date(minute * MINUTE_MS))
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref()
    },
    async close() {
      clearTimeout(timer)
      await flush()
    },
  }
}
