import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import pg from 'pg'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { StoreUnavailable } from '#kernel/events/store-port'
import type { Append, EventStore } from '#kernel/events/store-port'
import { isUnavailable, servicePool } from '#kernel/store/connection'
import { checkDurability } from '#kernel/store/durability'
import { memoryStore } from '#kernel/store/memory/memory-store'
import { PostgresAppendListener } from '#kernel/store/postgres/append-listener'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'
import { aConstraint, anAppend, anEvent, aPart, aStream } from '../../support/kernel/appends.ts'
import { inRun, randomAppend, errorSummary } from '../../support/kernel/random-appends.ts'
import { readWholeLog, storeContract } from '../../support/kernel/store-contract.ts'

let database: TestDatabase
let store: EventStore
/** The login itself: a superuser. */
let owner: Pool

beforeAll(async () => {
  database = await testDatabase()
  store = postgresStore({ url: database.url })
  owner = servicePool(database.url)
})

afterAll(async () => {
  await store.close()
  await owner.end()
  await database.drop()
})

storeContract('postgres', async () => postgresStore({ url: database.url, max: 8 }))

describe('beside the memory store', () => {
  test('it gives the same answers through random appends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomAppend, { minLength: 1, maxLength: 15 }), async (appends) => {
        const [memory, run, base] = [memoryStore(), randomUUID().slice(0, 8), await store.head()]
        for (const append of appends.map((each) => inRun(run, each))) {
          const answer = await memory.append(append).catch(errorSummary)
          const same = await store.append(append).catch(errorSummary)
          expect(typeof same === 'object' ? { ...same, position: same.position - base } : same).toEqual(answer)
        }
        const written = await store.readAll(base, 1000)
        expect(written.map(({ id, revision }) => [id, revision])).toEqual(
          (await readWholeLog(memory, 1000)).map(({ id, revision }) => [id, revision]),
        )
      }),
      { numRuns: 60 },
    )
  })
})

describe('append-only', () => {
  const changes = ['event', 'chain'].flatMap((table) => [
    [`UPDATE store.${table} SET ${table === 'event' ? 'revision = 9' : 'hash = hash'}`],
    [`DELETE FROM store.${table}`],
    [`TRUNCATE store.${table}`],
  ])

  test.each(changes)('%s is refused to a superuser', async (sql) => {
    await store.append(anAppend(aStream(), 0))
    await expect(owner.query(sql)).rejects.toThrow('append-only')
  })

  test.each(changes)('%s is refused to a superuser who switches triggers off for the session', async (sql) => {
    const client = await owner.connect()
    try {
      await client.query('SET session_replication_role = replica')
      await expect(client.query(sql)).rejects.toThrow('append-only')
    } finally {
      client.release(true)
    }
  })
})

