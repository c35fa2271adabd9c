/** Appends that share a transaction keep all promises of an append. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import pg from 'pg'
import type { Pool, PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { StoreUnavailable, WrongExpectedRevision } from '#kernel/events/store-port'
import type { Append, AppendResult, EventStore } from '#kernel/events/store-port'
import { servicePool } from '#kernel/store/connection'
import { memoryStore } from '#kernel/store/memory/memory-store'
import { WAITING_APPENDS_MAX, WAITING_BYTES_MAX } from '#kernel/store/postgres/append-queue'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'
import { aConstraint, aGuard, anAppend, anEvent, aPart, aStream } from '../../support/kernel/appends.ts'
import { expectGuardsHeld } from '../../support/kernel/guard-storm.ts'
import { orderContract } from '../../support/kernel/order-contract.ts'
import { inRun, randomAppend, errorSummary } from '../../support/kernel/random-appends.ts'
import { readWholeLog } from '../../support/kernel/store-contract.ts'

let database: TestDatabase
let store: EventStore
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

orderContract('postgres', async () => postgresStore({ url: database.url }))

const count = async (table: string): Promise<number> =>
  Number((await owner.query<{ n: number }>(`SELECT count(*) AS n FROM store.${table}`)).rows[0]?.n)

const ended = (append: Promise<AppendResult>): Promise<unknown> =>
  append.then(() => 'appended').catch((error: unknown) => error)

/** Until it is released, every append of every store waits. */
async function lockHeld(): Promise<{ letGo(): Promise<void> }> {
  const holder: PoolClient = await owner.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT pg_advisory_xact_lock(4115297)')
  return { letGo: () => holder.query('ROLLBACK').then(() => holder.release()) }
}

async function waitingForLock(): Promise<number> {
  const text = `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`
  return Number((await owner.query<{ n: number }>(text)).rows[0]?.n)
}

describe('a batch', () => {
  test('is one transaction with one row in the chain', async () => {
    const before = await count('chain')
    await Promise.all(Array.from({ length: 40 }, () => store.append(anAppend(aStream(), 0))))
    expect((await count('chain')) - before).toBe(1)
    const { rows } = await owner.query('SELECT count(DISTINCT xmin::text) AS n FROM store.event WHERE pos > $1', [
      (await store.head()) - 40,
    ])
    expect(rows).toEqual([{ n: 1 }])
  })

  test('of refused appends only writes nothing at all', async () => {
    const before = [await count('event'), await count('chain')]
    const answers = await Promise.all(Array.from({ length: 5 }, () => ended(store.append(anAppend(aStream(), 1)))))
    expect(answers.map((answer) => (answer as Error).name)).toEqual(Array(5).fill('WrongExpectedRevision'))
    expect([await count('event'), await count('chain')]).toEqual(before)
  })

  test('holds all who guard one stream, and behind them whoever writes to it', async () => {
    const guarded = aStream()
    await store.append(anAppend(guarded, 0))
    const lock = await lockHeld()
    const first = store.append(anAppend(aStream(), 0))
    await vi.waitFor(async () => expect(await waitingForLock()).toBe(1), { timeout: 10_000 })
    const before = await count('chain')
    const guarding = (_none: unknown, nth: number) =>
      store.append({ parts: [aGuard(guarded, 1), ...(nth % 3 === 0 ? [] : [aPart(aStream(), 0)])] })
    const others = [...Array.from({ length: 30 }, guarding), store.append(anAppend(guarded, 1))]
    await lock.letGo()
    await Promise.all([first, ...others])
    expect((await count('chain')) - before).toBe(2)
  })

  test('takes what arrives while another one is under way', async () => {
    const lock = await lockHeld()
    const first = store.append(anAppend(aStream(), 0))
    await pause(50)
    const before = await count('chain')
    const others = Array.from({ length: 30 }, () => store.append(anAppend(aStream(), 0)))
    await pause(50)
    others.push(...Array.from({ length: 30 }, () => store.append(anAppend(aStream(), 0))))
    await lock.letGo()
    await Promise.all([first, ...others])
    expect((await count('chain')) - before).toBe(2)
  })
})

