/**
 * The queue, kept by BullMQ: in a schema of the same Postgres, or in Redis. BullMQ gives at-least-once, and this asks for no more:
 * jobs carry names and ids only, are removed when they are done, and come back without an end while they fail.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { DelayedError, Queue as BullQueue, Worker as BullWorker, createPostgresBackend } from 'bullmq'
import type { Job, JobsOptions, WorkerOptions } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Pool } from 'pg'
import { retryAfterMs } from './job-failures.ts'
import { jobId } from './queue.ts'
import type { Lane, JobQueue, QueuedJob, QueueConsumer } from './queue.ts'

const AT_ONCE: Readonly<Record<Lane, number>> = { inside: 8, outside: 32 }
/** A killed worker's jobs are taken up by another after the lock has run out and somebody has looked, at most this and that later. */
const LOCK_MS = 10_000
const STALLED_EVERY_MS = 5_000
/** Neither a failure nor a worker's death is ever the last one. */
const WITHOUT_END = 1_000_000
/** As long as closing may take beyond the work that is waited for. */
const GIVEN_UP_MS = 2_000
/** BullMQ keeps a journal that nobody reads here. */
const JOURNAL_MAX = 100

export type QueueConnection = { readonly pool: Pool } | { readonly redis: Redis }

interface BullJobData {
  readonly key: string
  readonly atMs: number
}

export const queueName = (lane: Lane): string => `daybook-${lane}`

/** @param onError told of what BullMQ itself complains about, as a connection that was lost: it goes on by itself */
export function bullmqQueue(connection: QueueConnection, onError: (error: unknown) => void): JobQueue {
  const queues = { inside: openBullQueue(connection, 'inside'), outside: openBullQueue(connection, 'outside') }
  for (const queue of Object.values(queues)) queue.on('error', onError)

  return {
    async add(wakeUps, nowMs) {
      for (const [lane, all] of Map.groupBy(wakeUps, (each) => each.lane)) {
        const jobs = all.map((wakeUp) => jobOf(wakeUp, nowMs))
        const [first, ...others] = jobs
        if (others.length === 0) await queues[lane].add(first!.name, first!.data, first!.opts)
        else await queues[lane].addBulk(jobs)
      }
    },
    async consume(lane, does) {
      const stopping = new AbortController()
      const underWay = new Set<Promise<void>>()
      const worker = startBullWorker(connection, lane, async (job, token) => {
        const doing = processJob(lane, job, token, does, stopping.signal)
        underWay.add(doing)
        await doing.finally(() => underWay.delete(doing))
      })
      worker.on('error', onError)
      await worker.waitUntilReady()
      return consumerOf(worker, underWay, stopping)
    },
    async close() {
      await Promise.all(Object.values(queues).map((queue) => waitAtMost(queue.close(), GIVEN_UP_MS)))
    },
  }
}

function openBullQueue(connection: QueueConnection, lane: Lane): BullQueue<BullJobData> {
  const streams = { events: { maxLen: JOURNAL_MAX } }
  return 'pool' in connection
    ? (new BullQueue(queueName(lane), { connection: connection.pool, streams }, createPostgresBackend) as never)
    : new BullQueue(queueName(lane), { connection: connection.redis, streams })
}

function startBullWorker(
  connection: QueueConnection,
  lane: Lane,
  process: (job: Job<BullJobData>, token: string | undefined) => Promise<void>,
): BullWorker<BullJobData> {
  const options: Omit<WorkerOptions, 'connection'> = {
    concurrency: AT_ONCE[lane],
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_EVERY_MS,
    maxStalledCount: WITHOUT_END,
    settings: { backoffStrategy: retryAfterMs },
  }
  return 'pool' in connection
    ? (new BullWorker(
        queueName(lane),
        process,
        { ...options, connection: connection.pool },
        createPostgresBackend,
      ) as never)
    : new BullWorker(queueName(lane), process, { ...options, connection: connection.redis })
}

function jobOf(wakeUp: QueuedJob, nowMs: number): { name: string; data: BullJobData; opts: JobsOptions } {
  const { name, key, atMs } = wakeUp
  return {
    name,
    data: { key, atMs },
    opts: {
      jobId: jobId(wakeUp),
      delay: Math.max(0, atMs - nowMs),
      attempts: WITHOUT_END,
      backoff: { type: 'later' },
      removeOnComplete: true,
      removeOnFail: true,
    },
  }
}

async function processJob(
  lane: Lane,
  job: Job<BullJobData>,
  token: string | undefined,
  does: Parameters<JobQueue['consume']>[1],
  signal: AbortSignal,
): Promise<void> {
  const { name, data } = job
  const leftMs = await does({ lane, name, key: data.key, atMs: data.atMs }, signal)
  if (leftMs === undefined) return
  await job.moveToDelayed(Date.now() + leftMs, token)
  throw new DelayedError()
}

function consumerOf(
  worker: BullWorker<BullJobData>,
  underWay: Set<Promise<void>>,
  stopping: AbortController,
): QueueConsumer {
  return {
    async stop(graceMs) {
      const closing = worker.close()
      await waitAtMost(Promise.allSettled(underWay), graceMs)
      stopping.abort()
      await waitAtMost(Promise.allSettled(underWay), GIVEN_UP_MS)
      await waitAtMost(closing, GIVEN_UP_MS)
    },
  }
}

/** A queue that is away would be waited for until it is back; what it still holds is found again. */
async function waitAtMost(ending: Promise<unknown>, afterMs: number): Promise<void> {
  const over = new AbortController()
  const ended = ending.catch(() => {})
  await Promise.race([ended, sleep(afterMs, undefined, { signal: over.signal }).catch(() => {})])
  over.abort()
}
