/** A Redis for the queue, if it keeps what it acknowledged. */
import { Redis } from 'ioredis'

const CONNECT_MS = 5_000
const COMMAND_MS = 5_000

/** What must be set, and what happens otherwise. */
const NEEDED = [
  ['appendonly', 'yes', 'a restart would forget the queue'],
  ['maxmemory-policy', 'noeviction', 'a full Redis would drop jobs'],
] as const

export interface RedisConnection {
  readonly redis: Redis
  /** Also ends what BullMQ has made like it, which would go on looking for a Redis that has gone. */
  close(): void
}

/** @throws Error for people when it cannot be reached, forgets, or does not say whether it does */
export async function openRedis(url: string, onError: (error: unknown) => void): Promise<RedisConnection> {
  // BullMQ waits in a command of its own, so none may be given up or answered with a guess.
  const redis = new Redis(url, { maxRetriesPerRequest: null, connectTimeout: CONNECT_MS, lazyConnect: true })
  redis.on('error', onError)
  const all = [redis]
  const duplicate = redis.duplicate.bind(redis)
  redis.duplicate = (...options) => {
    const twin = duplicate(...options)
    all.push(twin)
    return twin
  }
  try {
    await withinTime(redis.connect()).catch((cause: unknown) => {
      throw new Error('The Redis of REDIS_URL cannot be reached.', { cause })
    })
    for (const [setting, needed, otherwise] of NEEDED) {
      const is = await settingOf(redis, setting)
      if (is !== needed)
        throw new Error(`The Redis of REDIS_URL has ${setting} ${is}: set it to ${needed}, or ${otherwise}.`)
    }
    return { redis, close: () => all.forEach((each) => each.disconnect()) }
  } catch (error) {
    redis.disconnect()
    throw error
  }
}

async function settingOf(redis: Redis, setting: string): Promise<string> {
  const answer = await withinTime(redis.config('GET', setting)).catch((cause: unknown) => {
    throw new Error(`The Redis of REDIS_URL does not say what its ${setting} is: allow CONFIG GET.`, { cause })
  })
  return String(answer[1])
}

async function withinTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, fail) => {
    timer = setTimeout(() => fail(new Error('The Redis of REDIS_URL does not answer.')), COMMAND_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