describe('what the database itself refuses', () => {
  beforeAll(async () => {
    await owner.query(`CREATE FUNCTION store.gag() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.data->>'poison' IS NOT NULL THEN RAISE EXCEPTION 'I do not swallow %', NEW.data->>'poison'; END IF;
        RETURN NEW;
      END $$`)
    await owner.query('CREATE TRIGGER gag BEFORE INSERT ON store.event FOR EACH ROW EXECUTE FUNCTION store.gag()')
  })
  afterAll(() => owner.query('DROP TRIGGER gag ON store.event'))

  test.each([1, 2, 3, 100, 256])('is refused alone among %i', async (size) => {
    const isBad = (n: number): boolean => n % 97 === 0
    const before = await store.head()
    const appends = Array.from({ length: size }, (_, n) => ({
      ...anAppend(aStream(), 0, anEvent(isBad(n) ? { poison: `number ${n}` } : { n })),
      take: [aConstraint(`customer/${n}`)],
    }))
    const answers = await Promise.all(appends.map((append) => ended(store.append(append))))
    for (const [n, answer] of answers.entries()) {
      if (isBad(n)) expect(String(answer)).toContain(`I do not swallow number ${n}`)
      else expect(answer).toBe('appended')
      expect(await store.holderOf(appends[n]!.take[0]!)).toBe(isBad(n) ? undefined : `customer/${n}`)
    }
    expect((await store.head()) - before).toBe(answers.filter((answer) => answer === 'appended').length)
  })
})

describe('a crowd', () => {
  const BUSY = { statusCode: 503, code: 'STORE_BUSY', headers: { 'Retry-After': '1' } }

  test('waits up to a bound, and whoever is too many is told at once and can come again', async () => {
    const own = postgresStore({ url: database.url })
    onTestFinished(() => own.close())
    await own.append(anAppend(aStream(), 0))
    const lock = await lockHeld()
    const before = await store.head()
    const sent = own.append(anAppend(aStream(), 0))
    await pause(50)
    const waiting = Array.from({ length: WAITING_APPENDS_MAX }, () => own.append(anAppend(aStream(), 0)))
    const late = anAppend(aStream(), 0)
    await expect(own.append(late)).rejects.toMatchObject(BUSY)
    await lock.letGo()
    await Promise.all([sent, ...waiting])
    await own.append(late)
    expect((await store.head()) - before).toBe(WAITING_APPENDS_MAX + 2)
  })

  test('is bounded by its weight as well', async () => {
    const own = postgresStore({ url: database.url })
    onTestFinished(() => own.close())
    await own.append(anAppend(aStream(), 0))
    const lock = await lockHeld()
    const sent = own.append(anAppend(aStream(), 0))
    await pause(50)
    const heavy = (): Append => anAppend(aStream(), 0, anEvent({ text: 'x'.repeat(2 ** 20) }))
    const waiting = Array.from({ length: WAITING_BYTES_MAX / 2 ** 20 - 1 }, () => own.append(heavy()))
    await expect(own.append(heavy())).rejects.toMatchObject(BUSY)
    await lock.letGo()
    await Promise.all([sent, ...waiting])
    await own.append(heavy())
  })

  test('is let out before the store closes', async () => {
    const own = postgresStore({ url: database.url })
    const before = await store.head()
    const all = Array.from({ length: 200 }, (_, n) =>
      own.append(anAppend(n % 10 === 0 ? 'one after the other' : aStream(), 'any')),
    )
    let answers = 0
    for (const each of all) void each.then(() => (answers += 1))
    await own.close()
    expect(answers).toBe(200)
    expect((await store.head()) - before).toBe(200)
    await expect(own.append(anAppend(aStream(), 0))).rejects.toBeInstanceOf(StoreUnavailable)
  })

  test('that waits longer than 9 s is told so', async () => {
    const lock = await lockHeld()
    const stream = aStream()
    const appends = Array.from({ length: 3 }, () => ended(store.append(anAppend(stream, 'any'))))
    const answers = await Promise.all(appends)
    for (const answer of answers) expect(answer).toBeInstanceOf(StoreUnavailable)
    // The others wait behind the first, for which Postgres waits 5 s: of them it would tell after 10 s.
    expect(answers.at(-1)).toMatchObject({ cause: { message: 'No answer within 9000 ms' } })
    await lock.letGo()
    await store.append(anAppend(aStream(), 0))
  })

  test('that nobody lets in is unavailable as a whole, and knocks once', async () => {
    const url = new URL(database.url)
    url.pathname = '/nowhere'
    const own = postgresStore({ url: url.href })
    const connect = vi.spyOn(pg.Client.prototype, 'connect')
    onTestFinished(() => connect.mockRestore())
    const appends = Array.from({ length: 40 }, () => ended(own.append(anAppend(aStream(), 0))))
    for (const answer of await Promise.all(appends)) expect(answer).toBeInstanceOf(StoreUnavailable)
    expect(connect).toHaveBeenCalledTimes(1)
    await own.close()
  })

  test('whose first batch meets a dead connection does not lose those behind it', async () => {
    const before = await store.head()
    const lock = await lockHeld()
    const first = ended(store.append(anAppend(aStream(), 0)))
    await pause(50)
    const behind = Array.from({ length: 20 }, () => store.append(anAppend(aStream(), 0)))
    for (let kills = 0; kills < 3;) {
      const { rowCount } = await owner.query(
        `SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event = 'advisory'`,
      )
      kills += rowCount ?? 0
      await pause(10)
    }
    expect(await first).toBeInstanceOf(StoreUnavailable)
    await lock.letGo()
    await Promise.all(behind)
    expect((await store.head()) - before).toBe(20)
  })
})

