/** Creates BullMQ's tables and functions in a schema of their own, and grants access to them. */
import { LATEST_SCHEMA_VERSION, runMigrations } from 'bullmq'
import pg from 'pg'
import { queueName } from './bullmq-queue.ts'
import { LANES } from './queue.ts'

const SCHEMA = 'bullmq'
/**
 * Differs from the advisory locks of the store, of erasures, of the projectors' leader lock and of a
 * restore.
 */
const MIGRATE_LOCK = 4_115_302
const VERSION = 'SELECT coalesce(max(version), 0)::int AS version FROM bullmq.migration'
/**
 * BullMQ creates a sequence for each queue at its first use. They are created here, so that no other
 * role needs the privilege.
 */
const SEQUENCE = 'SELECT bullmq.next_job_id($1)'
const GRANTS = `GRANT USAGE ON SCHEMA bullmq TO daybook_queue;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA bullmq TO daybook_queue;
  REVOKE INSERT, UPDATE, DELETE ON bullmq.migration FROM daybook_queue;
  GRANT USAGE ON ALL SEQUENCES IN SCHEMA bullmq TO daybook_queue;
  GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA bullmq TO daybook_queue;`

/**
 * Runs with the login itself, after Daybook's own migrations.
 * @returns what was applied now, for example `bullmq_11`, or nothing
 */
export async function migrateQueue(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATE_LOCK])
    const before = await versionOf(client)
    const after = await runMigrations(client, SCHEMA)
    // At every run: a process that was killed before this step has left a schema without grants.
    for (const lane of LANES) await client.query(SEQUENCE, [queueName(lane)])
    await client.query(GRANTS)
    return after > before ? [`${SCHEMA}_${after}`] : []
  } finally {
    await client.end()
  }
}

/** @throws Error if the queue's schema is older than this version needs */
export async function refuseOldQueueSchema(database: Pick<pg.Pool, 'query'>): Promise<void> {
  if ((await versionOf(database)) < LATEST_SCHEMA_VERSION)
    throw new Error('The queue schema of the database is too old: run "daybook migrate" with the login that owns it')
}

async function versionOf(database: Pick<pg.Pool, 'query'>): Promise<number> {
  try {
    return (await database.query<{ version: number }>(VERSION)).rows[0]!.version
  } catch (error) {
    if ((error as { code?: string }).code === '42P01' || (error as { code?: string }).code === '3F000') return 0
    throw error
  }
}
