/** The port of the job queue. The queue may lose jobs: the scanner finds due jobs in the database again. */

/** Whether jobs wait for other systems (`outside`) or not: the two must not delay each other. */
export type Lane = 'inside' | 'outside'
export const LANES: readonly Lane[] = ['inside', 'outside']

export interface QueuedJob {
  readonly lane: Lane
  /** The name of the reaction or timer. */
  readonly name: string
  /** The position of an event, or the key of an occurrence. */
  readonly key: string
  /** Not before; ms since 1970 by the database's clock. 0: at once. */
  readonly atMs: number
}

export interface JobQueue {
  /**
   * A job with the same name, key and time is queued only once.
   * @param nowMs the database's time
   */
  add(wakeUps: readonly QueuedJob[], nowMs: number): Promise<void>
  /**
   * Runs jobs, several at a time. A failed job is retried with increasing delays and without limit.
   * @param does resolves when the job is done, or with the ms to wait if it is too early
   */
  consume(lane: Lane, does: (wakeUp: QueuedJob, signal: AbortSignal) => Promise<number | void>): Promise<QueueConsumer>
  close(): Promise<void>
}

export interface QueueConsumer {
  /** Takes no more jobs and waits for the running ones; those that run after `graceMs` are told to stop. */
  stop(graceMs: number): Promise<void>
}

/** For example `license-expiry-<uuid>-1767225600000`. BullMQ allows no colon in an id. */
export const jobId = ({ name, key, atMs }: QueuedJob): string =>
  [
    name,
    key.replaceAll(/[^\w.-]/g, (sign) => `~${sign.codePointAt(0)!.toString(16)}`),
    ...(atMs > 0 ? [atMs] : []),
  ].join('-')