describe('roles', () => {
  const EVENT = `INSERT INTO store.event (pos, revision, id, stream, type, schema_version, data, metadata)
    VALUES (1000000, 1, gen_random_uuid(), 's', 't', 1, '{}', '{}')`
  const DENIED = { code: '42501' }
  let service: Pool
  let projector: Pool

  beforeAll(() => {
    service = servicePool(database.url, { role: 'daybook_service' })
    projector = servicePool(database.url, { role: 'daybook_projector' })
  })
  afterAll(() => Promise.all([service.end(), projector.end()]))

  test.each([
    EVENT,
    `SELECT store.append('{1}', '{1}', '{1}', '{s}', '{0}', '{1}', '{1}', ARRAY[gen_random_uuid()], '{t}', '{1}', '{}', '{}', null)`,
    `SELECT store.append_one('s', 0, gen_random_uuid(), 't', 1, '{}', '{}')`,
    `INSERT INTO store.claim VALUES ('a', 'b', 'c', 1)`,
    'DELETE FROM store.claim',
    'SELECT * FROM vault.data_key',
    'CREATE TABLE store.mine (a int)',
  ])('the projector may not: %s', async (sql) => {
    await expect(projector.query(sql)).rejects.toMatchObject(DENIED)
  })

  test.each([
    ['append', true],
    ['append_one', true],
    ['verdict', false],
  ])('the projector may not call store.%s; that the service may is %s', async (name, may) => {
    const call = `SELECT has_function_privilege(oid, 'EXECUTE') AS may FROM pg_proc WHERE oid = 'store.${name}'::regproc`
    expect((await projector.query(call)).rows).toEqual([{ may: false }])
    expect((await service.query(call)).rows).toEqual([{ may }])
  })

  test.each([
    `UPDATE read.projection SET position = 1`,
    `INSERT INTO read.projection VALUES ('p', 1, 1)`,
    `DELETE FROM read.projection`,
    `CREATE TABLE read.mine (a int)`,
    EVENT,
    `INSERT INTO store.chain VALUES (1000000, '')`,
    `INSERT INTO store.claim VALUES ('a', 'b', 'c', 1)`,
    'DELETE FROM store.claim',
    `UPDATE store.event SET revision = 9`,
    `DELETE FROM store.event`,
    `DELETE FROM store.chain`,
    `UPDATE store.claim SET holder = 'me'`,
    `UPDATE vault.data_key SET wrapped = ''`,
    `DELETE FROM vault.data_key`,
  ])('the service may not: %s', async (sql) => {
    await expect(service.query(sql)).rejects.toMatchObject(DENIED)
  })

  test('both may read the log', async () => {
    for (const pool of [service, projector])
      await pool.query('SELECT * FROM store.event, store.chain, store.claim LIMIT 1')
  })

  test.each(['the owner', 'the projector'])(
    'a read model made by %s: the projector writes, the service only reads',
    async (by) => {
      const table = by === 'the owner' ? 'read.by_owner' : 'read.by_projector'
      await (by === 'the owner' ? owner : projector).query(`CREATE TABLE ${table} (a int)`)
      await projector.query(`INSERT INTO ${table} VALUES (1)`)
      await projector.query(`UPDATE ${table} SET a = 2`)
      expect((await service.query(`SELECT a FROM ${table}`)).rows).toEqual([{ a: 2 }])
      await expect(service.query(`UPDATE ${table} SET a = 3`)).rejects.toMatchObject(DENIED)
      await projector.query(`DELETE FROM ${table}`)
      await projector.query(`TRUNCATE ${table}`)
    },
  )

  test('later telemetry tables belong to the service', async () => {
    await owner.query('CREATE TABLE telemetry.beat (id bigserial PRIMARY KEY, n int)')
    await service.query('INSERT INTO telemetry.beat (n) VALUES (1)')
    await service.query('UPDATE telemetry.beat SET n = 2')
    await service.query('DELETE FROM telemetry.beat')
    await expect(projector.query('SELECT * FROM telemetry.beat')).rejects.toMatchObject(DENIED)
  })
})

describe('types, in this pool only', () => {
  test('int8 is a number, timestamptz an ISO text, json parsed', async () => {
    const at = `'2026-02-03 04:05:06.789123+02'::timestamptz`
    const { rows } = await owner.query(`SELECT 9007199254740991 AS n, ${at} AS at, '{"a": 1}'::json AS j`)
    expect(rows).toEqual([{ n: 9007199254740991, at: '2026-02-03T02:05:06.789Z', j: { a: 1 } }])
    expect(pg.types.getTypeParser(pg.types.builtins.INT8)('1')).toBe('1')
  })

  test('an int8 that no number can hold fails', async () => {
    await expect(owner.query('SELECT 9007199254740993 AS n')).rejects.toThrow('9007199254740993')
  })

  test('a URL that would take the role away is refused', () => {
    expect(() => servicePool(`${database.url}?options=-c%20role%3Dpostgres`)).toThrow('options')
  })
})

describe('visibility', () => {
  test('a live reader beside 16 writers misses nothing and sees no gap', async () => {
    const writers = Array.from({ length: 4 }, () => postgresStore({ url: database.url, max: 4 }))
    const start = await store.head()
    let writing = true
    const seen: string[] = []
    const reading = (async () => {
      for (let [after, last] = [start, false]; !last;) {
        last = !writing
        const events = await store.readAll(after, 500)
        events.forEach(({ position, id }, index) => {
          if (position !== after + index + 1) throw new Error(`A gap before ${position}`)
          seen.push(id)
        })
        after += events.length
        if (events.length > 0) last = false
      }
    })()
    const appended: string[] = []
    const writes = Array.from({ length: 16 }, async (_, index) => {
      for (let n = 0; n < 100; n += 1) {
        const events = Array.from({ length: 1 + (n % 3) }, () => anEvent({ text: 'x'.repeat((n * 97) % 2000) }))
        await writers[index % 4]!.append(anAppend(n % 2 === 0 ? aStream() : 'shared', 'any', ...events))
        appended.push(...events.map((event) => event.id))
      }
    })
    await Promise.all(writes)
    writing = false
    await reading
    expect(seen.toSorted()).toEqual(appended.toSorted())
    await Promise.all(writers.map((writer) => writer.close()))
  })
})

