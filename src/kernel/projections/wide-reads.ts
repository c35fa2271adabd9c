/**
 * Reads whose cost grows with their tables: lists, searches, counts, exports. They have few connections of their own
 * (`widePool`), where a statement keeps one core busy and not for long. What finds none of them free waits briefly.
 * So wide reads cost all other requests little, whatever is searched for, however large the tables are and however many ask.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PostgresPool } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { Rejection, reject } from '../lib/rejection.ts'

const BUSY = 'READS_BUSY'
/** Each waits for a connection until it is refused, so together about a minute. */
const TRIES_MAX = 40
/** Ended by statement_timeout. */
const QUERY_CANCELED = '57014'

const wide = new AsyncLocalStorage<true>()

/**
 * What `work` asks of `queries(pool, wide)` is asked over the connections for wide reads.
 * @throws Rejection 503 READS_BUSY when none of them is free in time · 503 READ_TOO_LONG when a statement reads too much
 */
export function wideRead<Result>(work: () => Promise<Result>): Promise<Result> {
  return wide.run(true, work).catch(refuseLong)
}

/** For an answer that has begun and cannot be refused any more. */
export async function patientRead<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await wideRead(work)
    } catch (error) {
      if (tries === TRIES_MAX || !(error instanceof Rejection && error.code === BUSY)) throw error
    }
  }
}

/** Connections of `pool`, and of `apart` for wide reads. */
export const withWide = (pool: Pool, apart: Pool): PostgresPool => ({
  options: pool.options,
  connect: () => (wide.getStore() ? connectionOf(apart) : pool.connect()),
  end: async () => {},
})

async function connectionOf(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    // Where the database is away, nobody is let in, and so nobody waits here.
    if (pool.totalCount < pool.options.max) throw error
    return reject('unavailable', 'Too many lists are being read, try again', BUSY, { 'Retry-After': '2' })
  }
}

function refuseLong(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === QUERY_CANCELED)
    reject('unavailable', 'To read this takes too long: narrow it down with its filters', 'READ_TOO_LONG', {
      'Retry-After': '10',
    })
  throw error
}
