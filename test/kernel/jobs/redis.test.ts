/** The queue in Redis: the same promises, and a refusal of a Redis that may forget acknowledged data. */
import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { reaction } from '#kernel/jobs/reaction'
import { openRedis } from '#kernel/jobs/redis'
import { testDatabase } from '#test/support/database'
import { isRedisInstalled, redisServer } from '#test/support/redis-server'
import type { RedisServer } from '#test/support/redis-server'
import { LampLit, echo, goOutTimer, waitUntil, jobFixture } from '../../support/kernel/job-fixture.ts'
import type { JobFixture } from '../../support/kernel/job-fixture.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function server(settings: readonly string[] = []): Promise<RedisServer> {
  const redis = await redisServer(settings)
  onTestFinished(() => redis.stop())
  return redis
}

async function opened(url: string): Promise<Redis> {
  const { redis, close } = await openRedis(url, () => {})
  ends.push(async () => close())
  return redis
}

async function worldAt(url: string): Promise<JobFixture> {
  const database = await testDatabase()
  ends.push(() => database.drop())
  const here = jobFixture(database.url, { clock: { now: () => new Date() }, connection: { redis: await opened(url) } })
  ends.push(() => here.close())
  return here
}

describe.skipIf(!isRedisInstalled)('a Redis', () => {
  test.each([
    ['that forgets at a restart', ['--appendonly', 'no'], /appendonly no: set it to yes/],
    ['that drops what it has when it is full', ['--maxmemory-policy', 'allkeys-lru'], /maxmemory-policy allkeys-lru/],
    ['that does not say', ['--rename-command', 'CONFIG', ''], /does not report its appendonly: allow CONFIG GET/],
  ])('%s is refused', async (_what, settings, reason) => {
    const { url } = await server(settings)
    await expect(openRedis(url, () => {})).rejects.toThrow(reason)
  })

  test('that is not there is refused', async () => {
    await expect(openRedis('redis://127.0.0.1:1', () => {})).rejects.toThrow('cannot be reached')
  })

  test('that is emptied under load, and killed, with two workers: each effect once', async () => {
    const redis = await server()
    const here = await worldAt(redis.url)
    await here.started({ reactions: [echo], timers: [goOutTimer(here.alarms)] })
    await here.started({ reactions: [echo], timers: [goOutTimer(here.alarms)] })
    const lit = Array.from({ length: 200 }, () => randomUUID())
    const set = Array.from({ length: 20 }, () => randomUUID())
    const asked = [...lit.map((lampId) => here.light(lampId)), ...set.map((lampId) => here.set(lampId, new Date()))]
    for (let nth = 0; nth < 3; nth += 1) {
      await redis.flush()
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await redis.crash()
    await Promise.all(asked)
    await redis.flush()
    await waitUntil(async () => (await here.pending()).length === 0 && (await here.alarms()).length === 0, 40_000)
    expect((await here.recorded('LampEchoed')).map(({ lampId }) => lampId).toSorted()).toEqual(lit.toSorted())
    expect((await here.recorded('LampWentOut')).map(({ lampId }) => lampId).toSorted()).toEqual(set.toSorted())
  })

  test('that has gone keeps no worker from stopping', async () => {
    const redis = await server()
    const here = await worldAt(redis.url)
    const worker = await here.started({ reactions: [echo] })
    await redis.stop()
    await here.light(randomUUID())
    await waitUntil(async () => (await here.pending()).length === 1)
    const asked = performance.now()
    await worker.stop(1_000)
    expect(performance.now() - asked).toBeLessThan(15_000)
    expect(await here.pending()).toHaveLength(1)
  })

  test('brings back what fails', async () => {
    const here = await worldAt((await server()).url)
    let tries = 0
    const fragile = reaction('fragile', {
      on: [LampLit],
      run: async () => {
        tries += 1
        if (tries < 3) throw new Error('not yet')
      },
    })
    await here.started({ reactions: [fragile] })
    await here.light(randomUUID())
    await waitUntil(async () => tries === 3 && (await here.pending()).length === 0)
    expect(await here.failures()).toEqual([])
  })
})
