/**
 * Wide reads: queries whose cost grows with their tables, such as lists, searches, counts and exports. They use a small
 * pool of their own (`widePool`), where a statement uses one core for a limited time. A read that finds no free
 * connection waits briefly. So wide reads cost other requests little, for any search, table size and number of callers.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PostgresPool } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { Rejection, reject } from '../lib/rejection.ts'

const BUSY = 'READS_BUSY'
/** Each attempt waits for a connection until its timeout: about a minute in total. */
const TRIES_MAX = 40
/** The SQLSTATE after statement_timeout. */
const QUERY_CANCELED = '57014'

const wide = new AsyncLocalStorage<true>()

/**
 * Runs the queries of `work` over the pool for wide reads, if their Kysely was made by `kyselyFor(pool, wide)`.
 * @throws Rejection 503 READS_BUSY when no connection is free in time · 503 READ_TOO_LONG when a statement takes too
 * long
 */
export function wideRead<Result>(work: () => Promise<Result>): Promise<Result> {
  return wide.run(true, work).catch(refuseLong)
}

/** As `wideRead` with retries, for a response that has started and can no longer be refused. */
export async function patientRead<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await wideRead(work)
    } catch (error) {
      if (tries === TRIES_MAX || !(error instanceof Rejection && error.code === BUSY)) throw error
    }
  }
}

/** Takes connections from `pool`, and from `apart` within `wideRead`. */
export const withWide = (pool: Pool, apart: Pool): PostgresPool => ({
  options: pool.options,
  connect: () => (wide.getStore() ? connectionOf(apart) : pool.connect()),
  end: async () => {},
})

async function connectionOf(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    // The pool is not full, so the database is not reachable.
    if (pool.totalCount < pool.options.max) throw error
    return reject('unavailable', 'Too many lists are being read; try again', BUSY, { 'Retry-After': '2' })
  }
}

function refuseLong(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === QUERY_CANCELED)
    reject('unavailable', 'This read takes too long; narrow it down with filters', 'READ_TOO_LONG', {
      'Retry-After': '10',
    })
  throw error
}
