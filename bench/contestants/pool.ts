import pg from 'pg'

/** Opens all its connections first, so that none is opened under the clock. */
export async function openPool(url: string, connections: number): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: url, max: connections, idleTimeoutMillis: 0 })
  pool.on('error', ({ message }) => console.warn(`!! a pool has lost a connection: ${message}`))
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()))
  for (const client of clients) client.release()
  return pool
}

/** pg's own end() resolves when it has told its connections to close. This resolves when they are closed. */
export async function closePool(pool: pg.Pool): Promise<void> {
  const gone = Array.from({ length: pool.totalCount }, () => Promise.withResolvers<void>())
  const left = gone.map(({ promise }) => promise)
  pool.on('remove', () => gone.pop()?.resolve())
  await Promise.all([pool.end(), ...left])
}
