import { createHash, randomBytes } from 'node:crypto'
import { cpSync, readFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { writeBackup } from '#kernel/history/backup'
import { MANIFEST_FILE, SIGNATURE_FILE, readManifest } from '#kernel/history/backup-manifest'
import { checkpointKey } from '#kernel/history/checkpoint-key'
import { restoreBackup } from '#kernel/history/restore'
import { makeCheckpoint, verifyHistory } from '#kernel/history/verify-history'
import { servicePool } from '#kernel/store/connection'
import { migrate, migrationsOf } from '#kernel/store/migrate'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { postgresKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'
import { createTestDatabase, databaseUrl, dropDatabase } from '../../support/admin.ts'
import { aConstraint, anAppend, anEvent } from '../../support/kernel/appends.ts'
import { scratchPath } from '../../support/scratch.ts'

const kek = randomBytes(32)
let database: TestDatabase
let pool: Pool
let migrations: readonly string[]
const vaultOf = (on: Pool) => openVault({ store: postgresKeyStore(on), kek })

beforeAll(async () => {
  database = await testDatabase()
  pool = servicePool(database.url, { role: 'daybook_service' })
  migrations = (await migrationsOf(database.url)).applied
  const store = postgresStore({ url: database.url })
  await vaultOf(pool).check()
  for (let n = 0; n < 20; n += 1) {
    const append = anAppend(`s${n % 3}`, 'any', anEvent({ text: `ä€𝄞\t\n\\N "${n}"` }), anEvent({ n }))
    await store.append({ ...append, take: [aConstraint('me', `k${n}`)] })
  }
  await makeCheckpoint(pool, vaultOf(pool))
  await store.append(anAppend('big', 'any', anEvent({ text: 'x'.repeat(1_000_000) })))
  await pool.query(`INSERT INTO telemetry.attempt VALUES ('a', 1, ARRAY[now()], now())`)
  await store.close()
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

async function backedUp(): Promise<string> {
  const directory = scratchPath()
  await writeBackup(pool, directory, { vault: vaultOf(pool), migrations })
  return directory
}

async function emptyDatabase(): Promise<string> {
  const [server, name] = [inject('serverUrl'), `daybook_test_${randomBytes(6).toString('hex')}`]
  await createTestDatabase(server, name)
  onTestFinished(() => dropDatabase(server, name))
  return databaseUrl(server, name)
}

async function asked(url: string, text: string): Promise<any[]> {
  const owner = servicePool(url)
  return owner
    .query(text)
    .then(({ rows }) => rows)
    .finally(() => owner.end())
}

const EVERYTHING = [
  'store.event',
  'store.chain',
  'store.claim',
  'store.checkpoint',
  'vault.data_key',
  'telemetry.attempt',
]
const contents = async (url: string) =>
  Promise.all(EVERYTHING.map((table) => asked(url, `SELECT t::text AS line FROM ${table} t ORDER BY 1`)))

test('what was backed up is what is restored, and goes on', async () => {
  const [directory, url] = [await backedUp(), await emptyDatabase()]
  const manifest = await restoreBackup({ url, directory, kek })
  expect(await contents(url)).toEqual(await contents(database.url))
  const restored = servicePool(url, { role: 'daybook_service' })
  const store = postgresStore({ url })
  expect((await store.append(anAppend('big', 1))).position).toBe(manifest.head + 1)
  expect(await verifyHistory(restored, vaultOf(restored), { exported: [manifest.checkpoint!] })).toMatchObject({
    head: manifest.head + 1,
  })
  await store.close()
  await restored.end()
})

test('what is written meanwhile is in all parts or in none', async () => {
  const store = postgresStore({ url: database.url })
  let stop = false
  const writing = (async () => {
    for (let n = 0; !stop; n += 1)
      await store.append({ ...anAppend('meanwhile', 'any'), take: [aConstraint('me', `m${n}`)] })
  })()
  try {
    for (let taken = 0; taken < 5; taken += 1) {
      const { parts, head } = (await readManifest(await backedUp())).manifest
      const rows = Object.fromEntries(parts.map((part) => [part.table, part.rows]))
      const { before } = (
        await asked(database.url, `SELECT count(*) AS before FROM store.event WHERE stream <> 'meanwhile'`)
      )[0]
      expect(rows['store.event']).toBe(head)
      expect(rows['store.claim']).toBe(20 + head - before)
    }
  } finally {
    stop = true
    await writing
    await store.close()
  }
})

test('an empty log can be backed up and restored', async () => {
  const empty = await testDatabase()
  const on = servicePool(empty.url, { role: 'daybook_service' })
  const directory = scratchPath()
  await writeBackup(on, directory, { vault: vaultOf(on), migrations })
  expect(await restoreBackup({ url: await emptyDatabase(), directory, kek })).toMatchObject({
    head: 0,
    checkpoint: null,
  })
  await on.end()
  await empty.drop()
})

test('every table that is neither a read model nor the queue’s is in it, and only its owner can read it', async () => {
  const directory = await backedUp()
  const { parts } = (await readManifest(directory)).manifest
  const tables = await asked(
    database.url,
    `SELECT schemaname || '.' || tablename AS name FROM pg_tables
     WHERE schemaname NOT IN ('read', 'bullmq', 'migration', 'pg_catalog', 'information_schema') ORDER BY 1`,
  )
  expect(parts.map(({ table }) => table).toSorted()).toEqual(tables.map(({ name }) => name))
  for (const file of ['.', ...readdirSync(directory)]) expect(statSync(join(directory, file)).mode & 0o077).toBe(0)
  const foreign = await asked(
    database.url,
    `SELECT conname FROM pg_constraint WHERE contype = 'f' AND connamespace <> 'bullmq'::regnamespace`,
  )
  expect(foreign, 'the parts are restored in the order of their names').toEqual([])
})

test('nothing is written over', async () => {
  const directory = await backedUp()
  await expect(writeBackup(pool, directory, { vault: vaultOf(pool), migrations })).rejects.toThrow('does not exist yet')
  await expect(restoreBackup({ url: database.url, directory, kek })).rejects.toThrow(
    /^The database is not empty: it has the schemas bullmq, migration, read, store, telemetry, vault\./,
  )
})

describe('refused, and the database stays empty', () => {
  async function refused(directory: string, complaint: string | RegExp, secretKey = kek): Promise<void> {
    const url = await emptyDatabase()
    await expect(restoreBackup({ url, directory, kek: secretKey })).rejects.toThrow(complaint)
    const left = `SELECT nspname FROM pg_namespace WHERE nspname IN ('store', 'vault', 'read', 'telemetry', 'migration')`
    expect(await asked(url, left)).toEqual([])
  }

  test('a part with one bit changed, cut short or missing, by its name', async () => {
    const sound = await backedUp()
    for (const file of readdirSync(sound).filter((name) => name.endsWith('.gz'))) {
      const directory = scratchPath()
      cpSync(sound, directory, { recursive: true })
      const path = join(directory, file)
      const bytes = readFileSync(path)
      bytes[bytes.length >> 1]! ^= 1
      writeFileSync(path, bytes)
      await expect(restoreBackup({ url: database.url, directory, kek })).rejects.toThrow(`damaged: ${file}`)
      truncateSync(path, bytes.length - 1)
      await expect(restoreBackup({ url: database.url, directory, kek })).rejects.toThrow(`damaged: ${file}`)
      rmSync(path)
      await refused(directory, `incomplete: ${file}`)
    }
  })

  test('without its secret key, with the words that say what to do', async () => {
    await refused(await backedUp(), 'The secret key does not fit', randomBytes(32))
  })

  test('a backup that did not end, or of a newer version', async () => {
    const directory = await backedUp()
    const text = readFileSync(join(directory, MANIFEST_FILE), 'utf8')
    const write = (change: (manifest: any) => object) =>
      writeFileSync(join(directory, MANIFEST_FILE), JSON.stringify(change(JSON.parse(text))))
    write((manifest) => ({ ...manifest, migrations: [...manifest.migrations, '9999_tomorrow'] }))
    await refused(directory, '9999_tomorrow')
    write((manifest) => ({ ...manifest, format: 2 }))
    await refused(directory, 'another version')
    write(({ head: _, ...manifest }) => manifest)
    await refused(directory, 'damaged')
    rmSync(join(directory, MANIFEST_FILE))
    await refused(directory, 'no complete backup')
  })

  /** A forgery by an attacker who can write the backup and knows how its checksums are made. */
  async function forged(file: string, change: (bytes: Buffer) => Buffer): Promise<string> {
    const directory = await backedUp()
    const bytes = gzipSync(change(gunzipSync(readFileSync(join(directory, file)))))
    writeFileSync(join(directory, file), bytes)
    const manifest = JSON.parse(readFileSync(join(directory, MANIFEST_FILE), 'utf8'))
    const part = manifest.parts.find((each: { file: string }) => each.file === file)
    part.bytes = bytes.length
    part.sha256 = createHash('sha256').update(bytes).digest('hex')
    writeFileSync(join(directory, MANIFEST_FILE), JSON.stringify(manifest))
    return directory
  }

  test('an event that was changed in the backup, sums and all', async () => {
    const directory = await forged('store.event.copy.gz', (bytes) => {
      const at = bytes.indexOf('{"n":7}')
      bytes.write('{"n":8}', at)
      return bytes
    })
    await refused(directory, /differs from the signed history: .* events 15 to 16/)
  })

  test('a claim, a key or a count that was changed in the backup, sums and all', async () => {
    for (const [file, from, to] of [
      ['store.claim.copy.gz', 'k7', 'kX'],
      ['vault.data_key.copy.gz', 'installation-key/check', 'installation-key/chock'],
      [
        'telemetry.attempt.copy.gz',
        'a\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0001',
        'a\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000',
      ],
    ] as const) {
      const directory = await forged(file, (bytes) => {
        expect(bytes.indexOf(from)).toBeGreaterThan(0)
        bytes.write(to, bytes.indexOf(from))
        return bytes
      })
      await refused(directory, 'this installation has not signed it')
    }
  })

  test('a history that was written anew, its checkpoints taken out', async () => {
    const directory = await backedUp()
    const path = join(directory, MANIFEST_FILE)
    const manifest = JSON.parse(readFileSync(path, 'utf8'))
    for (const file of [
      'store.event.copy.gz',
      'store.chain.copy.gz',
      'store.claim.copy.gz',
      'store.checkpoint.copy.gz',
    ]) {
      const nothing = gunzipSync(readFileSync(join(directory, file))).subarray(0, 19)
      const bytes = gzipSync(Buffer.concat([nothing, Buffer.from([255, 255])]))
      writeFileSync(join(directory, file), bytes)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      Object.assign(
        manifest.parts.find((each: { file: string }) => each.file === file),
        { rows: 0, bytes: bytes.length, sha256 },
      )
    }
    writeFileSync(path, JSON.stringify({ ...manifest, head: 0, hash: '0'.repeat(64), checkpoint: null }))
    await refused(directory, 'this installation has not signed it')
  })

  test('the manifest of another backup, or none that is signed', async () => {
    const [directory, other] = [await backedUp(), await backedUp()]
    cpSync(join(other, SIGNATURE_FILE), join(directory, SIGNATURE_FILE))
    await refused(directory, 'this installation has not signed it')
    rmSync(join(directory, SIGNATURE_FILE))
    await refused(directory, 'no complete backup')
    const key = await checkpointKey(vaultOf(pool))
    writeFileSync(
      join(directory, SIGNATURE_FILE),
      (await key.sign({ position: 1, hash: '0'.repeat(64) }, new Date().toISOString())).jws,
    )
    await refused(directory, 'this installation has not signed it')
  })

  test('a part that is left out, and a manifest that is no list of tables', async () => {
    const changed = async (change: (parts: any[]) => any[]): Promise<string> => {
      const directory = await backedUp()
      const manifest = JSON.parse(readFileSync(join(directory, MANIFEST_FILE), 'utf8'))
      writeFileSync(join(directory, MANIFEST_FILE), JSON.stringify({ ...manifest, parts: change(manifest.parts) }))
      return directory
    }
    const complaint = 'does not hold the tables of its version'
    await refused(await changed((parts) => parts.filter(({ table }) => table !== 'store.claim')), complaint)
    await refused(await changed((parts) => [...parts, parts[0]]), complaint)
    const statement = 'store.claim FROM STDIN; CREATE TABLE public.stranger (); COPY store.claim'
    for (const strange of [{ table: statement }, { columns: ["scope) FROM PROGRAM 'true' --"] }]) {
      const directory = await changed((parts) =>
        parts.map((part) => (part.table === 'store.claim' ? { ...part, ...strange } : part)),
      )
      await refused(directory, complaint)
    }
  })

  test('rows that end too early', async () => {
    const directory = await forged('store.claim.copy.gz', (bytes) =>
      Buffer.concat([bytes.subarray(0, 19), Buffer.from([255, 255])]),
    )
    await refused(directory, 'store.claim.copy.gz holds 0 rows, but the manifest of the backup says ')
    const cut = await forged('store.event.copy.gz', (bytes) => bytes.subarray(0, bytes.length - 40))
    await refused(cut, /COPY|unexpected|EOF/)
  })
})

test('of two restores into one database, one is refused and takes nothing from the other', async () => {
  const [directory, url] = [await backedUp(), await emptyDatabase()]
  const outcomes = await Promise.allSettled([1, 2].map(() => restoreBackup({ url, directory, kek })))
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(outcomes).toContainEqual(
    expect.objectContaining({
      reason: new Error('Another restore into this database is running; wait until it ends.'),
    }),
  )
  expect(await contents(url)).toEqual(await contents(database.url))
})

test('what somebody else has begun there meanwhile is left to him', async () => {
  const [directory, url] = [await backedUp(), await emptyDatabase()]
  await asked(
    url,
    `CREATE FUNCTION public.begin_here() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
       IF to_regclass('vault.data_key') IS NOT NULL THEN
         INSERT INTO vault.data_key (subject, wrapped) VALUES ('theirs', '') ON CONFLICT DO NOTHING;
       END IF;
     END $$;
     CREATE EVENT TRIGGER begin_here ON ddl_command_end EXECUTE FUNCTION public.begin_here()`,
  )
  await expect(restoreBackup({ url, directory, kek })).rejects.toThrow('The database is not empty any more')
  expect(await asked(url, 'SELECT subject FROM vault.data_key')).toEqual([{ subject: 'theirs' }])
})

test('where the chain stands is not signed unseen', async () => {
  const fresh = await testDatabase()
  const [on, store] = [servicePool(fresh.url), postgresStore({ url: fresh.url })]
  onTestFinished(async () => {
    await Promise.all([on.end(), store.close()])
    await fresh.drop()
  })
  await store.append(anAppend('a', 0))
  await makeCheckpoint(on, vaultOf(on))
  await store.append(anAppend('a', 1))
  await on.query('ALTER TABLE store.chain DISABLE TRIGGER append_only')
  await on.query(`UPDATE store.chain SET hash = sha256('forged') WHERE to_pos = (SELECT max(to_pos) FROM store.chain)`)
  const directory = scratchPath()
  await expect(writeBackup(on, directory, { vault: vaultOf(on), migrations })).rejects.toThrow(
    'is not what was appended',
  )
  expect(readdirSync(directory)).not.toContain(MANIFEST_FILE)
})

test('a backup of an older version is brought to this one, with its own secret key', async () => {
  const old = await emptyDatabase()
  const through = (await migrationsOf(old)).known[5]!
  await migrate(old, through)
  const older = servicePool(old)
  const directory = scratchPath()
  const { applied } = await migrationsOf(old)
  expect(applied.at(-1)).toBe(through)
  await older.query(`INSERT INTO telemetry.attempt VALUES ('a', 7, ARRAY[now()], now())`)
  const { rows } = await pool.query(
    `SELECT subject, wrapped FROM vault.data_key WHERE subject LIKE 'installation-key/%'`,
  )
  for (const { subject, wrapped } of rows)
    await older.query('INSERT INTO vault.data_key VALUES ($1, $2)', [subject, wrapped])
  await writeBackup(older, directory, { vault: vaultOf(pool), migrations: applied })
  await older.end()
  const url = await emptyDatabase()
  await expect(restoreBackup({ url, directory, kek: randomBytes(32) })).rejects.toThrow('The secret key does not fit')
  await restoreBackup({ url, directory, kek })
  expect((await migrationsOf(url)).applied).toEqual(migrations)
  expect(await asked(url, 'SELECT consecutive FROM telemetry.attempt')).toEqual([{ consecutive: 7 }])
})
