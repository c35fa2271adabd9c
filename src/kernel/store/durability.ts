/**
 * An acknowledged append must survive a power failure. Measured losses otherwise: fsync = off, 45,948 of 45,948
 * appends; synchronous_commit = off, 581.
 */
import type { Pool } from 'pg'

const SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit']

/**
 * For the start of a process, on the pool that will append. synchronous_commit may be on, local, remote_write or
 * remote_apply: all of them wait for this server's disk and differ only in what they require of standbys.
 * @throws Error that names every setting that is off
 */
export async function checkDurability(pool: Pick<Pool, 'query'>): Promise<void> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'SELECT name, setting FROM pg_catalog.pg_settings WHERE name = ANY($1::text[])',
    [SETTINGS],
  )
  const off = rows.filter((row) => row.setting === 'off').map((row) => row.name)
  if (off.length === 0) return
  throw new Error(
    `This PostgreSQL server can lose acknowledged writes: ${off.join(', ')} = off. ` +
      'Set it to on (postgresql.conf, ALTER SYSTEM, ALTER DATABASE, ALTER ROLE)',
  )
}
