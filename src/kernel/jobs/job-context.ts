/**
 * What follows by itself: after an event, or when a time has come. Words:
 *   reaction  what follows an event; told of every event of its types, in the order of their positions, none skipped
 *   timer     what is to be done at a time; what is due is asked of the read models, so nothing has to be remembered for it
 *   work      one such thing, done for one event or one due key: at least once, so whoever does it must bear doing it again
 *   queue     only wakes workers up: emptied, it is filled again from what the database holds
 */
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { UnitOfWork } from '../commands/command-runner.ts'
import type { ServiceRegistry } from '../lib/services.ts'
import type { Mail } from '../mail/mail.ts'
import type { Post } from '../outbound/post.ts'
import type { Vault } from '../vault/vault.ts'
import type { TimerOccurrence, Timer } from './timer.ts'

/** What reactions and timers work with. */
export interface JobContext {
  /** The database's time when this try was begun. */
  readonly now: Date
  /** Aborted when the process is about to end: whoever waits for others stops, and is done again later. */
  readonly signal: AbortSignal
  /** How often this was tried before and failed. */
  readonly failures: number
  /**
   * One unit of work, recorded in the installation's own name, with the event that led to it. Exactly once in effect when its
   * decider decides nothing the second time.
   */
  run<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result>
  /** The read models; they show the event that is reacted to, and not yet for certain what `run` has just recorded. */
  readonly read: Kysely<any>
  /** For what is not history: outboxes, deliveries, jobs. */
  readonly telemetry: Pool
  readonly vault: Vault
  /** The configured public address, without a trailing slash. */
  readonly baseUrl: string
  /** What this service was given, such as a payment provider. */
  readonly service: ServiceRegistry
  /** Does what lies outside the database once, and twice only when the process is killed between the effect and its record. */
  once(effect: string, does: () => Promise<unknown>): Promise<void>
  /** Whether this installation sends mails, at this moment: what only tells somebody of something is left out where it does not. */
  canMail(): Promise<boolean>
  /** Sent once for each `effect`; a mail that goes out a second time after a kill has the same Message-ID. */
  mail(mail: Mail, effect?: string): Promise<void>
  /** Calls somebody else's URL, which cannot lead it into the operator's own network; for what is declared `outside`. */
  readonly post: Post
  /** Has a timer's work done at its time, without waiting until it is looked for. Lost, it is found all the same. */
  enqueue(timer: Timer, due: TimerOccurrence): Promise<void>
}
