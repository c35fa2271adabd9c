/**
 * A backup of all data that cannot be rebuilt: the log with its unique constraints, chain and checkpoints, the
 * wrapped data keys, and telemetry. It is a logical backup through COPY, from one database snapshot, while the
 * service runs. It needs neither pg_dump nor a superuser nor the files of the server. It can be verified row by row
 * against the chain, and be restored into any later PostgreSQL and any later version of Daybook. The database's
 * catalog lists the tables, so that no new table is missed.
 */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { ClientBase, Pool, PoolClient } from 'pg'
import { copyOut } from '../store/binary-copy.ts'
import type { Vault } from '../vault/vault.ts'
import { MANIFEST_FILE, SIGNATURE_FILE, manifestText } from './backup-manifest.ts'
import type { BackupManifest, BackupPart } from './backup-manifest.ts'
import { GENESIS } from './chain.ts'
import { checkpointKey } from './checkpoint-key.ts'
import { signHeadOfSnapshot } from './verify-history.ts'

const OWNER_ONLY_DIRECTORY = 0o700
const OWNER_ONLY_FILE = 0o600
/** A higher level would make the compression slower than the database. */
const GZIP_LEVEL = 1

/**
 * Leaves out the schema `read`, which a restore rebuilds, and the schema of the queue, which is filled
 * again from these tables.
 */
const TABLES = `SELECT format('%I.%I', n.nspname, c.relname) AS table, n.nspname || '.' || c.relname || '.copy.gz' AS file,
    array_agg(format('%I', a.attname) ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE n.nspname IN ('store', 'vault', 'telemetry') AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  GROUP BY n.nspname, c.relname ORDER BY n.nspname, c.relname`
const BEGIN = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`

/** The tables that a backup holds, in the order of their parts. */
export async function backupTables(client: ClientBase): Promise<Pick<BackupPart, 'table' | 'file' | 'columns'>[]> {
  const { rows } = await client.query<Pick<BackupPart, 'table' | 'file' | 'columns'>>(TABLES)
  return rows
}

/**
 * @param directory must not exist yet. @param migrations those that the database has
 * @throws Error with a message for the operator when the directory exists or the disk is full
 *   · BrokenHistoryError when the log was altered, because an altered log must not be signed
 */
export async function writeBackup(
  pool: Pool,
  directory: string,
  { vault, migrations }: { vault: Vault; migrations: readonly string[] },
): Promise<Omit<BackupManifest, 'format'>> {
  await mkdir(directory, { mode: OWNER_ONLY_DIRECTORY }).catch((cause: unknown) => {
    throw new Error(`The directory ${directory} cannot be created; name one that does not exist yet.`, { cause })
  })
  // The key is made before the snapshot, because the snapshot must contain it.
  const key = await checkpointKey(vault)
  const client = await pool.connect()
  try {
    await client.query(BEGIN)
    const { rows: now } = await client.query<{ at: string }>('SELECT clock_timestamp() AS at')
    const signed = await signHeadOfSnapshot(pool, client, key)
    const parts: BackupPart[] = []
    for (const table of await backupTables(client)) parts.push(await writePart(client, directory, table))
    const { position: head, hash } = signed ?? GENESIS
    const checkpoint = signed?.jws ?? null
    const manifest = { takenAt: now[0]!.at, migrations: [...migrations], head, hash, checkpoint, parts }
    const text = manifestText(manifest)
    await writeDurably(directory, SIGNATURE_FILE, `${await key.signBackup(text)}\n`)
    await writeDurably(directory, MANIFEST_FILE, text)
    return manifest
  } finally {
    client.release(true)
  }
}

async function writePart(
  client: PoolClient,
  directory: string,
  part: Pick<BackupPart, 'table' | 'file' | 'columns'>,
): Promise<BackupPart> {
  const hash = createHash('sha256')
  let [rows, bytes] = [0, 0]
  await pipeline(
    async function* () {
      rows = yield* copyOut(client, `SELECT ${part.columns.join(', ')} FROM ${part.table}`)
    },
    createGzip({ level: GZIP_LEVEL }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
    },
    createWriteStream(join(directory, part.file), { mode: OWNER_ONLY_FILE, flush: true }),
  )
  return { ...part, rows, bytes, sha256: hash.digest('hex') }
}

/** Syncs the directory too: a power failure loses a file name that is not synced. */
async function writeDurably(directory: string, file: string, text: string): Promise<void> {
  const written = await open(join(directory, file), 'wx', OWNER_ONLY_FILE)
  await written.writeFile(text)
  await written.sync()
  await written.close()
  const names = await open(directory)
  await names.sync()
  await names.close()
}
