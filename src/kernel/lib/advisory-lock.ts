/** A lock that one process of an installation holds at a time, for work that takes longer than a transaction may. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { reject } from './rejection.ts'

const LOOK_MS = 100

export interface AdvisoryLockOptions {
  /** The key of a PostgreSQL advisory lock. */
  readonly lock: number
  readonly waitMsMax: number
}

/**
 * Keeps one connection until the work is done. The lock belongs to the connection, so it ends with the process.
 * If the connection breaks first, another process may start before this one is done.
 * @throws Rejection 503 BUSY when another process holds the lock for longer than `waitMsMax`
 */
export async function withAdvisoryLock<Result>(
  pool: Pool,
  { lock, waitMsMax }: AdvisoryLockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect()
  let broken: Error | undefined
  try {
    if (!(await tryLockUntil(connection, lock, performance.now() + waitMsMax)))
      reject('unavailable', 'Another process holds the lock; try again', 'BUSY', { 'Retry-After': '5' })
    try {
      return await work()
    } finally {
      await connection
        .query('SELECT pg_advisory_unlock($1)', [lock])
        .catch((error: unknown) => (broken = error instanceof Error ? error : new Error(String(error))))
    }
  } finally {
    connection.release(broken)
  }
}

async function tryLockUntil(connection: PoolClient, lock: number, untilMs: number): Promise<boolean> {
  for (;;) {
    const { rows } = await connection.query<{ won: boolean }>('SELECT pg_try_advisory_lock($1) AS won', [lock])
    if (rows[0]?.won === true) return true
    if (performance.now() >= untilMs) return false
    await pause(LOOK_MS)
  }
}
