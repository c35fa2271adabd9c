/**
 * The rights of each role on a migrated database with its read models. The rules are by schema, so that a new
 * table has to follow them.
 */
import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logger } from '#kernel/logging/log'
import { servicePool } from '#kernel/store/connection'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'
import { openCore } from '../../../src/composition/licensing.ts'

type Role = 'daybook_service' | 'daybook_projector' | 'daybook_writer'

let database: TestDatabase
let superuser: Pool

beforeAll(async () => {
  database = await testDatabase()
  const core = await openCore(
    { databaseUrl: database.loginUrl, eventStoreUrl: undefined, secretKey: randomBytes(32) },
    logger({ level: 'silent' }),
  )
  await core.projector.prepare()
  await core.close()
  superuser = servicePool(database.url)
})
afterAll(async () => {
  await superuser.end()
  await database.drop()
})

/** By table: what the role may do with the whole table. */
async function granted(role: Role, schema: string): Promise<Record<string, string>> {
  const { rows } = await superuser.query<{ name: string; may: string }>(
    `SELECT c.relname AS name, coalesce(string_agg(p.privilege, ' ' ORDER BY p.privilege)
         FILTER (WHERE has_table_privilege($1, c.oid, p.privilege)), '') AS may
       FROM pg_class c CROSS JOIN unnest(ARRAY['SELECT','INSERT','UPDATE','DELETE','TRUNCATE','REFERENCES','TRIGGER']) AS p(privilege)
       WHERE c.relnamespace = $2::regnamespace AND c.relkind IN ('r', 'v', 'm', 'p') GROUP BY c.relname ORDER BY c.relname`,
    [role, schema],
  )
  expect(rows.length, schema).toBeGreaterThan(0)
  return Object.fromEntries(rows.map(({ name, may }) => [name, may]))
}

const allOf = (tables: Record<string, string>, may: string) =>
  Object.fromEntries(Object.keys(tables).map((name) => [name, may]))

test('the service reads log, chain and claims, and adds to none but by functions; of itself it adds checkpoints', async () => {
  const tables = await granted('daybook_service', 'store')
  expect(tables).toEqual({ ...allOf(tables, 'SELECT'), checkpoint: 'INSERT SELECT' })
})

test('the functions’ owner may do what the functions do', async () => {
  expect(await granted('daybook_writer', 'store')).toEqual({
    event: 'INSERT SELECT',
    chain: 'INSERT SELECT',
    claim: 'DELETE INSERT SELECT',
    checkpoint: '',
  })
  expect(await granted('daybook_writer', 'vault')).toEqual({ data_key: 'INSERT SELECT UPDATE' })
  const tables = await granted('daybook_writer', 'telemetry')
  expect(tables).toEqual({ ...allOf(tables, ''), idempotent_call: 'SELECT UPDATE' })
  const read = await granted('daybook_writer', 'read')
  expect(read).toEqual(allOf(read, ''))
})

test('the service reads the read models and writes none', async () => {
  const tables = await granted('daybook_service', 'read')
  expect(Object.keys(tables)).toContain('customers')
  expect(tables).toEqual(allOf(tables, 'SELECT'))
})

test('the service adds keys, and neither changes nor removes nor numbers one', async () => {
  expect(await granted('daybook_service', 'vault')).toEqual({ data_key: 'SELECT' })
  const { rows } = await superuser.query(
    `SELECT a.attname AS name FROM pg_attribute a WHERE a.attrelid = 'vault.data_key'::regclass AND a.attnum > 0
       AND (has_column_privilege('daybook_service', a.attrelid, a.attnum, 'INSERT')
         OR has_column_privilege('daybook_service', a.attrelid, a.attnum, 'UPDATE')) ORDER BY 1`,
  )
  expect(rows.map(({ name }) => name)).toEqual(['subject', 'wrapped'])
})

test('the projector reads the log and writes read models; keys and telemetry are not its own', async () => {
  const log = await granted('daybook_projector', 'store')
  expect(log).toEqual(allOf(log, 'SELECT'))
  for (const schema of ['vault', 'telemetry']) {
    const tables = await granted('daybook_projector', schema)
    expect(tables).toEqual(allOf(tables, ''))
  }
})

test('everybody else may do nothing, and call nothing', async () => {
  for (const schema of ['store', 'vault', 'read', 'telemetry', 'migration']) {
    const { rows } = await superuser.query(
      `SELECT c.relname FROM pg_class c, aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) AS a
         WHERE c.relnamespace = ($1::text)::regnamespace AND a.grantee = 0
       UNION ALL SELECT nspname FROM pg_namespace, aclexplode(nspacl) AS a WHERE nspname = $1::text AND a.grantee = 0
       UNION ALL SELECT p.proname FROM pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a
         WHERE p.pronamespace = ($1::text)::regnamespace AND a.grantee = 0 AND p.prorettype <> 'trigger'::regtype`,
      [schema],
    )
    expect(rows, schema).toEqual([])
  }
})

test('what runs with the rights of its owner finds nothing on a caller’s path', async () => {
  const { rows } = await superuser.query<{ name: string; settings: string[] | null }>(
    `SELECT p.proname AS name, p.proconfig AS settings FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE p.prosecdef AND n.nspname IN ('store', 'vault', 'read', 'telemetry', 'public') ORDER BY 1`,
  )
  const settings = ['search_path=pg_catalog, pg_temp']
  expect(rows).toEqual(['append', 'append_one', 'erase'].map((name) => ({ name, settings })))
})
