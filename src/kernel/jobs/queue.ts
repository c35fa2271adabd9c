/** The port of what wakes workers up. It may lose everything: whoever fills it looks again for what is due. */

/** Waits for strangers' servers, or does not: the one must never hold up the other. */
export type Lane = 'inside' | 'outside'
export const LANES: readonly Lane[] = ['inside', 'outside']

export interface QueuedJob {
  readonly lane: Lane
  /** Of the reaction or the timer. */
  readonly name: string
  /** An event's position, or what a timer is due for. */
  readonly key: string
  /** Not before; ms since 1970 by the database's clock. 0: at once. */
  readonly atMs: number
}

export interface JobQueue {
  /** One wake-up of the same name, key and time stands in it once. @param nowMs the database's time */
  add(wakeUps: readonly QueuedJob[], nowMs: number): Promise<void>
  /**
   * Has every wake-up done, several at a time. One that fails comes back later and later, and without an end.
   * @param does resolves when it is done, or with the ms after which to come back because it was too early
   */
  consume(lane: Lane, does: (wakeUp: QueuedJob, signal: AbortSignal) => Promise<number | void>): Promise<QueueConsumer>
  close(): Promise<void>
}

export interface QueueConsumer {
  /** Takes nothing more and waits for what is being done; what is not done after `graceMs` is told to stop. */
  stop(graceMs: number): Promise<void>
}

/** `license-expiry-<uuid>-1767225600000`: what BullMQ takes for an id. It never contains a colon. */
export const jobId = ({ name, key, atMs }: QueuedJob): string =>
  [
    name,
    key.replaceAll(/[^\w.-]/g, (sign) => `~${sign.codePointAt(0)!.toString(16)}`),
    ...(atMs > 0 ? [atMs] : []),
  ].join('-')
