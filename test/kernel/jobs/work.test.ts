/**
 * Reactions and timers on the queue in Postgres: every effect happens once, whatever connection or answer is
 * lost.
 */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { jobsWarningOf, readJobsStatus } from '#kernel/jobs/job-status'
import { reaction } from '#kernel/jobs/reaction'
import { registerReactions } from '#kernel/jobs/reaction-subscriber'
import { recurringJob } from '#kernel/jobs/recurring-job'
import { timer } from '#kernel/jobs/timer'
import { worker } from '#kernel/jobs/worker'
import { manualClock } from '#kernel/lib/clock'
import { servicePool } from '#kernel/store/connection'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'
import { LampBroken, LampLit, echo, goOutTimer, waitUntil, jobFixture } from '../../support/kernel/job-fixture.ts'
import type { JobFixture } from '../../support/kernel/job-fixture.ts'

let database: TestDatabase
let here: JobFixture
beforeEach(async () => {
  database = await testDatabase()
  here = jobFixture(database.url)
})
afterEach(async () => {
  await here.close()
  await database.drop()
})

/** Cuts connections as a restart of Postgres does. */
async function cutConnections(url: string): Promise<void> {
  const superuser = servicePool(url)
  await superuser.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  await superuser.end()
}

describe('a reaction', () => {
  test('follows every event of its types once, and knows what is sealed in it', async () => {
    await here.started({ reactions: [echo] })
    const lampId = randomUUID()
    await here.light(lampId, 'Ada')
    await here.break(lampId)
    await here.light(lampId, 'Bob')
    await waitUntil(async () => (await here.recorded('LampEchoed')).length === 2)
    expect((await here.recorded('LampEchoed')).map((data) => ('by' in data ? data.by : '')).toSorted()).toEqual([
      'Ada',
      'Bob',
    ])
    await waitUntil(async () => (await here.pending()).length === 0)
    expect(here.errors).toEqual([])
  })

  test('says what led to it', async () => {
    await here.started({ reactions: [echo] })
    await here.light(randomUUID())
    await waitUntil(async () => (await here.recorded('LampEchoed')).length === 1)
    const [lit, echoed] = await here.store.readAll(0, 10)
    expect(echoed!.metadata).toMatchObject({
      actor: { type: 'SYSTEM', id: 'lamps' },
      causationId: lit!.id,
      requestId: `echo-${lit!.position}`,
    })
  })

  test('is not told of what happened before anybody knew it', async () => {
    await here.light(randomUUID(), 'before')
    await here.started({ reactions: [echo] })
    await here.light(randomUUID(), 'after')
    await waitUntil(async () => (await here.recorded('LampEchoed')).length === 1)
    expect(await here.recorded('LampEchoed')).toMatchObject([{ by: 'after' }])
  })

  test('that fails is tried again, seen meanwhile, and holds no other event up', async () => {
    const poisoned = randomUUID()
    let isHealed = false
    const fragile = reaction('fragile', {
      on: [LampLit],
      run: async (happened, work) => {
        if (happened.data.lampId === poisoned && !isHealed) throw new Error('cannot tell ada@example.com')
        await echo.run(happened, work)
      },
    })
    await here.started({ reactions: [fragile] })
    await here.light(poisoned)
    for (let nth = 0; nth < 5; nth += 1) await here.light(randomUUID())
    await waitUntil(async () => (await here.recorded('LampEchoed')).length === 5)
    await waitUntil(async () => (await here.failures()).length === 1)
    expect(await here.failures()).toMatchObject([{ name: 'fragile', key: '1', error: 'cannot tell [email]' }])
    isHealed = true
    await waitUntil(async () => (await here.recorded('LampEchoed')).length === 6)
    await waitUntil(async () => (await here.failures()).length === 0)
    expect(await here.pending()).toEqual([])
  })

  test('waits until the read models show the event', async () => {
    let shown = false
    await here.started({ reactions: [echo], waitUntilCaughtUp: async () => shown })
    await here.light(randomUUID())
    await waitUntil(async () => (await here.failures()).length === 1)
    expect(await here.recorded('LampEchoed')).toEqual([])
    shown = true
    await waitUntil(async () => (await here.recorded('LampEchoed')).length === 1)
  })
})

