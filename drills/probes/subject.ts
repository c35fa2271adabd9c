/** A store under the probes: how to append to it, and how to read on from a position by its own means. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

export interface Read {
  readonly id: string
  readonly position: number
}

export interface Opened {
  /** Resolves when it is acknowledged. Rejects when its connection was cut; then the outcome is unknown. */
  append(): Promise<unknown>
  readAll(after: number, limit: number): Promise<Read[]>
  /** The contents of the table at the end. */
  stored(): Promise<string[]>
  /** The number of events above a position in one snapshot, and the position of the newest. */
  snapshot(after: number): Promise<Snapshot>
  /**
   * Two appends of which the one that began first is committed last. `between` runs after the other's commit,
   * if it can come first.
   */
  outOfOrder(between: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

export interface Snapshot {
  readonly events: number
  /** The given position, if there is none above it. */
  readonly newest: number
}

export interface Subject {
  readonly name: string
  /** Into an empty database. @throws if the package of a peer is not installed */
  setup(url: string): Promise<void>
  open(url: string, connections: number): Promise<Opened>
}

const HELD_MS = 300

/**
 * For a store whose append is one SQL statement: two transactions, of which the first to take a transaction
 * id appends second.
 */
export async function twoTransactions(
  url: string,
  appendTo: (stream: string) => string,
  between: () => Promise<void>,
): Promise<void> {
  const [early, late] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })]
  await Promise.all([early.connect(), late.connect()])
  try {
    await early.query('BEGIN')
    await early.query('SELECT pg_current_xact_id()')
    await late.query('BEGIN')
    await late.query(appendTo('late-1'))
    const overtaking = early.query(appendTo('early-1')).then(() => early.query('COMMIT'))
    await Promise.race([overtaking, pause(HELD_MS)])
    await between()
    await late.query('COMMIT')
    await overtaking
  } finally {
    await Promise.all([early.end(), late.end()])
  }
}

/** Ids and positions from a table whose reader keeps the last position that it saw. */
export function tableReader(
  pool: pg.Pool,
  table: string,
  column: string,
): Pick<Opened, 'readAll' | 'stored' | 'snapshot'> {
  return {
    snapshot: (after) => snapshotOf(pool, table, column, after),
    async readAll(after, limit) {
      const text = `SELECT t.${column}::text AS id, t.${column}::int AS position FROM ${table} t
        WHERE t.${column} > $1 ORDER BY t.${column} LIMIT $2`
      return (await pool.query<Read>(text, [after, limit])).rows
    },
    async stored() {
      return (await pool.query<{ id: string }>(`SELECT ${column}::text AS id FROM ${table}`)).rows.map(({ id }) => id)
    },
  }
}

export async function snapshotOf(pool: pg.Pool, table: string, column: string, after: number): Promise<Snapshot> {
  const text = `SELECT count(*)::int AS events, coalesce(max(t.${column}), $1)::int AS newest
    FROM ${table} t WHERE t.${column} > $1`
  return (await pool.query<Snapshot>(text, [after])).rows[0]!
}

export function quietPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