describe('time', () => {
  test('never runs backwards along the log, even when the clock does', async () => {
    const own = await testDatabase()
    const [log, admin] = [postgresStore({ url: own.url }), servicePool(own.url)]
    await log.append(anAppend('a', 0))
    // A last event from tomorrow looks like a clock that was set back by a day.
    await admin.query('ALTER TABLE store.event DISABLE TRIGGER append_only')
    await admin.query(`UPDATE store.event SET recorded_at = recorded_at + interval '1 day'`)
    await log.append(anAppend('b', 0))
    const [first, second] = await log.readAll(0, 2)
    expect(second?.recordedAt).toEqual(first?.recordedAt)
    await Promise.all([log.close(), admin.end()])
    await own.drop()
  })
})

describe('lost connections', () => {
  test('killed backends under load: nothing lost, nothing doubled', async () => {
    const [stream, claimScope] = [aStream(), randomUUID()]
    const writer = postgresStore({ url: database.url, max: 4 })
    let kills = 0
    let writing = true
    const killer = (async () => {
      while (writing) {
        const { rowCount } = await owner.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%store.append%'
           ORDER BY random() LIMIT 1`,
        )
        kills += rowCount ?? 0
        // A new connection needs a moment until it can append.
        await pause(75)
      }
    })()
    const append = async (n: number): Promise<void> => {
      const one: Append = {
        parts: [aPart(stream, 'any', anEvent({ n })), aPart(aStream(), 0)],
        take: [{ scope: claimScope, key: String(n), holder: `holder/${n}` }],
      }
      // What a command does on 503: the same append again, with the same ids.
      for (;;) {
        try {
          return void (await writer.append(one))
        } catch (error) {
          expect(error).toBeInstanceOf(StoreUnavailable)
        }
      }
    }
    // At least 480 appends, and as many as it takes until enough connections were killed, however fast the machine is.
    let last = 0
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while (last < 480 || kills <= 10) await append((last += 1))
      }),
    )
    writing = false
    await killer
    const written = (await store.readStream(stream)).map((event) => event.data['n'])
    expect(written).toHaveLength(last)
    expect(new Set(written).size).toBe(last)
    await writer.close()
  })

  test('an append whose backend dies while it waits is tried again by itself', async () => {
    const holder = await owner.connect()
    await holder.query('BEGIN')
    await holder.query('SELECT pg_advisory_xact_lock(4115297)')
    const stream = aStream()
    const answer = store.append({ ...anAppend(stream, 0), take: [aConstraint('me')] })
    await vi.waitFor(async () => {
      const { rowCount } = await owner.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event = 'advisory'`,
      )
      expect(rowCount).toBe(1)
    })
    await holder.query('ROLLBACK')
    holder.release()
    expect((await answer).revisions).toEqual([1])
    expect(await store.readStream(stream)).toHaveLength(1)
  })

  test('a killed writer process leaves whole appends only', async () => {
    const stream = aStream()
    const name = 'endless-writer'
    const child = fork(new URL('../../support/kernel/endless-writer.ts', import.meta.url), [
      `${database.url}?application_name=${name}`,
      stream,
    ])
    await once(child, 'message')
    await pause(100)
    child.kill('SIGKILL')
    await once(child, 'exit')
    // The backend lives on until the append in flight is committed or rolled back.
    await vi.waitFor(
      async () => {
        const { rows } = await owner.query('SELECT pid FROM pg_stat_activity WHERE application_name = $1', [name])
        expect(rows).toEqual([])
      },
      { timeout: 10_000 },
    )
    const events = await store.readStream(stream)
    expect(events.length).toBeGreaterThan(0)
    expect(events.length % 3).toBe(0)
    expect((await store.append(anAppend(stream, events.length))).revisions).toEqual([events.length + 1])
  })

  test('a connection that dies between two queries of its holder ends no process', async () => {
    const held = await owner.connect()
    const { rows } = await held.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await owner.query('SELECT pg_terminate_backend($1, 2000)', [rows[0]?.pid])
    await pause(50)
    const failure: unknown = await held.query('SELECT 1').catch((error: unknown) => error)
    expect(isUnavailable(failure)).toBe(true)
    held.release(true)
  })

  test('a server that can only be read is unavailable, and no longer when it can be written to', async () => {
    const admin = await owner.connect()
    const { rows } = await admin.query('SELECT quote_ident(current_database()) AS name')
    const other = postgresStore({ url: database.url })
    await admin.query(`ALTER DATABASE ${rows[0].name} SET default_transaction_read_only = on`)
    const one = anAppend(aStream(), 0)
    await expect(other.append(one)).rejects.toThrow(StoreUnavailable)
    await admin.query(`ALTER DATABASE ${rows[0].name} RESET default_transaction_read_only`)
    expect((await other.append(one)).revisions).toEqual([1])
    await other.close()
    admin.release()
  })

  test('no server at all is StoreUnavailable, 503 with Retry-After', async () => {
    const nowhere = postgresStore({ url: 'postgres://nobody@127.0.0.1:1/none' })
    const failure = await nowhere.append(anAppend(aStream(), 0)).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StoreUnavailable)
    expect(failure).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '1' } })
    await expect(nowhere.head()).rejects.toBeInstanceOf(StoreUnavailable)
    await nowhere.close()
  })

  test('a lock that is held too long is StoreUnavailable within 10 s', { retry: 2 }, async () => {
    const holder = await owner.connect()
    await holder.query('BEGIN')
    await holder.query('SELECT pg_advisory_xact_lock(4115297)')
    const start = performance.now()
    await expect(store.append(anAppend(aStream(), 0))).rejects.toBeInstanceOf(StoreUnavailable)
    expect(performance.now() - start).toBeLessThan(10_000)
    await holder.query('ROLLBACK')
    holder.release()
  })
})

