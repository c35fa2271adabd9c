/**
 * The job queue on BullMQ, in a schema of the same Postgres database or in Redis. BullMQ delivers at
 * least once, which suffices. Jobs contain only names and ids, are removed when they are done, and are
 * retried without limit while they fail.
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
/**
 * The jobs of a killed worker are taken over after its lock has expired and the next check for stalled
 * jobs: within the sum of the two.
 */
const LOCK_MS = 10_000
const STALLED_EVERY_MS = 5_000
/** A worker without jobs is notified of the next one; it looks by itself after this time. */
const IDLE_SECONDS = 15
/** Neither a failure nor the death of a worker ends the retries. */
const WITHOUT_END = 1_000_000
/** How long closing may take in addition to the running jobs. */
const GIVEN_UP_MS = 2_000
/** BullMQ's own event journal, which Daybook does not read. */
const JOURNAL_MAX = 100

export type QueueConnection = { readonly pool: Pool } | { readonly redis: Redis }

interface BullJobData {
  readonly key: string
  readonly atMs: number
}

export const queueName = (lane: Lane): string => `daybook-${lane}`

/** @param onError receives errors of BullMQ itself, such as a lost connection; BullMQ recovers on its own */
export function bullmqQueue(connection: QueueConnection, onError: (error: unknown) => void): JobQueue {
  const queues = { inside: openBullQueue(connection, 'inside'), outside: openBullQueue(connection, 'outside') }
  for (const queue of Object.values(queues)) queue.on('error', onError)

  return {
    async add(wakeUps, nowMs) {
      for (const [lane, all] of Map.groupBy(wakeUps, (each) => each.lane)) {
        const jobs = all.map((wakeUp) => jobOf(wakeUp, nowMs))
        // In Postgres, BullMQ adds several jobs by a temporary table, which the logins of the processes may not create.
        if (jobs.length > 1 && 'redis' in connection) await queues[lane].addBulk(jobs)
        else for (const { name, data, opts } of jobs) await queues[lane].add(name, data, opts)
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
    drainDelay: IDLE_SECONDS,
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

/** Closing an unreachable queue would wait until it is back. Its jobs are found again by the scanner. */
async function waitAtMost(ending: Promise<unknown>, afterMs: number): Promise<void> {
  const over = new AbortController()
  const ended = ending.catch(() => {})
  await Promise.race([ended, sleep(afterMs, undefined, { signal: over.signal }).catch(() => {})])
  over.abort()
}
