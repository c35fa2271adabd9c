/** Restores a backup into an empty database. After any error, the database is empty again. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { createGunzip } from 'node:zlib'
import type { Pool, PoolClient } from 'pg'
import { copyIn } from '../store/binary-copy.ts'
import { servicePool } from '../store/connection.ts'
import { migrate, migrationsOf } from '../store/migrate.ts'
import { postgresKeyStore } from '../vault/key-store.ts'
import { openVault } from '../vault/vault.ts'
import { readManifest } from './backup-manifest.ts'
import type { BackupManifest, BackupPart, SignedManifest } from './backup-manifest.ts'
import { backupTables } from './backup.ts'
import { checkpointKey } from './checkpoint-key.ts'
import { brokenHistoryText, verifyHistory } from './verify-history.ts'

const SCHEMAS = ['store', 'vault', 'read', 'telemetry', 'bullmq', 'migration']
/** Differs from the locks of the store, of erasures and of the projectors’ leader. */
const RESTORE_LOCK = 4_115_300
const PRESENT = 'SELECT nspname AS name FROM pg_namespace WHERE nspname = ANY($1) ORDER BY nspname'

/** The data in the database belongs to another process, so it must not be dropped. */
class DatabaseInUse extends Error {
  constructor(options?: ErrorOptions) {
    super('The database is not empty any more: another process uses it. Restore into a new database.', options)
  }
}

export interface RestoreOptions {
  /** The URL with the login that is to own the tables. */
  readonly url: string
  readonly directory: string
  /** The key-encryption key of the installation, 32 bytes; a backup does not contain it. */
  readonly kek: Buffer
}

/**
 * Does not build the read models.
 * @throws Error with a message for the operator when the database is not empty or a part is damaged,
 *   or when the secret key, the signature or the history does not match
 */
export async function restoreBackup({ url, directory, kek }: RestoreOptions): Promise<BackupManifest> {
  const signed = await readManifest(directory)
  const { manifest } = signed
  for (const part of manifest.parts) await refuseDamage(directory, part)
  const pool = servicePool(url)
  try {
    await withRestoreLock(pool, async () => {
      await refuseFull(pool)
      await refuseNewer(url, manifest)
      try {
        await migrate(url, manifest.migrations.at(-1))
        await fill(pool, manifest, directory)
        // Before the verification, because this version's code needs this version's tables.
        await migrate(url)
        await refuseForeignHistory(pool, signed, kek)
      } catch (error) {
        if (!(error instanceof DatabaseInUse)) await pool.query(`DROP SCHEMA IF EXISTS ${SCHEMAS.join(', ')} CASCADE`)
        throw error
      }
    })
    return manifest
  } finally {
    await pool.end()
  }
}

/** Of two concurrent restores, a failing one would drop the rows of the other. */
async function withRestoreLock(pool: Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ first: boolean }>('SELECT pg_try_advisory_lock($1) AS first', [RESTORE_LOCK])
    if (!rows[0]!.first) throw new Error('Another restore into this database is running; wait until it ends.')
    await work()
  } finally {
    client.release(true)
  }
}

async function refuseDamage(directory: string, { file, bytes, sha256 }: BackupPart): Promise<void> {
  const path = join(directory, file)
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new Error(`The backup is incomplete: ${file} is missing. Nothing was restored.`)
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  if (found.size !== bytes || hash.digest('hex') !== sha256)
    throw new Error(`The backup is damaged: ${file} does not match its checksum. Nothing was restored.`)
}

async function refuseFull(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(PRESENT, [SCHEMAS])
  if (rows.length > 0)
    throw new Error(
      `The database is not empty: it has the schema${rows.length === 1 ? '' : 's'} ${rows.map(({ name }) => name).join(', ')}. Restore into a new database.`,
    )
}

async function refuseNewer(url: string, { migrations }: BackupManifest): Promise<void> {
  const { known } = await migrationsOf(url)
  const strange = migrations.find((name, place) => known[place] !== name)
  if (strange !== undefined)
    throw new Error(
      `The backup is from another version of Daybook: its migration ${strange} is not in this version. Restore it with the version that wrote it.`,
    )
}

async function fill(pool: Pool, { parts }: BackupManifest, directory: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0')
    await refuseUnknownTables(client, parts)
    await refuseFilledTables(client, parts)
    for (const part of parts) await readPart(client, directory, part)
    await client.query('COMMIT')
    await client.query('ANALYZE store.event, store.chain, store.claim')
  } finally {
    // Closing the connection rolls back a transaction that has not ended.
    client.release(true)
  }
}

/**
 * Names in the manifest become SQL and are not verified yet, so they must equal the tables of this
 * version, with none missing.
 */
async function refuseUnknownTables(client: PoolClient, parts: readonly BackupPart[]): Promise<void> {
  const own = await backupTables(client)
  const named = parts.map(({ table, file, columns }) => ({ table, file, columns }))
  if (!isDeepStrictEqual(named, own)) throw new Error('The backup does not hold the tables of its version.')
}

async function refuseFilledTables(client: PoolClient, parts: readonly BackupPart[]): Promise<void> {
  const tables = parts.map(({ table }) => table)
  await client.query(`LOCK TABLE ${tables.join(', ')}`).catch((cause: unknown) => {
    throw new DatabaseInUse({ cause })
  })
  const { rows } = await client.query<{ taken: boolean }>(
    `SELECT ${tables.map((table) => `EXISTS (SELECT FROM ${table})`).join(' OR ')} AS taken`,
  )
  if (rows[0]!.taken) throw new DatabaseInUse()
}

async function refuseForeignHistory(
  pool: Pool,
  { manifest, text, signature }: SignedManifest,
  kek: Buffer,
): Promise<void> {
  const { checkpoint, head, hash } = manifest
  const vault = openVault({ store: postgresKeyStore(pool), kek })
  const found = await verifyHistory(pool, vault, { exported: checkpoint === null ? [] : [checkpoint] })
  if ('problem' in found) throw new Error(`The backup differs from the signed history: ${brokenHistoryText(found)}.`)
  if (found.head !== head || found.hash !== hash)
    throw new Error(`The restored log ends at position ${found.head}, but the manifest of the backup says ${head}.`)
  if (!(await (await checkpointKey(vault)).hasSignedBackup(text, signature)))
    throw new Error('The signature of the backup is not valid: this installation has not signed it.')
}

async function readPart(client: PoolClient, directory: string, part: BackupPart): Promise<void> {
  let rows = 0
  const hash = createHash('sha256')
  await pipeline(
    createReadStream(join(directory, part.file)),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        yield chunk
      }
    },
    createGunzip(),
    async (blocks: AsyncIterable<Buffer>) => {
      rows = await copyIn(client, `${part.table} (${part.columns.join(', ')})`, blocks)
    },
  )
  // Checks again what was actually read: the file may have changed since the first check.
  if (hash.digest('hex') !== part.sha256)
    throw new Error(`The backup is damaged: ${part.file} does not match its checksum. Nothing was restored.`)
  if (rows !== part.rows)
    throw new Error(
      `${part.file} holds ${rows} rows, but the manifest of the backup says ${part.rows}. Nothing was restored.`,
    )
}
