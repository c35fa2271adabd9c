/** Changes that a superuser can make to a log: random, and reproducible by a seed. Each is one transaction. */
import type { Pool } from 'pg'

export interface Tampering {
  readonly kind: string
  /** The first position that differs from what was appended. */
  readonly at: number
  readonly statements: readonly string[]
}

export interface Log {
  readonly head: number
  /** The last position of each append. */
  readonly ends: readonly number[]
}

const CANONICAL = `concat_ws(E'\\x1f', e.pos, (extract(epoch FROM e.recorded_at) * 1000000)::bigint, e.revision, e.id, e.stream,
  e.type, e.schema_version, e.data::text, e.metadata::text)`

const RECOMPUTED = (from: number) => `DO $$ DECLARE link record; BEGIN
  FOR link IN SELECT to_pos, lag(to_pos, 1, 0::bigint) OVER (ORDER BY to_pos) AS before FROM store.chain ORDER BY to_pos LOOP
    IF link.to_pos >= ${from} THEN
      UPDATE store.chain SET hash = sha256(
        coalesce((SELECT hash FROM store.chain WHERE to_pos = link.before), decode(repeat('00', 32), 'hex'))
        || convert_to((SELECT string_agg(${CANONICAL}, E'\\x1e' ORDER BY e.pos) FROM store.event e
             WHERE e.pos > link.before AND e.pos <= link.to_pos), 'UTF8')) WHERE to_pos = link.to_pos;
    END IF;
  END LOOP;
END $$`

const moved = (from: number, by: number): string[] => [
  `UPDATE store.event SET pos = -pos WHERE pos >= ${from}`,
  `UPDATE store.event SET pos = ${by} - pos WHERE pos < 0`,
]
const changed = (at: number) => `UPDATE store.event SET data = '{"n":"forged"}' WHERE pos = ${at}`
const inserted = (at: number) =>
  `INSERT INTO store.event (pos, revision, id, stream, type, schema_version, data, metadata)
    VALUES (${at}, 1, gen_random_uuid(), 'forged', 'NoteWritten', 1, '{}', '{}')`

type Kind = (log: Log, at: number, other: number) => Omit<Tampering, 'kind'>

const KINDS: Readonly<Record<string, Kind>> = {
  data: (_, at) => ({ at, statements: [changed(at)] }),
  metadata: (_, at) => ({ at, statements: [`UPDATE store.event SET metadata = '{"by":"forger"}' WHERE pos = ${at}`] }),
  delete: (_, at) => ({ at, statements: [`DELETE FROM store.event WHERE pos = ${at}`] }),
  'delete, gap closed': ({ head }, at) => ({
    at: Math.min(at, head - 1),
    statements: [
      `DELETE FROM store.event WHERE pos = ${Math.min(at, head - 1)}`,
      ...moved(Math.min(at, head - 1) + 1, -1),
    ],
  }),
  swap: (_, at, other) => ({
    at: Math.min(at, other),
    statements: [
      `UPDATE store.event SET pos = -1 WHERE pos = ${at}`,
      `UPDATE store.event SET pos = ${at} WHERE pos = ${other}`,
      `UPDATE store.event SET pos = ${other} WHERE pos = -1`,
    ],
  }),
  'insert, rest moved up': (_, at) => ({ at, statements: [...moved(at, 1), inserted(at)] }),
  'insert at the end': ({ head }) => ({ at: head + 1, statements: [inserted(head + 1)] }),
  'chain recomputed': (_, at) => ({ at, statements: [changed(at), RECOMPUTED(at)] }),
  'tail cut': ({ ends }, at) => {
    const end = ends.findLast((each) => each < at) ?? 0
    return {
      at: end + 1,
      statements: [`DELETE FROM store.event WHERE pos > ${end}`, `DELETE FROM store.chain WHERE to_pos > ${end}`],
    }
  },
}

export const tamperingKinds = Object.keys(KINDS)

/** @param random returns numbers from 0 to below 1 */
export function someTampering(kind: string, log: Log, random: () => number): Tampering {
  const at = 1 + Math.floor(random() * log.head)
  const other = 1 + ((at + Math.floor(random() * (log.head - 1))) % log.head)
  return { kind, ...KINDS[kind]!(log, at, other) }
}

const TABLES = ['store.event', 'store.chain', 'store.checkpoint']

/** Also removes the installation's own checkpoints: only copies outside of the database are left. */
export async function tamper(superuser: Pool, statements: readonly string[]): Promise<void> {
  const client = await superuser.connect()
  await client.query('BEGIN')
  for (const table of TABLES) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER append_only`)
  for (const statement of [...statements, 'DELETE FROM store.checkpoint']) await client.query(statement)
  for (const table of TABLES) await client.query(`ALTER TABLE ${table} ENABLE ALWAYS TRIGGER append_only`)
  await client.query('COMMIT')
  client.release()
}
