/** BullMQ's tables and functions, in a schema of their own, and who may use them. */
import { LATEST_SCHEMA_VERSION, runMigrations } from 'bullmq'
import pg from 'pg'
import { queueName } from './bullmq-queue.ts'
import { LANES } from './queue.ts'

const SCHEMA = 'bullmq'
/** Beside those of the store, of erasures, of the projectors' lease and of a restore. */
const MIGRATE_LOCK = 4_115_302
const VERSION = 'SELECT coalesce(max(version), 0)::int AS version FROM bullmq.migration'
/** BullMQ makes a sequence for each queue when it first needs one; made here, nobody else needs to be allowed to. */
const SEQUENCE = 'SELECT bullmq.next_job_id($1)'
const GRANTS = `GRANT USAGE ON SCHEMA bullmq TO daybook_queue;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA bullmq TO daybook_queue;
  REVOKE INSERT, UPDATE, DELETE ON bullmq.migration FROM daybook_queue;
  GRANT USAGE ON ALL SEQUENCES IN SCHEMA bullmq TO daybook_queue;
  GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA bullmq TO daybook_queue;`

/** As the login itself, after Daybook's own migrations. @returns what was applied now, as `bullmq_11`, or nothing */
export async function migrateQueue(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATE_LOCK])
    const before = await versionOf(client)
    const after = await runMigrations(client, SCHEMA)
    // Every time: whoever was killed before he came to this left a schema that nobody may use.
    for (const lane of LANES) await client.query(SEQUENCE, [queueName(lane)])
    await client.query(GRANTS)
    return after > before ? [`${SCHEMA}_${after}`] : []
  } finally {
    await client.end()
  }
}

/** @throws Error for people when the queue's schema is older than this version needs */
export async function refuseOldQueueSchema(database: Pick<pg.Pool, 'query'>): Promise<void> {
  if ((await versionOf(database)) < LATEST_SCHEMA_VERSION)
    throw new Error('The database lacks what the queue needs: run "daybook migrate" with the login that owns it')
}

async function versionOf(database: Pick<pg.Pool, 'query'>): Promise<number> {
  try {
    return (await database.query<{ version: number }>(VERSION)).rows[0]!.version
  } catch (error) {
    if ((error as { code?: string }).code === '42P01' || (error as { code?: string }).code === '3F000') return 0
    throw error
  }
}