describe('wake-up', () => {
  test('hears other processes’ appends, and again after its connection was killed', async () => {
    const [reader, writer] = [postgresStore({ url: database.url }), postgresStore({ url: database.url })]
    const listener = vi.fn<() => void>()
    reader.onAppended(listener)
    // The listener calls once when it is connected, because it has missed earlier appends.
    const isCalled = (): Promise<void> => vi.waitFor(() => expect(listener).toHaveBeenCalled(), { timeout: 10_000 })
    const hearsOneAppend = async (): Promise<void> => {
      listener.mockClear()
      await writer.append(anAppend(aStream(), 0))
      await isCalled()
    }
    await isCalled()
    await hearsOneAppend()
    listener.mockClear()
    const { rowCount } = await owner.query(
      `SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity
       WHERE query ~ '^LISTEN|AS newest FROM' AND pid <> pg_backend_pid() AND datname = current_database()`,
    )
    expect(rowCount).toBeGreaterThan(0)
    await isCalled()
    await hearsOneAppend()
    await Promise.all([reader.close(), writer.close()])
  })

  test('notices an append whose notification was lost', async () => {
    const writer = postgresStore({ url: database.url })
    const deaf = new PostgresAppendListener({ connectionString: database.url }, () => true)
    const listener = vi.fn<() => void>()
    deaf.listen(listener)
    // It calls when it is connected, and when it has asked for the newest event for the first time.
    await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(2), { timeout: 10_000 })
    await writer.append(anAppend(aStream(), 0))
    await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(3), { timeout: 10_000 })
    await Promise.all([deaf.close(), writer.close()])
  })

  test('hears an append of its own process once', async () => {
    const [here, there] = [postgresStore({ url: database.url }), postgresStore({ url: database.url })]
    await here.append(anAppend(aStream(), 0))
    const listener = vi.fn<() => void>()
    here.onAppended(listener)
    await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(2), { timeout: 10_000 })
    const heardOf = async (writer: EventStore) => {
      listener.mockClear()
      await writer.append(anAppend(aStream(), 0))
      // The second call comes from the question for the newest event.
      await vi.waitFor(() => expect(listener.mock.calls.length).toBeGreaterThan(1), { timeout: 10_000 })
      await pause(300)
      return listener.mock.calls.length
    }
    expect(await heardOf(here)).toBe(2)
    expect(await heardOf(there)).toBe(2)
    await Promise.all([here.close(), there.close()])
  })
})

describe('durability', () => {
  const settings = (off: string[]): Pick<Pool, 'query'> => {
    const names = ['fsync', 'full_page_writes', 'synchronous_commit']
    const rows = names.map((name) => ({ name, setting: off.includes(name) ? 'off' : 'on' }))
    return { query: async () => ({ rows }) } as unknown as Pick<Pool, 'query'>
  }

  test.each(['fsync', 'full_page_writes', 'synchronous_commit'])('a server with %s = off is refused', async (name) => {
    await expect(checkDurability(settings([name]))).rejects.toThrow(`${name} = off`)
  })

  test('a server with everything on is accepted', async () => {
    await checkDurability(settings([]))
  })

  test('what counts is the database’s own setting, for the role that appends', async () => {
    const own = await testDatabase()
    const admin = servicePool(own.url)
    const name = new URL(own.url).pathname.slice(1)
    await admin.query(`ALTER DATABASE ${name} SET synchronous_commit = off`)
    const service = servicePool(own.url, { role: 'daybook_service' })
    await expect(checkDurability(service)).rejects.toThrow('synchronous_commit')
    await admin.query(`ALTER DATABASE ${name} SET synchronous_commit = local`)
    const local = servicePool(own.url, { role: 'daybook_service' })
    const failure: unknown = await checkDurability(local).catch((error: unknown) => error)
    expect(String(failure)).not.toContain('synchronous_commit')
    await Promise.all([admin.end(), service.end(), local.end()])
    await own.drop()
  })
})