describe('several processes', () => {
  let stores: EventStore[]
  beforeAll(() => {
    stores = Array.from({ length: 3 }, () => postgresStore({ url: database.url }))
  })
  afterAll(() => Promise.all(stores.map((each) => each.close())))

  test('that guard what the others write to rest on what was there before', async () => {
    await expectGuardsHeld(stores, store)
  })

  test('of which each guards what the other writes to: exactly one is appended, and nobody waits for ever', async () => {
    const [one, other] = stores as [EventStore, EventStore]
    for (let round = 0; round < 100; round += 1) {
      const [x, y] = [aStream(), aStream()]
      const answers = await Promise.all([
        ended(one.append({ parts: [aGuard(x, 0), aPart(y, 0)] })),
        ended(other.append({ parts: [aGuard(y, 0), aPart(x, 0)] })),
      ])
      expect(answers.filter((answer) => answer === 'appended')).toHaveLength(1)
      expect(answers.filter((answer) => answer instanceof WrongExpectedRevision)).toHaveLength(1)
    }
  })
})

test('several processes that append at once share one order', async () => {
  const stores = Array.from({ length: 3 }, () => postgresStore({ url: database.url }))
  const before = await store.head()
  const claim = randomUUID()
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, n) =>
      ended(
        stores[n % 3]!.append({
          ...anAppend(aStream(), 0),
          take: [aConstraint(`customer/${n}`, n % 10 === 0 ? claim : undefined)],
        }),
      ),
    ),
  )
  await Promise.all(stores.map((each) => each.close()))
  const written = answers.filter((answer) => answer === 'appended').length
  expect(written).toBe(271)
  expect((await store.readAll(before, 1_000)).map(({ position }) => position)).toEqual(
    Array.from({ length: written }, (_, n) => before + n + 1),
  )
})

describe('beside the memory store', () => {
  test('what was appended at once is what memory makes of it one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomAppend, { minLength: 2, maxLength: 30 }), async (random) => {
        const [run, base, memory] = [randomUUID().slice(0, 8), await store.head(), memoryStore()]
        const once = random.map((each) => withNewIds(inRun(run, each)))
        const appends = once.flatMap((append, n) => (n % 4 === 0 ? [append, append] : [append]))
        const answers = await Promise.all(appends.map((append) => store.append(append).catch(errorSummary)))
        const written = await store.readAll(base, 1_000)
        const ordered = appends
          .map((append, n) => ({ append, answer: answers[n]! }))
          .filter((each): each is { append: Append; answer: AppendResult } => typeof each.answer === 'object')
          .toSorted((one, other) => one.answer.position - other.answer.position || onlyGuards(one) - onlyGuards(other))
        for (const { append, answer } of ordered) {
          const same = await memory.append(append)
          expect(answer.position - base).toBe(same.position)
          expect(ofWritten(append, answer)).toEqual(ofWritten(append, same))
        }
        expect(written.map(({ id, stream, revision }) => [id, stream, revision])).toEqual(
          (await readWholeLog(memory, 1_000)).map(({ id, stream, revision }) => [id, stream, revision]),
        )
        for (const claim of appends.flatMap(({ take = [] }) => take))
          expect(await store.holderOf(claim)).toBe(await memory.holderOf(claim))
      }),
      { numRuns: 60 },
    )
  })

  /** An append repeats either all event ids or none, so that only one order of the appends is possible. */
  const withNewIds = ({ parts, ...claims }: Append): Append => ({
    parts: parts.map((part) => ({ ...part, events: part.events.map((event) => ({ ...event, id: randomUUID() })) })),
    ...claims,
  })

  /** Appends with guards only are answered at the log's newest event, so they sort after it. */
  const onlyGuards = ({ append: { parts } }: { append: Append }): number =>
    Number(parts.every(({ events }) => events.length === 0))

  /**
   * A part without events answers the current revision of its stream, which differs when the append is
   * repeated later.
   */
  const ofWritten = ({ parts }: Append, { revisions }: AppendResult): number[] =>
    revisions.filter((_, n) => parts[n]!.events.length > 0)
})
