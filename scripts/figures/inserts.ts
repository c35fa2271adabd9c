/** Writes only the rows of one provisioning into copies of the tables, in one transaction each time. */
import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'

interface Rows {
  readonly events: readonly Record<string, any>[]
  readonly claims: readonly Record<string, any>[]
  readonly chain: Record<string, any>
  readonly key: Record<string, any>
}

const COPIES = ['store.event', 'store.claim', 'store.chain', 'vault.data_key']

/** The rows of the newest provisioning of a new customer. */
async function pattern(pool: pg.Pool): Promise<Rows> {
  const { rows: links } = await pool.query(
    `SELECT * FROM (SELECT to_pos, hash, lag(to_pos) OVER (ORDER BY to_pos) AS from_pos FROM store.chain) AS link
     WHERE to_pos >= (SELECT max(pos) FROM store.event WHERE type = 'ProvisioningCompleted') ORDER BY to_pos LIMIT 1`,
  )
  const [link] = links
  const within = [link.from_pos, link.to_pos]
  const { rows: events } = await pool.query(
    'SELECT * FROM store.event WHERE pos > $1 AND pos <= $2 ORDER BY pos',
    within,
  )
  const { rows: claims } = await pool.query('SELECT * FROM store.claim WHERE pos > $1 AND pos <= $2', within)
  const { rows: keys } = await pool.query('SELECT * FROM vault.data_key ORDER BY created_at DESC LIMIT 1')
  return { events, claims, chain: link, key: keys[0] }
}

function insert(table: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): pg.QueryConfig {
  const places = rows.map(
    (_row, nth) => `(${columns.map((_name, at) => `$${nth * columns.length + at + 1}`).join(', ')})`,
  )
  return {
    name: table,
    text: `INSERT INTO bare.${table} (${columns.join(', ')}) VALUES ${places.join(', ')}`,
    values: rows.flat(),
  }
}

export interface BareInserts {
  /** Transactions per second over this many connections. */
  rate(connections: number, seconds: number): Promise<number>
  /** Rows that one transaction writes. */
  readonly rows: number
  close(): Promise<void>
}

/** @param url of a database with at least one provisioning */
export async function bareInserts(url: string, connections: number): Promise<BareInserts> {
  const pool = new pg.Pool({ connectionString: url, max: connections })
  const { events, claims, chain, key } = await pattern(pool)
  await pool.query('CREATE SCHEMA bare')
  for (const table of COPIES) await pool.query(`CREATE TABLE bare.${table.split('.')[1]} (LIKE ${table} INCLUDING ALL)`)
  let position = 0

  function statements(): pg.QueryConfig[] {
    const [from, own] = [position, randomUUID()]
    position += events.length
    const eventRows = events.map((row, nth) => [
      from + nth + 1,
      1,
      randomUUID(),
      `${nth}-${own}`,
      row['type'],
      1,
      row['data'],
      row['metadata'],
    ])
    return [
      insert('event', ['pos', 'revision', 'id', 'stream', 'type', 'schema_version', 'data', 'metadata'], eventRows),
      insert(
        'claim',
        ['scope', 'key', 'holder', 'pos'],
        claims.map(({ scope, holder }) => [scope, randomBytes(32).toString('base64url'), holder, position]),
      ),
      insert('chain', ['to_pos', 'hash'], [[position, chain['hash']]]),
      insert('data_key', ['subject', 'wrapped'], [[`customer/${own}`, key['wrapped']]]),
    ]
  }

  async function lane(until: number): Promise<number> {
    const client = await pool.connect()
    let done = 0
    try {
      for (; performance.now() < until; done += 1) {
        await client.query('BEGIN')
        for (const statement of statements()) await client.query(statement)
        await client.query('COMMIT')
      }
    } finally {
      client.release()
    }
    return done
  }

  return {
    rows: events.length + claims.length + 2,
    async rate(lanes, seconds) {
      const before = performance.now()
      const done = await Promise.all(Array.from({ length: lanes }, () => lane(before + seconds * 1_000)))
      return done.reduce((sum, each) => sum + each, 0) / ((performance.now() - before) / 1_000)
    },
    close: () => pool.end(),
  }
}
