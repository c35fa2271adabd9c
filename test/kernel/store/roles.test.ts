/**
 * What the database refuses to a process, whatever statement reaches its connection (D19). Tried as the login
 * and as each role.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { escapeLiteral } from 'pg'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { servicePool } from '#kernel/store/connection'
import type { DatabaseRole } from '#kernel/store/connection'
import { ensureLogin, excessPrivilegesOf } from '#kernel/store/database-login'
import { migrate, migrationsOf, pendingMigrations } from '#kernel/store/migrate'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { createTestDatabase, databaseUrl, dropDatabase } from '#test/support/admin'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'
import { aConstraint, aStream, anAppend } from '../../support/kernel/appends.ts'

const server = inject('serverUrl')
const { user: login } = inject('login')
const owner = decodeURIComponent(new URL(server).username)
const ROLES = ['daybook_service', 'daybook_projector', 'daybook_queue'] as const satisfies DatabaseRole[]
const ACTORS = ['the login', ...ROLES] as const
type Actor = (typeof ACTORS)[number]

let database: TestDatabase
let superuser: Pool
let pools: Record<Actor, Pool>

beforeAll(async () => {
  database = await testDatabase()
  await ensureLogin(database.url, database.loginUrl)
  superuser = servicePool(database.url)
  await superuser.query('CREATE TABLE public.there (a int)')
  pools = Object.fromEntries(
    ACTORS.map((actor) => [
      actor,
      servicePool(database.loginUrl, actor === 'the login' ? { max: 1 } : { role: actor, max: 1 }),
    ]),
  ) as Record<Actor, Pool>
})
afterAll(async () => {
  await Promise.all(Object.values(pools).map((pool) => pool.end()))
  await superuser.end()
  await database.drop()
})

/** Statements that cannot run within a transaction. */
const ALONE = /^(?:ALTER SYSTEM|CREATE DATABASE)/

/** Runs each statement in a transaction that is rolled back. @returns the SQLSTATE, or that it was done */
async function outcome(actor: Actor, statement: string): Promise<string> {
  const client = await pools[actor].connect()
  try {
    if (!ALONE.test(statement)) await client.query('BEGIN')
    await client.query(statement)
    return 'done'
  } catch (error) {
    return (error as { code: string }).code
  } finally {
    await client.query('ROLLBACK; RESET ROLE')
    client.release(true)
  }
}

/** The statements that are not refused for lack of a right: done, or with the SQLSTATE of another failure. */
async function done(actor: Actor, statements: readonly string[]): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {}
  for (const statement of statements) {
    const how = await outcome(actor, statement)
    if (how !== '42501') outcomes[statement] = how
  }
  return outcomes
}

const EVENT = `INSERT INTO store.event (pos, revision, id, stream, type, schema_version, data, metadata)
  VALUES (1000000, 1, gen_random_uuid(), 's', 't', 1, '{}', '{}')`
const NAMES = {
  event: 'revision = revision',
  chain: 'hash = hash',
  claim: 'holder = holder',
  checkpoint: 'jws = jws',
} as const

const OF_THE_LOG = [
  EVENT,
  `SET ROLE NONE; ${EVENT}`,
  `INSERT INTO store.chain VALUES (1000000, '\\x00')`,
  `INSERT INTO store.claim VALUES ('a', 'b', 'c', 1)`,
  ...Object.entries(NAMES).flatMap(([table, change]) => [
    `UPDATE store.${table} SET ${change}`,
    `DELETE FROM store.${table}`,
    `TRUNCATE store.${table}`,
    `ALTER TABLE store.${table} ADD COLUMN mine int`,
    `LOCK TABLE store.${table} IN EXCLUSIVE MODE`,
    `DROP TABLE store.${table}`,
  ]),
  `UPDATE vault.data_key SET wrapped = ''`,
  'DELETE FROM vault.data_key',
  'TRUNCATE vault.data_key',
  'INSERT INTO vault.data_key (subject, erased) VALUES (gen_random_uuid(), 1)',
  `SELECT store.verdict('{}', '{}', '{}', 0, '{}', '{}', '{}', null, null, 1)`,
]

const OF_FUNCTIONS = [
  ...['store.append', 'store.append_one', 'store.verdict', 'vault.erase'].flatMap((name) => [
    `ALTER FUNCTION ${name} SECURITY INVOKER`,
    `ALTER FUNCTION ${name} SET search_path = read`,
    `ALTER FUNCTION ${name} OWNER TO CURRENT_USER`,
    `DROP FUNCTION ${name}`,
  ]),
  'CREATE OR REPLACE FUNCTION store.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
  'ALTER TABLE store.event DISABLE TRIGGER append_only',
  'DROP TRIGGER append_only ON store.chain',
  'SET session_replication_role = replica',
]

