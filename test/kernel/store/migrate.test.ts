import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { LATEST_SCHEMA_VERSION } from 'bullmq'
import { expect, inject, test } from 'vitest'
import { refuseOldQueueSchema } from '#kernel/jobs/queue-schema'
import { servicePool } from '#kernel/store/connection'
import { ensureLogin } from '#kernel/store/database-login'
import { migrate } from '#kernel/store/migrate'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { createTestDatabase, databaseUrl, dropDatabase } from '#test/support/admin'
import { testDatabase } from '#test/support/database'
import { openQueueConnection } from '../../../src/composition/worker.ts'
import { anAppend } from '../../support/kernel/appends.ts'

const server = inject('serverUrl')

const ROLES = ['daybook_service', 'daybook_projector', 'daybook_queue'] as const

/** The names of the migrations, and after our own those of the queue. */
async function names(): Promise<string[]> {
  const files = await readdir(new URL('../../../migrations/', import.meta.url))
  const own = files.filter((file) => file.endsWith('.sql')).map((file) => file.replace('.sql', ''))
  return [...own.toSorted(), `bullmq_${LATEST_SCHEMA_VERSION}`]
}

async function withEmptyDatabase(use: (url: string, name: string) => Promise<void>): Promise<void> {
  const name = `daybook_migrate_${randomBytes(6).toString('hex')}`
  await createTestDatabase(server, name)
  try {
    await use(databaseUrl(server, name), name)
  } finally {
    await dropDatabase(server, name)
  }
}

test('applies every file once, in order', async () => {
  await withEmptyDatabase(async (url) => {
    expect(await migrate(url)).toEqual(await names())
    expect(await migrate(url)).toEqual([])
  })
})

test('several at once on one database: each file is applied once', async () => {
  await withEmptyDatabase(async (url) => {
    const applied = await Promise.all([migrate(url), migrate(url), migrate(url)])
    expect(applied.flat().toSorted()).toEqual((await names()).toSorted())
  })
})

test('several databases of one cluster at once share the roles', async () => {
  await withEmptyDatabase(async (one) =>
    withEmptyDatabase(async (two) => {
      await Promise.all([migrate(one), migrate(two)])
      for (const url of [one, two]) {
        const store = postgresStore({ url })
        expect(await store.append(anAppend('a', 0))).toEqual({ position: 1, revisions: [1] })
        await store.close()
      }
    }),
  )
})

test('an ordinary login that owns its database can migrate, act as all roles and let processes in', async () => {
  await withEmptyDatabase(async (url, name) => {
    const login = `daybook_login_${randomBytes(4).toString('hex')}`
    const admin = servicePool(url)
    await admin.query(`CREATE ROLE ${login} LOGIN CREATEROLE PASSWORD 'of-a-test'`)
    // Hosting providers create roles in advance, so the roles may exist already.
    const { rows } = await admin.query('SELECT rolname FROM pg_roles WHERE rolname = ANY ($1)', [
      [...ROLES, 'daybook_writer'],
    ])
    for (const { rolname } of rows) await admin.query(`GRANT ${rolname} TO ${login} WITH ADMIN OPTION`)
    await admin.query(`ALTER DATABASE ${name} OWNER TO ${login}`)
    const own = new URL(url)
    own.username = login
    own.password = 'of-a-test'
    try {
      expect(await migrate(own.href)).toEqual(await names())
      for (const role of ROLES) {
        const pool = servicePool(own.href, { role })
        expect((await pool.query('SELECT current_user AS role')).rows).toEqual([{ role }])
        await pool.end()
      }
      const processes = new URL(own.href)
      processes.username = `${login}_app`
      await ensureLogin(own.href, processes.href)
      const store = postgresStore({ url: processes.href })
      expect(await store.append(anAppend('a', 0))).toEqual({ position: 1, revisions: [1] })
      await store.close()
    } finally {
      await admin.query(`REASSIGN OWNED BY ${login} TO CURRENT_USER`)
      await admin.query(`DROP OWNED BY ${login}`)
      await admin.query(`DROP ROLE ${login}`)
      await admin.query(`DROP OWNED BY ${login}_app; DROP ROLE ${login}_app`)
      await admin.end()
    }
  })
})

test('a copy of a migrated database needs nothing', async () => {
  const database = await testDatabase()
  expect(await migrate(database.url)).toEqual([])
  await database.drop()
})

test('a queue without its tables is refused, and migrating mends that', async () => {
  await withEmptyDatabase(async (url) => {
    await migrate(url, '0009_work')
    const pool = servicePool(url)
    await expect(refuseOldQueueSchema(pool)).rejects.toThrow('run "daybook migrate"')
    await expect(openQueueConnection({ databaseUrl: url }, () => {})).rejects.toThrow('run "daybook migrate"')
    expect(await migrate(url)).toContain(`bullmq_${LATEST_SCHEMA_VERSION}`)
    await refuseOldQueueSchema(pool)
    await pool.end()
  })
})

test('the role of the queue has its jobs and nothing else', async () => {
  const database = await testDatabase()
  const pool = servicePool(database.url, { role: 'daybook_queue' })
  const { rows } = await pool.query("SELECT count(*) AS jobs FROM job WHERE queue = 'daybook-inside'")
  expect(rows).toEqual([{ jobs: 0 }])
  const forbidden = [
    'SELECT FROM store.event',
    'SELECT FROM vault.data_key',
    'SELECT FROM read.projection',
    'SELECT FROM telemetry.work_pending',
    'CREATE TABLE bullmq.own (id int)',
    'DELETE FROM bullmq.migration',
  ]
  for (const sql of forbidden) await expect(pool.query(sql), sql).rejects.toThrow('permission denied')
  await pool.end()
  await database.drop()
})
