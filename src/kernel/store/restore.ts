/** Brings a backup back, into a database that holds nothing yet; whatever turns out to be wrong, the database is empty again. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Pool, PoolClient } from 'pg'
import { postgresKeys } from '../key-store.ts'
import { openVault } from '../vault.ts'
import { readManifest } from './backup-manifest.ts'
import type { Manifest, Part } from './backup-manifest.ts'
import { servicePool } from './connection.ts'
import { copyIn } from './copy.ts'
import { sentenceOf, verifyHistory } from './history.ts'
import { migrate, migrationsOf } from './migrate.ts'

const SCHEMAS = ['store', 'vault', 'read', 'telemetry', 'migration']
const PRESENT = 'SELECT nspname AS name FROM pg_namespace WHERE nspname = ANY($1) ORDER BY nspname'

export interface Restoring {
  /** Of the login that is to own the database. */
  readonly url: string
  readonly directory: string
  /** The installation's, 32 bytes: a backup does not contain it. */
  readonly kek: Buffer
}

/**
 * The read models are still to be built.
 * @throws Error for people: the database is not empty, a part is damaged, the secret key or the history does not fit
 */
export async function restoreBackup({ url, directory, kek }: Restoring): Promise<Manifest> {
  const manifest = await readManifest(directory)
  for (const part of manifest.parts) await refuseDamage(directory, part)
  const pool = servicePool(url)
  try {
    await refuseFull(pool)
    await refuseNewer(url, manifest)
    try {
      await migrate(url, manifest.migrations.at(-1))
      await fill(pool, manifest, directory)
      // Before anything reads it: this version's code knows this version's tables.
      await migrate(url)
      await refuseOther(pool, manifest, kek)
    } catch (error) {
      await pool.query(`DROP SCHEMA IF EXISTS ${SCHEMAS.join(', ')} CASCADE`)
      throw error
    }
    return manifest
  } finally {
    await pool.end()
  }
}

async function refuseDamage(directory: string, { file, bytes, sha256 }: Part): Promise<void> {
  const path = join(directory, file)
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new Error(`The backup is incomplete: ${file} is missing. Nothing was restored.`)
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  if (found.size !== bytes || hash.digest('hex') !== sha256)
    throw new Error(`The backup is damaged: ${file} is not what was written. Nothing was restored.`)
}

async function refuseFull(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(PRESENT, [SCHEMAS])
  if (rows.length > 0)
    throw new Error(
      `The database is not empty: it has the schema${rows.length === 1 ? '' : 's'} ${rows.map(({ name }) => name).join(', ')}. Restore into a new one.`,
    )
}

async function refuseNewer(url: string, { migrations }: Manifest): Promise<void> {
  const { known } = await migrationsOf(url)
  const strange = migrations.find((name, place) => known[place] !== name)
  if (strange !== undefined)
    throw new Error(
      `The backup is of another version of Daybook: ${strange} is not the migration that this one has there.`,
    )
}

async function fill(pool: Pool, { parts }: Manifest, directory: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0')
    for (const part of parts) await readPart(client, directory, part)
    await client.query('COMMIT')
    await client.query('ANALYZE store.event, store.chain, store.claim')
  } finally {
    // A connection whose transaction did not end takes it along.
    client.release(true)
  }
}

async function refuseOther(pool: Pool, { checkpoint, head, hash }: Manifest, kek: Buffer): Promise<void> {
  const vault = openVault({ store: postgresKeys(pool), kek })
  await vault.check()
  const found = await verifyHistory(pool, vault, { exported: checkpoint === null ? [] : [checkpoint] })
  if ('problem' in found) throw new Error(`The backup is not the history that was signed: ${sentenceOf(found)}.`)
  if (found.head !== head || found.hash !== hash)
    throw new Error(`The restored log ends at ${found.head} and not at ${head}, as the backup says.`)
}

async function readPart(client: PoolClient, directory: string, part: Part): Promise<void> {
  let rows = 0
  await pipeline(
    createReadStream(join(directory, part.file)),
    createGunzip(),
    async (blocks: AsyncIterable<Buffer>) => {
      rows = await copyIn(client, `${part.table} (${part.columns.join(', ')})`, blocks)
    },
  )
  if (rows !== part.rows)
    throw new Error(`${part.file} holds ${rows} rows and not ${part.rows}, as the backup says. Nothing was restored.`)
}