describe('nothing is lost', () => {
  test('when the queue is emptied under load, with two workers: each effect once', async () => {
    const all = Array.from({ length: 300 }, () => randomUUID())
    await here.started({ reactions: [echo] })
    await here.started({ reactions: [echo] })
    const lighting = all.map((lampId) => here.light(lampId))
    for (let nth = 0; nth < 5; nth += 1) {
      await here.flush()
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await Promise.all(lighting)
    await here.flush()
    await waitUntil(async () => (await here.pending()).length === 0, 25_000)
    const echoed = await here.recorded('LampEchoed')
    expect(echoed.map(({ lampId }) => lampId).toSorted()).toEqual(all.toSorted())
  })

  test('when all connections are cut, again and again', async () => {
    const all = Array.from({ length: 60 }, () => randomUUID())
    await here.started({ reactions: [echo] })
    for (const [nth, lampId] of all.entries()) {
      await here.light(lampId)
      if (nth % 20 === 10) await cutConnections(database.url)
    }
    await waitUntil(async () => (await here.pending().catch(() => ['?'])).length === 0, 25_000)
    expect((await here.recorded('LampEchoed')).map(({ lampId }) => lampId).toSorted()).toEqual(all.toSorted())
  })

  test('when the queue is not there while events come', async () => {
    const parts = here.parts({ reactions: [echo] })
    await here.started({ reactions: [echo] })
    const deaf = worker({ ...parts, queue: { ...parts.queue, add: async () => Promise.reject(new Error('away')) } })
    await deaf.start()
    await here.light(randomUUID())
    await waitUntil(async () => (await here.recorded('LampEchoed')).length === 1)
    await deaf.stop(1_000)
  })
})

describe('a timer', () => {
  test('rings when its time has come and not before', { retry: 2 }, async () => {
    await here.close()
    here = jobFixture(database.url, { clock: { now: () => new Date() } })
    await here.started({ timers: [goOutTimer(here.alarms)] })
    const lampId = randomUUID()
    const time = new Date(Date.now() + 800)
    await here.set(lampId, time)
    await waitUntil(async () => (await here.recorded('LampWentOut')).length === 1)
    const [, out] = await here.store.readAll(0, 10)
    const lateMs = new Date((out!.metadata as { at: string }).at).getTime() - time.getTime()
    expect(lateMs).toBeGreaterThanOrEqual(0)
    expect(lateMs).toBeLessThan(5_000)
  })

  test('rings once when the clock jumps past it, with two workers and an emptied queue', async () => {
    await here.close()
    const clock = manualClock(new Date('2026-01-01T00:00:00Z'))
    here = jobFixture(database.url, { clock })
    const all = Array.from({ length: 40 }, () => randomUUID())
    for (const lampId of all) await here.set(lampId, new Date('2026-02-01T00:00:00Z'))
    await here.started({ timers: [goOutTimer(here.alarms)] })
    await here.started({ timers: [goOutTimer(here.alarms)] })
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await here.recorded('LampWentOut')).toEqual([])
    clock.set(new Date('2026-03-01T00:00:00Z'))
    await here.flush()
    await waitUntil(async () => (await here.recorded('LampWentOut')).length === all.length)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect((await here.recorded('LampWentOut')).map(({ lampId }) => lampId).toSorted()).toEqual(all.toSorted())
  })

  test('whose question fails is told, and keeps no other from being asked', async () => {
    await here.close()
    here = jobFixture(database.url, { clock: { now: () => new Date() } })
    const broken = timer('broken', { due: () => Promise.reject(new Error('no such table')), run: async () => {} })
    await here.started({ timers: [broken, goOutTimer(here.alarms)] })
    await here.set(randomUUID(), new Date())
    await waitUntil(async () => (await here.recorded('LampWentOut')).length === 1)
    expect(String(here.errors[0])).toContain('no such table')
  })
})

