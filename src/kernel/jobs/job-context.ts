/**
 * Background work: after an event, or at a certain time.
 *
 * reaction: follows an event; it is notified of every event of its types, in the order of their
 * positions.
 * timer: work at a certain time; what is due is queried from the read models, so no schedule is stored.
 * job: one run of a reaction for an event, or of a timer for a due key. It runs at least once, so it
 * must be idempotent.
 * queue: only wakes workers; if it is emptied, it is filled again from the database.
 */
import type { Pool } from 'pg'
import type { UnitOfWork } from '../commands/command-runner.ts'
import type { ServiceRegistry } from '../lib/services.ts'
import type { Mail } from '../mail/mail.ts'
import type { Post } from '../outbound/post.ts'
import type { ReadDatabase } from '../projections/read-database.ts'
import type { Vault } from '../vault/vault.ts'
import type { TimerOccurrence, Timer } from './timer.ts'

/** The context of a job. */
export interface JobContext {
  /** The database's time at the start of this attempt. */
  readonly now: Date
  /**
   * Aborted when the process shuts down: a job that waits for other systems should stop; it is retried
   * later.
   */
  readonly signal: AbortSignal
  /** The number of earlier attempts, all of which failed. */
  readonly failures: number
  /**
   * One unit of work, with the installation as its actor and the event as its cause. It takes effect
   * exactly once if its decider makes no decision the second time.
   */
  run<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result>
  /** The read models. They show the event of the reaction, but not necessarily what `run` has just recorded. */
  readonly read: ReadDatabase
  /** For data that is not history: outboxes, deliveries, jobs. */
  readonly telemetry: Pool
  readonly vault: Vault
  /** The configured public address, without a trailing slash. */
  readonly baseUrl: string
  /** The objects that this service was composed with, for example a payment provider. */
  readonly service: ServiceRegistry
  /**
   * Runs an effect outside of the database once; twice only if the process is killed between the effect
   * and its record.
   */
  once(effect: string, does: () => Promise<unknown>): Promise<void>
  /** Whether this installation can send mail at this moment. If not, skip mails that only inform. */
  canMail(): Promise<boolean>
  /** Sends a mail once for each `effect`. A second copy after a kill has the same Message-ID. */
  mail(mail: Mail, effect?: string): Promise<void>
  /**
   * Calls a URL from a user; it cannot reach the operator's internal network. For jobs that are
   * declared `outside`.
   */
  readonly post: Post
  /** Logs a warning for operators. It must contain no secrets and no personal data. */
  warn(about: Readonly<Record<string, unknown>>, message: string): void
  /** Enqueues an occurrence of a timer before the next scan. If it is lost, the scan finds it. */
  enqueue(timer: Timer, due: TimerOccurrence): Promise<void>
}
