/** Where wrapped data keys lie. Destroying a key is what erases its subject, in the log and in every backup of the log. */
import type { Pool } from 'pg'

/** Stands where the key of an erased subject was. It never goes again, so nobody makes a second key. */
export const TOMBSTONE = null

export interface Tombstones {
  /** The number of the newest one; 0 when there is none. */
  readonly newest: number
  readonly subjects: readonly string[]
}

export interface KeyStore {
  /** The wrapped keys of those subjects that have one, and the tombstones of those that had. */
  get(subjects: readonly string[]): Promise<ReadonlyMap<string, Buffer | typeof TOMBSTONE>>
  /** Stores a subject's first key; answers the key that won when several processes made one at once, or the tombstone. */
  put(subject: string, wrapped: Buffer): Promise<Buffer | typeof TOMBSTONE>
  /** Destroys keys for good. Erasing again changes nothing. @throws for the installation's own */
  erase(subjects: readonly string[]): Promise<void>
  /** The tombstones numbered above `after`; without it none of them, but the newest one's number. */
  erasedAfter(after?: number): Promise<Tombstones>
}

/** For tests: `keys` may be read and changed from outside. */
export function memoryKeyStore(keys: Map<string, Buffer | typeof TOMBSTONE> = new Map()): KeyStore {
  const erased: string[] = []
  return {
    get: async (subjects) => new Map([...keys].filter(([subject]) => subjects.includes(subject))),
    put: async (subject, wrapped) => {
      if (!keys.has(subject)) keys.set(subject, wrapped)
      return keys.get(subject) ?? TOMBSTONE
    },
    erase: async (subjects) => {
      for (const subject of subjects) {
        if (keys.get(subject) !== TOMBSTONE) erased.push(subject)
        keys.set(subject, TOMBSTONE)
      }
    },
    erasedAfter: async (after = erased.length) => ({ newest: erased.length, subjects: erased.slice(after) }),
  }
}

interface KeyRow {
  readonly subject: string
  readonly wrapped: Buffer | null
}

const GET = 'SELECT subject, wrapped FROM vault.data_key WHERE subject = ANY($1::text[])'
const PUT = 'INSERT INTO vault.data_key (subject, wrapped) VALUES ($1, $2) ON CONFLICT (subject) DO NOTHING'
const ERASE = 'SELECT vault.erase($1::text[])'
const NEWEST = 'SELECT coalesce(max(erased), 0) AS newest FROM vault.data_key'
const ERASED_AFTER = 'SELECT subject, erased FROM vault.data_key WHERE erased > $1 ORDER BY erased'

/** Table vault.data_key. The pool's role needs SELECT and INSERT there, and vault.erase to erase. */
export function postgresKeyStore(pool: Pool): KeyStore {
  const get: KeyStore['get'] = async (subjects) => {
    const { rows } = await pool.query<KeyRow>(GET, [[...subjects]])
    return new Map(rows.map(({ subject, wrapped }) => [subject, wrapped]))
  }
  return {
    get,
    put: async (subject, wrapped) => {
      await pool.query(PUT, [subject, wrapped])
      // A statement of its own: only a snapshot younger than the conflict sees the winner's row.
      const winner = (await get([subject])).get(subject)
      if (winner === undefined) throw new Error(`The data key of ${subject} has gone while it was made`)
      return winner
    },
    erase: async (subjects) => void (await pool.query(ERASE, [[...subjects]])),
    erasedAfter: async (after) => {
      if (after === undefined) {
        const { rows } = await pool.query<{ newest: number }>(NEWEST)
        return { newest: rows[0]!.newest, subjects: [] }
      }
      const { rows } = await pool.query<{ subject: string; erased: number }>(ERASED_AFTER, [after])
      return { newest: rows.at(-1)?.erased ?? after, subjects: rows.map(({ subject }) => subject) }
    },
  }
}
