/**
 * Elects the process that moves the read models; the others watch it. The lock only avoids duplicate work: a process
 * without it is also correct, because checkpoints move by compare-and-set. The lock belongs to a connection, so it ends
 * with the process.
 */
import { sql } from 'kysely'
import type { ReadDatabase } from './read-database.ts'

/** Differs from the lock of the event store, which is 4115297. */
export const LEADER_LOCK_ID = 4_115_299
/** The interval of attempts to take the lock, and of checks that it is still held. */
const LOOK_MS = 500

export class LeaderLock {
  readonly #database: ReadDatabase
  #connection: ReadDatabase | undefined
  #release = () => {}
  #ended: Promise<unknown> = Promise.resolve()
  #lookedMs = -Infinity

  /** Uses one connection of the pool while the lock is held. */
  constructor(database: ReadDatabase) {
    this.#database = database
  }

  /**
   * Returns whether this process holds the lock; takes it if it is free.
   * @throws when the database connection is lost
   */
  async tryAcquire(): Promise<boolean> {
    if (performance.now() - this.#lookedMs < LOOK_MS) return this.#connection !== undefined
    this.#lookedMs = performance.now()
    if (!this.#connection) return this.#take()
    try {
      await sql`SELECT 1`.execute(this.#connection)
      return true
    } catch (error) {
      await this.release()
      throw error
    }
  }

  async release(): Promise<void> {
    this.#connection = undefined
    this.#release()
    await this.#ended
  }

  #take(): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#ended = this.#database
        .connection()
        .execute((connection) => this.#hold(connection, resolve))
        .catch(reject)
    })
  }

  async #hold(connection: ReadDatabase, taken: (isOurs: boolean) => void): Promise<void> {
    const asked = sql<{ won: boolean }>`SELECT pg_try_advisory_lock(${LEADER_LOCK_ID}) AS won`
    const isOurs = (await asked.execute(connection)).rows[0]?.won === true
    const released = new Promise<void>((resolve) => (this.#release = resolve))
    if (isOurs) this.#connection = connection
    taken(isOurs)
    if (!isOurs) return
    await released
    await sql`SELECT pg_advisory_unlock(${LEADER_LOCK_ID})`.execute(connection).catch(() => {})
  }
}
