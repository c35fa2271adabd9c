/** Where wrapped data keys lie. Deleting a row is what erases a subject, in the log and in every backup of the log. */
import type { Pool } from 'pg'

export interface KeyStore {
  /** The wrapped keys of those subjects that have one. */
  get(subjects: readonly string[]): Promise<ReadonlyMap<string, Buffer>>
  /** Stores a subject's first key; answers the key that won when several processes made one at once. */
  put(subject: string, wrapped: Buffer): Promise<Buffer>
}

/** For tests: `keys` may be read and emptied from outside. */
export function memoryKeys(keys: Map<string, Buffer> = new Map()): KeyStore {
  return {
    get: async (subjects) => new Map([...keys].filter(([subject]) => subjects.includes(subject))),
    put: async (subject, wrapped) => {
      if (!keys.has(subject)) keys.set(subject, wrapped)
      return keys.get(subject) ?? wrapped
    },
  }
}

const GET = 'SELECT subject, wrapped FROM vault.data_key WHERE subject = ANY($1::text[])'
const PUT = 'INSERT INTO vault.data_key (subject, wrapped) VALUES ($1, $2) ON CONFLICT (subject) DO NOTHING'

/** Table vault.data_key. The pool's role needs SELECT and INSERT there. */
export function postgresKeys(pool: Pool): KeyStore {
  const get: KeyStore['get'] = async (subjects) => {
    const { rows } = await pool.query<{ subject: string; wrapped: Buffer }>(GET, [[...subjects]])
    return new Map(rows.map(({ subject, wrapped }) => [subject, wrapped]))
  }
  return {
    get,
    put: async (subject, wrapped) => {
      await pool.query(PUT, [subject, wrapped])
      // A statement of its own: only a snapshot younger than the conflict sees the winner's row.
      const winner = (await get([subject])).get(subject)
      if (!winner) throw new Error(`The data key of ${subject} was erased while it was made`)
      return winner
    },
  }
}