const OF_MAKING = [
  'CREATE SCHEMA mine',
  'CREATE TEMPORARY TABLE mine (a int)',
  'CREATE EXTENSION pg_trgm SCHEMA public',
  'CREATE ROLE mine',
  'CREATE DATABASE mine',
  ...['store', 'vault', 'telemetry', 'bullmq', 'migration', 'public'].flatMap((schema) => [
    `CREATE TABLE ${schema}.mine (a int)`,
    `CREATE FUNCTION ${schema}.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
  ]),
  'SELECT lo_create(0)',
  'SELECT lo_creat(-1)',
  `SELECT lo_from_bytea(0, '\\x00')`,
]

const OF_THE_SERVER = [
  `SET SESSION AUTHORIZATION ${owner}`,
  'GRANT daybook_writer TO CURRENT_USER',
  'ALTER ROLE CURRENT_USER SUPERUSER',
  `ALTER ROLE ${owner} PASSWORD 'mine'`,
  `ALTER ROLE daybook_writer LOGIN`,
  'ALTER SYSTEM SET fsync = off',
  `COPY (SELECT 1) TO PROGRAM 'true'`,
  `COPY public.there FROM PROGRAM 'true'`,
  `COPY (SELECT 1) TO '/tmp/daybook-mine'`,
  `SELECT pg_read_file('PG_VERSION')`,
  `SELECT pg_ls_dir('.')`,
  `SELECT lo_import('/etc/passwd')`,
  'SELECT FROM pg_authid',
  'SELECT FROM pg_shadow',
  'SELECT pg_reload_conf()',
]

describe.each(ACTORS)('%s', (actor) => {
  test.each([
    ['changes neither log nor chain nor claims nor keys', OF_THE_LOG],
    ['changes no function and no trigger', OF_FUNCTIONS],
    ['makes nothing in the database', OF_MAKING],
    ['reaches neither the server’s files nor its programs nor its logins', OF_THE_SERVER],
  ])('%s', async (_what, statements) => {
    expect(await done(actor, statements)).toEqual({})
  })

  test('hands on to nobody what it may call', async () => {
    const client = await pools[actor].connect()
    const called = ['store.append', 'store.append_one', 'vault.erase']
    // Postgres only warns if a grant has no effect.
    for (const name of called) await client.query(`GRANT EXECUTE ON FUNCTION ${name} TO PUBLIC`).catch(() => {})
    client.release(true)
    const { rows } = await superuser.query<{ name: string }>(
      `SELECT name FROM unnest($1::text[]) AS name WHERE has_function_privilege('daybook_queue', name::regproc, 'EXECUTE')`,
      [called],
    )
    expect(rows).toEqual([])
  })

  test('takes up Daybook’s three roles and no other', async () => {
    const { rows } = await superuser.query<{ name: string }>('SELECT rolname AS name FROM pg_roles ORDER BY 1')
    const all = rows.map(({ name }) => name)
    expect(all).toEqual(expect.arrayContaining([owner, 'daybook_writer', 'pg_execute_server_program']))
    const taken = await done(
      actor,
      all.map((name) => `SET ROLE "${name}"`),
    )
    expect(Object.keys(taken).toSorted()).toEqual([...ROLES, login].map((name) => `SET ROLE "${name}"`).toSorted())
  })
})

test('the login itself reads nothing; the queue nothing but its jobs; the projector no key and no telemetry', async () => {
  const [log, keys, telemetry, migrations, made] = [
    'SELECT FROM store.event',
    'SELECT FROM vault.data_key',
    'SELECT FROM telemetry.attempt',
    'SELECT FROM migration.applied',
    'SELECT FROM read.projection',
  ]
  const all = [log, keys, telemetry, migrations, made]
  const read = async (actor: Actor) => Object.keys(await done(actor, all))
  expect(await read('the login')).toEqual([])
  expect(await read('daybook_queue')).toEqual([])
  expect(await read('daybook_projector')).toEqual([log, made])
  expect(await read('daybook_service')).toEqual(all)
})

describe('a function that runs with the rights of another', () => {
  test('belongs to a role that nothing logs in as and that owns nothing else', async () => {
    const { rows: functions } = await superuser.query<{ name: string; owner: string }>(
      `SELECT n.nspname || '.' || p.proname AS name, p.proowner::regrole::text AS owner FROM pg_proc p
         JOIN pg_namespace n ON n.oid = p.pronamespace
         WHERE p.prosecdef AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'bullmq') ORDER BY 1`,
    )
    expect(functions).toEqual(
      ['store.append', 'store.append_one', 'vault.erase'].map((name) => ({ name, owner: 'daybook_writer' })),
    )
    const { rows: writer } = await superuser.query(
      `SELECT rolcanlogin OR rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls AS may,
         EXISTS (SELECT FROM pg_class WHERE relowner = r.oid) OR EXISTS (SELECT FROM pg_namespace WHERE nspowner = r.oid) AS owns
         FROM pg_roles r WHERE rolname = 'daybook_writer'`,
    )
    expect(writer).toEqual([{ may: false, owns: false }])
  })

  test('looks up nothing in what its caller may write', async () => {
    const { url, loginUrl, drop } = await testDatabase()
    const [projector, service] = [servicePool(loginUrl, { role: 'daybook_projector' }), servicePool(loginUrl)]
    const shadows = [
      'sha256(bytea) RETURNS bytea',
      'convert_to(text, name) RETURNS bytea',
      'cardinality(int[]) RETURNS int',
      'clock_timestamp() RETURNS timestamptz',
      'pg_advisory_xact_lock(bigint) RETURNS void',
      'pg_advisory_xact_lock(int) RETURNS void',
      'unnest(text[]) RETURNS SETOF text',
    ]
    const [mine, admin] = [await service.connect(), servicePool(url)]
    try {
      // Removes the other defence: that the functions’ owner cannot enter the schema.
      await admin.query('GRANT USAGE ON SCHEMA read TO daybook_writer')
      for (const shadow of shadows)
        await projector.query(`CREATE FUNCTION read.${shadow} LANGUAGE plpgsql AS $$ BEGIN RAISE 'shadowed'; END $$`)
      // As if temporary tables were still allowed.
      await admin.query(
        `DO $$ BEGIN EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO PUBLIC', current_database()); END $$`,
      )
      await mine.query('CREATE TEMPORARY TABLE pg_class (oid int); CREATE TEMPORARY TABLE event (pos int)')
      for (const type of ['text', 'json', 'uuid'])
        await mine.query(`CREATE DOMAIN pg_temp.${type} AS pg_catalog.${type} CHECK (false)`)
      await mine.query('SET ROLE daybook_service; SET search_path = pg_temp, read, pg_catalog')
      await expect(mine.query(`SELECT sha256('')`)).rejects.toThrow('shadowed')
      await mine.query(`SELECT store.append_one('s', 0, gen_random_uuid(), 't', 1, '{}', '{}')`)
      await mine.query(
        `SELECT store.append('{1}', '{1}', '{1}', '{s2}', '{0}', '{1}', '{1}', ARRAY[gen_random_uuid()], '{t}', '{1}', '{}', '{}',
           '[{"append": 1, "take": [{"scope": "a", "key": "b", "holder": "c"}]}]')`,
      )
      await mine.query(`SELECT vault.erase('{someone}')`)
    } finally {
      mine.release(true)
      await Promise.all([projector.end(), service.end(), admin.end()])
    }
    const store = postgresStore({ url })
    expect(await store.head()).toBe(2)
    expect(await store.holderOf({ scope: 'a', key: 'b' })).toBe('c')
    await store.close()
    await drop()
  })
})

