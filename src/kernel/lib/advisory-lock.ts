/** Of all processes of an installation, one at a time: for what must not be done twice at once and takes longer than a transaction may. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { reject } from './rejection.ts'

const LOOK_MS = 100

export interface AdvisoryLockOptions {
  /** Of the database. */
  readonly lock: number
  readonly waitMsMax: number
}

/**
 * Keeps one connection for as long as it takes. The lock is the connection's, so it ends with the process; should the connection
 * die first, somebody else may begin before this is done.
 * @throws Rejection 503 when others take longer than one has patience
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
      reject('unavailable', 'Somebody else is at it, try again', 'BUSY', { 'Retry-After': '5' })
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
