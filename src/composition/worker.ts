/**
 * Wires the dependencies of reactions and timers: the queue, the mailer, and a core that the caller has
 * opened.
 */
import type { Logger } from 'pino'
import { bullmqQueue } from '#kernel/jobs/bullmq-queue'
import type { QueueConnection } from '#kernel/jobs/bullmq-queue'
import { refuseOldQueueSchema } from '#kernel/jobs/queue-schema'
import { openRedis } from '#kernel/jobs/redis'
import { worker } from '#kernel/jobs/worker'
import type { WorkerDependencies } from '#kernel/jobs/worker'
import { createMailer } from '#kernel/mail/create-mailer'
import { poster } from '#kernel/outbound/post'
import { servicePool } from '#kernel/store/connection'
import { SYSTEM_ACTOR } from './core.ts'
import type { Core } from './core.ts'
import type { LicensingSettings } from './licensing.ts'

const GRACE_MS = 20_000
const SILENT_MS = 30_000
const WORDS_MAX = 1_000

export interface OpenWorker {
  /** Lets running jobs finish, and closes what this function opened. */
  close(graceMs?: number): Promise<void>
}

export type WorkerSettings = Pick<LicensingSettings, 'databaseUrl' | 'redisUrl' | 'baseUrl' | 'webhookAllow'>

/** The dependencies that workers and tests of background jobs share. */
export function workerDependencies(
  core: Core,
  { baseUrl, webhookAllow }: Pick<WorkerSettings, 'baseUrl' | 'webhookAllow'>,
  mailerOf: WorkerDependencies['mailerOf'],
): Omit<WorkerDependencies, 'queue' | 'onError'> {
  const { composition, store, codec, commands, projector, read, pool, vault, clock, services } = core
  return {
    reactions: composition.reactions,
    timers: composition.timers,
    store,
    codec,
    commands,
    waitUntilCaughtUp: projector.waitUntilCaughtUp,
    read,
    pool,
    vault,
    clock,
    baseUrl,
    services,
    mailerOf,
    post: poster({ allow: webhookAllow ?? [] }),
    actor: SYSTEM_ACTOR,
  }
}

/**
 * Starts a worker.
 * @throws as openQueueConnection
 */
export async function openWorker(core: Core, settings: WorkerSettings, log: Logger): Promise<OpenWorker> {
  const onError = reportOnce((err, what) => log.error({ err, what }, 'a background job could not run and is retried'))
  const queueAt = await openQueueConnection(settings, onError)
  const onRefused = (id: string) => log.warn({ mail: id }, 'a mail was not delivered: its recipient does not exist')
  const queue = bullmqQueue(queueAt.connection, onError)
  const running = worker({
    ...workerDependencies(core, settings, (mail) => createMailer(mail, { onRefused })),
    queue,
    onError,
    warn: (about, message) => log.warn(about, message),
  })
  await running.start()
  return {
    async close(graceMs = GRACE_MS) {
      await running.stop(graceMs)
      await queue.close()
      await queueAt.close()
    },
  }
}

/**
 * During an outage every connection reports an error every other second: the same message is logged
 * once per `SILENT_MS`.
 */
function reportOnce(tell: (error: unknown, what: string) => void): (error: unknown, what?: string) => void {
  const told = new Map<string, number>()
  return (error, what = 'queue') => {
    const words = `${what} ${error instanceof Error ? error.message : String(error)}`
    const now = performance.now()
    if (now - (told.get(words) ?? -Infinity) < SILENT_MS) return
    if (told.size > WORDS_MAX) told.clear()
    told.set(words, now)
    tell(error, what)
  }
}

interface OpenQueue {
  readonly connection: QueueConnection
  close(): Promise<unknown>
}

/** @throws Error for the operator if the queue is not reliable */
export async function openQueueConnection(
  { databaseUrl, redisUrl }: Pick<WorkerSettings, 'databaseUrl' | 'redisUrl'>,
  onError: (error: unknown) => void,
): Promise<OpenQueue> {
  if (redisUrl !== undefined) {
    const { redis, close } = await openRedis(redisUrl, onError)
    return { connection: { redis }, close: async () => close() }
  }
  const pool = servicePool(databaseUrl, { role: 'daybook_queue' })
  try {
    await refuseOldQueueSchema(pool)
  } catch (error) {
    await pool.end()
    throw error
  }
  return { connection: { pool }, close: () => pool.end() }
}