describe('letting a login in', () => {
  const named = () => ({ user: `daybook_login_${randomBytes(4).toString('hex')}`, password: `p'%$ ${randomUUID()}` })

  async function withDatabase(use: (url: string, name: string) => Promise<void>): Promise<void> {
    const name = `daybook_roles_${randomBytes(6).toString('hex')}`
    await createTestDatabase(server, name)
    try {
      await use(databaseUrl(server, name), name)
    } finally {
      await dropDatabase(server, name)
    }
  }

  async function withLogin(use: (as: { user: string; password: string }) => Promise<void>): Promise<void> {
    const as = named()
    try {
      await use(as)
    } finally {
      await superuser.query(`DROP OWNED BY ${as.user}`).catch(() => {})
      await superuser.query(`DROP ROLE IF EXISTS ${as.user}`)
    }
  }

  test('makes it once, with what a process needs', async () => {
    await withLogin(async (as) =>
      withDatabase(async (url, name) => {
        const own = databaseUrl(server, name, as)
        await migrate(url)
        await Promise.all([ensureLogin(url, own), ensureLogin(url, own)])
        // The password is not changed: a mistyped variable must not lock out running processes.
        await ensureLogin(url, databaseUrl(server, name, { ...as, password: 'another' }))
        const store = postgresStore({ url: own })
        expect(await store.append({ ...anAppend(aStream(), 0), take: [aConstraint('holder')] })).toMatchObject({
          position: 1,
        })
        await store.close()
        const pool = servicePool(own, { role: 'daybook_service' })
        expect(await excessPrivilegesOf(pool)).toBeUndefined()
        await pool.end()
        expect(await pendingMigrations(own)).toEqual([])
      }),
    )
  })

  test('shuts out the logins of other installations on the same server', async () => {
    await withLogin(async (as) => {
      await superuser.query(`CREATE ROLE ${as.user} LOGIN PASSWORD ${escapeLiteral(as.password)}`)
      await superuser.query(`GRANT daybook_service TO ${as.user}`)
      const stranger = servicePool(databaseUrl(server, new URL(database.url).pathname.slice(1), as), {
        role: 'daybook_service',
      })
      await expect(stranger.query('SELECT FROM store.event')).rejects.toMatchObject({ code: '42501' })
      await stranger.end()
    })
  })

  test('is nothing where the processes log in as the owner', async () => {
    const before = await superuser.query('SELECT datacl FROM pg_database WHERE datname = current_database()')
    await ensureLogin(database.url, `${database.url}?application_name=x`)
    const after = await superuser.query('SELECT datacl FROM pg_database WHERE datname = current_database()')
    expect(after.rows).toEqual(before.rows)
  })

  test('comes before a migration of an older version, and after', async () => {
    await withLogin(async (as) =>
      withDatabase(async (url, name) => {
        const own = databaseUrl(server, name, as)
        await migrate(url, '0018_api_key_use')
        const before = postgresStore({ url })
        await before.append(anAppend('old', 0))
        await before.close()
        await ensureLogin(url, own)
        await expect(migrationsOf(own)).rejects.toThrow('run "daybook migrate"')
        expect(await pendingMigrations(url)).toContain('0019_roles')
        await migrate(url)
        expect(await pendingMigrations(own)).toEqual([])
        const after = postgresStore({ url: own })
        expect(await after.append(anAppend('old', 1))).toEqual({ position: 2, revisions: [2] })
        await after.close()
      }),
    )
  })
})

