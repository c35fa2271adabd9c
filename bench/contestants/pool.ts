import pg from 'pg'

/** With all its connections open, so that none is opened under the clock. */
export async function openPool(url: string, connections: number): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: url, max: connections, idleTimeoutMillis: 0 })
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()))
  for (const client of clients) client.release()
  return pool
}
