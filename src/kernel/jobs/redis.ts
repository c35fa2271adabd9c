/** Connects to a Redis for the queue, and checks that it persists acknowledged writes. */
import { Redis } from 'ioredis'

const CONNECT_MS = 5_000
const COMMAND_MS = 5_000

/** The required settings, and what would happen otherwise. */
const NEEDED = [
  ['appendonly', 'yes', 'a restart loses the queue'],
  ['maxmemory-policy', 'noeviction', 'a full Redis drops jobs'],
] as const

export interface RedisConnection {
  readonly redis: Redis
  /** Also closes the duplicates that BullMQ has made, which would otherwise keep reconnecting. */
  close(): void
}

/** @throws Error if Redis cannot be reached, does not persist its data, or does not report its settings */
export async function openRedis(url: string, onError: (error: unknown) => void): Promise<RedisConnection> {
  // BullMQ waits in a blocking command, so the number of retries must not be limited.
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
      throw new Error('The Redis of REDIS_URL cannot be reached: check the address and that it runs.', { cause })
    })
    for (const [setting, needed, otherwise] of NEEDED) {
      const is = await settingOf(redis, setting)
      if (is !== needed)
        throw new Error(`The Redis of REDIS_URL has ${setting} ${is}: set it to ${needed}, otherwise ${otherwise}.`)
    }
    return { redis, close: () => all.forEach((each) => each.disconnect()) }
  } catch (error) {
    redis.disconnect()
    throw error
  }
}

async function settingOf(redis: Redis, setting: string): Promise<string> {
  const answer = await withinTime(redis.config('GET', setting)).catch((cause: unknown) => {
    throw new Error(`The Redis of REDIS_URL does not report its ${setting}: allow CONFIG GET.`, { cause })
  })
  return String(answer[1])
}

async function withinTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, fail) => {
    timer = setTimeout(() => fail(new Error('The Redis of REDIS_URL does not respond.')), COMMAND_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
