/** A Redis of the test, if one is installed (Debian: redis-server). */
import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'
import { scratchPath } from './scratch.ts'

export const isRedisInstalled = spawnSync('redis-server', ['--version']).status === 0
if (!isRedisInstalled) console.warn('!! redis-server is not installed: the tests of the queue in Redis are skipped')

export interface RedisServer {
  readonly url: string
  flush(): Promise<void>
  /** Kills it by SIGKILL, and restarts it with the data on its disk. */
  crash(): Promise<void>
  stop(): Promise<void>
}

/** @param settings of redis.conf, each a word of the command line */
export async function redisServer(settings: readonly string[] = []): Promise<RedisServer> {
  const port = await freePort()
  const dir = scratchPath()
  mkdirSync(dir, { recursive: true })
  const own = ['--port', String(port), '--dir', dir, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always']
  const url = `redis://127.0.0.1:${port}`
  let server = await started()

  async function started(): Promise<ChildProcess> {
    const child = spawn('redis-server', [...own, ...settings], { stdio: 'ignore' })
    for (let tries = 0; ; tries += 1) {
      try {
        await asked((redis) => redis.ping())
        return child
      } catch (error) {
        if (tries === 100) throw error
        await sleep(50)
      }
    }
  }

  async function asked<Result>(question: (redis: Redis) => Promise<Result>): Promise<Result> {
    const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 })
    redis.on('error', () => {})
    try {
      await redis.connect()
      return await question(redis)
    } finally {
      redis.disconnect()
    }
  }

  async function kill(signal: NodeJS.Signals): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }

  return {
    url,
    flush: async () => void (await asked((redis) => redis.flushall())),
    async crash() {
      await kill('SIGKILL')
      server = await started()
    },
    stop: () => kill('SIGKILL'),
  }
}
