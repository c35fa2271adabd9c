/**
 * Of the processes that follow, one works at a time and the others look on. It only saves work: whoever works without it is as
 * exact, because checkpoints move by compare-and-set. It is a lock of a connection, so it ends with the process that has it.
 */
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

/** Beside the store's own lock, which is 4115297. */
export const LEADER_LOCK_ID = 4_115_299
/** How often it is tried for, and how often a holder finds out whether it still holds it. */
const LOOK_MS = 500

export class LeaderLock {
  readonly #database: Kysely<any>
  #connection: Kysely<any> | undefined
  #release = () => {}
  #ended: Promise<unknown> = Promise.resolve()
  #lookedMs = -Infinity

  /** Takes one of the pool's connections for as long as it is held. */
  constructor(database: Kysely<any>) {
    this.#database = database
  }

  /** Tries to take it where nobody has it. @throws when the database is lost */
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

  async #hold(connection: Kysely<any>, taken: (isOurs: boolean) => void): Promise<void> {
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