test('what is done in every period is done once in each, however many workers and flushes there are', async () => {
  await here.close()
  const clock = manualClock(new Date('2026-01-01T00:00:00.500Z'))
  here = jobFixture(database.url, { clock })
  const done: string[] = []
  const sweep = recurringJob('sweep', 60_000, async ({ now }) => void done.push(now.toISOString().slice(11, 16)))
  await here.started({ timers: [sweep] })
  await here.started({ timers: [sweep] })
  await waitUntil(() => done.length === 1)
  await here.flush()
  await new Promise((resolve) => setTimeout(resolve, 600))
  // The worker was stopped for ten periods: one run makes up for them.
  clock.set(new Date('2026-01-01T00:10:30Z'))
  await waitUntil(() => done.length === 2)
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(done).toEqual(['00:00', '00:10'])
})

test('people and figures see what waits, since when, and what fails', async () => {
  const stuck = reaction('stuck', { on: [LampLit], run: () => Promise.reject(new Error('stuck')) })
  const status = () => readJobsStatus({ store: here.store, pool: here.pool, reactions: [stuck], timers: [] })
  await registerReactions({ store: here.store, pool: here.pool }, [stuck])
  await here.light(randomUUID())
  expect(await status()).toEqual({
    works: [{ name: 'stuck', waiting: 0, oldestSeconds: 0, lag: 1 }],
    failures: [],
    lookedSecondsAgo: undefined,
  })
  expect(jobsWarningOf(await status(), 100)).toBeUndefined()
  expect(jobsWarningOf(await status(), 300)).toContain('is "daybook worker" running?')
  await here.started({ reactions: [stuck] })
  await waitUntil(async () => (await status()).failures.length === 1)
  // The reaction fails by its notice, which may come before the first scan.
  await waitUntil(async () => (await status()).lookedSecondsAgo !== undefined)
  const { works, failures, lookedSecondsAgo } = await status()
  expect(works).toMatchObject([{ name: 'stuck', waiting: 1, lag: 0 }])
  expect(works[0]!.oldestSeconds).toBeGreaterThan(0)
  expect(failures).toMatchObject([{ name: 'stuck', key: '1', failures: 1, error: 'stuck' }])
  expect(lookedSecondsAgo).toBeLessThan(10)
  expect(jobsWarningOf(await status(), 300)).toBeUndefined()
  await here.pool.query('UPDATE telemetry.work_failure SET failures = 7')
  expect(jobsWarningOf(await status(), 300)).toContain('jobs that keep failing: 1')
})

test('what comes too early, because a clock was set back, comes again when it is time', async () => {
  const { queue } = here.parts({})
  const calls: number[] = []
  const working = await queue.consume('inside', async () => {
    calls.push(performance.now())
    return calls.length === 1 ? 400 : undefined
  })
  const wakeUp = { lane: 'inside', name: 'any', key: 'a/b:c', atMs: 1 } as const
  await queue.add([wakeUp, wakeUp], 1)
  await waitUntil(() => calls.length === 2)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(calls).toHaveLength(2)
  expect(calls[1]! - calls[0]!).toBeGreaterThanOrEqual(390)
  await working.stop(100)
})

test('an effect outside the database happens once, though what surrounds it is tried again', async () => {
  const told: string[] = []
  let tries = 0
  const teller = reaction('teller', {
    on: [LampBroken],
    outside: true,
    run: async (_event, { once, failures }) => {
      await once('tell', async () => told.push('told'))
      tries += 1
      if (tries < 3) throw new Error(`after the effect, ${failures} failures before`)
    },
  })
  await here.started({ reactions: [teller] })
  await here.break(randomUUID())
  await waitUntil(async () => tries === 3)
  await waitUntil(async () => (await here.pending()).length === 0)
  expect(told).toEqual(['told'])
})

test('a worker that is stopped ends what it has begun', async () => {
  let isDone = false
  const slow = reaction('slow', {
    on: [LampLit],
    run: async () => {
      await new Promise((resolve) => setTimeout(resolve, 700))
      isDone = true
    },
  })
  const started = await here.started({ reactions: [slow] })
  await here.light(randomUUID())
  await waitUntil(async () => (await here.queuePool.query("SELECT FROM job WHERE state = 'active'")).rowCount === 1)
  await started.stop(5_000)
  expect(isDone).toBe(true)
  expect(await here.pending()).toEqual([])
})

test('two of one name are refused', () => {
  expect(() => worker(here.parts({ reactions: [echo, echo] }))).toThrow('Two reactions or timers have the name echo')
})