describe('a login that may do too much is named', () => {
  const as = { user: `daybook_login_${randomBytes(4).toString('hex')}`, password: randomUUID() }
  const url = () => databaseUrl(server, new URL(database.url).pathname.slice(1), as)
  beforeAll(() => ensureLogin(database.url, url()))
  afterAll(() => superuser.query(`DROP OWNED BY ${as.user}; DROP ROLE ${as.user}`))

  const said = async (url: string): Promise<string | undefined> => {
    const pool = servicePool(url)
    return excessPrivilegesOf(pool).finally(() => pool.end())
  }

  test('as a superuser, also where a connection acts as a role', async () => {
    expect(await said(database.url)).toContain('is a superuser')
    const acting = servicePool(database.url, { role: 'daybook_service' })
    expect(await excessPrivilegesOf(acting)).toContain(`${owner} is a superuser`)
    await acting.end()
  })

  test.each([
    ['GRANT daybook_writer TO $', 'REVOKE daybook_writer FROM $', 'may act as daybook_writer'],
    ['GRANT pg_write_all_data TO $', 'REVOKE pg_write_all_data FROM $', 'may act as pg_write_all_data'],
    ['ALTER ROLE $ CREATEROLE', 'ALTER ROLE $ NOCREATEROLE', 'has CREATEROLE'],
    ['ALTER ROLE $ BYPASSRLS REPLICATION', 'ALTER ROLE $ NOBYPASSRLS NOREPLICATION', 'has REPLICATION, BYPASSRLS'],
    ['ALTER SCHEMA store OWNER TO $', 'ALTER SCHEMA store OWNER TO CURRENT_USER', 'owns the tables'],
  ])('after %s', async (give, take, what) => {
    await superuser.query(give.replace('$', as.user))
    try {
      expect(await said(url())).toContain(what)
    } finally {
      await superuser.query(take.replace('$', as.user))
    }
    expect(await said(url())).toBeUndefined()
  })
})
