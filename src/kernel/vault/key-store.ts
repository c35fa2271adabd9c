/** Stores the wrapped data keys. Destroying a key erases its subject, in the log and in every backup of the log. */
import type { Pool } from 'pg'
import { RequestCoalescer } from '../lib/request-coalescer.ts'

/** Replaces the key of an erased subject. It is permanent, so no process makes a second key for the subject. */
export const TOMBSTONE = null

export interface Tombstones {
  /** The number of the newest tombstone; 0 when there is none. */
  readonly newest: number
  readonly subjects: readonly string[]
}

export interface KeyStore {
  /** The wrapped keys of the subjects that have one, and the tombstones of the erased ones. */
  get(subjects: readonly string[]): Promise<ReadonlyMap<string, Buffer | typeof TOMBSTONE>>
  /**
   * Stores a subject's first key.
   * Returns the stored key, which another process may have made first, or the tombstone.
   */
  put(subject: string, wrapped: Buffer): Promise<Buffer | typeof TOMBSTONE>
  /** Destroys keys permanently. Repeating it changes nothing. @throws for keys of the installation */
  erase(subjects: readonly string[]): Promise<void>
  /** The tombstones with numbers above `after`; without `after`, only the number of the newest one. */
  erasedAfter(after?: number): Promise<Tombstones>
}

/** For tests, which may read and change `keys`. */
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

interface NewKey {
  readonly subject: string
  readonly wrapped: Buffer
}

const GET = 'SELECT subject, wrapped FROM vault.data_key WHERE subject = ANY($1::text[])'
/** Sorted, so that two processes that insert the same subjects do not wait for each other. */
const PUT = `WITH made AS (
    INSERT INTO vault.data_key (subject, wrapped)
      SELECT subject, wrapped FROM unnest($1::text[], $2::bytea[]) AS new (subject, wrapped) ORDER BY subject
      ON CONFLICT (subject) DO NOTHING RETURNING subject, wrapped)
  SELECT subject, wrapped FROM made
  UNION ALL SELECT subject, wrapped FROM vault.data_key WHERE subject = ANY($1::text[])`
const ERASE = 'SELECT vault.erase($1::text[])'
const NEWEST = 'SELECT coalesce(max(erased), 0) AS newest FROM vault.data_key'
const ERASED_AFTER = 'SELECT subject, erased FROM vault.data_key WHERE erased > $1 ORDER BY erased'

const keysIn = (rows: readonly KeyRow[]): ReadonlyMap<string, Buffer | typeof TOMBSTONE> =>
  new Map(rows.map(({ subject, wrapped }) => [subject, wrapped]))

/** Table vault.data_key. The pool's role needs SELECT and INSERT on it, and EXECUTE on vault.erase to erase. */
export function postgresKeyStore(pool: Pool): KeyStore {
  const get: KeyStore['get'] = async (subjects) => {
    const { rows } = await pool.query<KeyRow>(GET, [[...subjects]])
    return keysIn(rows)
  }
  const putting = new RequestCoalescer(async (keys: readonly NewKey[]) => {
    const subjects = keys.map(({ subject }) => subject)
    const values = [subjects, keys.map(({ wrapped }) => wrapped)]
    const stored = keysIn((await pool.query<KeyRow>({ name: 'put-data-keys', text: PUT, values })).rows)
    const lost = subjects.filter((subject) => !stored.has(subject))
    // A separate statement, because only a database snapshot taken after the conflict sees the winning row.
    const winners = lost.length === 0 ? [] : await get(lost)
    const all = new Map([...stored, ...winners])
    return subjects.map((subject) => all.get(subject))
  })
  return {
    get,
    put: async (subject, wrapped) => {
      const stored = await putting.add({ subject, wrapped })
      if (stored === undefined) throw new Error(`The data key of ${subject} disappeared while it was made; try again`)
      return stored
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
