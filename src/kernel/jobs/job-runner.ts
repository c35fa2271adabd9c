/** Runs one job: loads its event or occurrence, provides its context, and records the outcome. */
import { hash } from 'node:crypto'
import type { Pool } from 'pg'
import type { CommandRunner } from '../commands/command-runner.ts'
import type { EventCodec } from '../events/codec.ts'
import type { Metadata } from '../events/event.ts'
import type { EventStore, Position, RecordedEvent } from '../events/store-port.ts'
import type { Clock } from '../lib/clock.ts'
import { serviceRegistry as nothingGiven } from '../lib/services.ts'
import type { ServiceRegistry } from '../lib/services.ts'
import { mailSettings } from '../mail/mail-settings.ts'
import type { MailSettings } from '../mail/mail-settings.ts'
import { checkedMail } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import { poster } from '../outbound/post.ts'
import type { Post } from '../outbound/post.ts'
import type { Projector } from '../projections/projector.ts'
import type { ReadDatabase } from '../projections/read-database.ts'
import type { Vault } from '../vault/vault.ts'
import type { JobContext } from './job-context.ts'
import { forgetFailure, recordJobFailure } from './job-failures.ts'
import { jobId } from './queue.ts'
import type { QueuedJob } from './queue.ts'
import type { ReactionEvent, Reaction } from './reaction.ts'
import type { TimerOccurrence, Timer } from './timer.ts'

/** How long a job waits for the read models to show its event before it is retried later. */
const READ_MODELS_MS = 5_000

const PENDING = `SELECT coalesce(failed.failures, 0) AS failures FROM telemetry.work_pending AS pending
  LEFT JOIN telemetry.work_failure AS failed ON failed.name = pending.reaction AND failed.key = pending.position::text
  WHERE pending.reaction = $1 AND pending.position = $2`
const DONE = `WITH done AS (DELETE FROM telemetry.work_pending WHERE reaction = $1 AND position = $2)
  DELETE FROM telemetry.work_failure WHERE name = $1 AND key = $2::bigint::text`
const FAILED = 'SELECT failures FROM telemetry.work_failure WHERE name = $1 AND key = $2'
const WAS_EFFECTED = 'SELECT FROM telemetry.work_effect WHERE effect = $1'
const EFFECTED = 'INSERT INTO telemetry.work_effect (effect) VALUES ($1) ON CONFLICT DO NOTHING'

export interface JobRunnerDependencies {
  readonly reactions: readonly Reaction[]
  readonly timers: readonly Timer[]
  readonly store: EventStore
  readonly codec: EventCodec
  readonly commands: CommandRunner
  readonly waitUntilCaughtUp: Projector['waitUntilCaughtUp']
  readonly read: ReadDatabase
  /** With the database role of the service. */
  readonly pool: Pool
  readonly vault: Vault
  readonly clock: Clock
  readonly baseUrl: string
  /** Default: an empty registry. */
  readonly services?: ServiceRegistry
  /** Creates the mailer from the current settings. Absent: this process sends no mail. */
  readonly mailerOf?: ((settings: MailSettings) => Mailer) | undefined
  /** Default: reaches public addresses only. */
  readonly post?: Post | undefined
  readonly actor: Metadata['actor']
  /** Default: warns of nothing. */
  readonly warn?: JobContext['warn']
  readonly enqueue: (wakeUps: readonly QueuedJob[]) => Promise<void>
}

/**
 * @returns undefined when the job is done, also by another worker; the remaining ms if it is too early
 * @throws the error of the job, after it was recorded
 */
export async function runJob(
  parts: JobRunnerDependencies,
  wakeUp: QueuedJob,
  signal: AbortSignal,
): Promise<number | undefined> {
  const leftMs = wakeUp.atMs - parts.clock.now().getTime()
  if (leftMs > 0) return leftMs
  try {
    const reaction = parts.reactions.find(({ name }) => name === wakeUp.name)
    const timer = parts.timers.find(({ name }) => name === wakeUp.name)
    if (reaction) await runReaction(parts, reaction, wakeUp, signal)
    if (timer) await runTimer(parts, timer, wakeUp, signal)
  } catch (error) {
    // A job that was told to stop has not failed.
    if (!signal.aborted) await recordJobFailure(parts.pool, wakeUp.name, wakeUp.key, error)
    throw error
  }
  return undefined
}

async function runReaction(
  parts: JobRunnerDependencies,
  reaction: Reaction,
  wakeUp: QueuedJob,
  signal: AbortSignal,
): Promise<void> {
  const { pool } = parts
  const position = Number(wakeUp.key)
  const { rows } = await pool.query<{ failures: number }>(PENDING, [reaction.name, position])
  const [pending] = rows
  if (!pending) return
  const recorded = await eventAt(parts.store, position)
  if (
    !(await parts.waitUntilCaughtUp({ types: [recorded.type], position, streams: [recorded.stream] }, READ_MODELS_MS))
  )
    throw new Error('The read models do not show the event yet')
  await reaction.run(
    await reactionEventOf(parts.codec, recorded),
    jobContextOf(parts, wakeUp, signal, pending, recorded.id),
  )
  await pool.query(DONE, [reaction.name, position])
}

async function runTimer(
  parts: JobRunnerDependencies,
  timer: Timer,
  wakeUp: QueuedJob,
  signal: AbortSignal,
): Promise<void> {
  const { rows } = await parts.pool.query<{ failures: number }>(FAILED, [timer.name, wakeUp.key])
  const [failed] = rows
  const due = { key: wakeUp.key, at: new Date(wakeUp.atMs) }
  await timer.run(due, jobContextOf(parts, wakeUp, signal, failed ?? { failures: 0 }))
  if (failed) await forgetFailure(parts.pool, timer.name, wakeUp.key)
}

async function eventAt(store: EventStore, position: Position): Promise<RecordedEvent> {
  const recorded = await store.eventAt(position)
  if (!recorded) throw new Error(`There is no event at position ${position}`)
  return recorded
}

async function reactionEventOf(codec: EventCodec, recorded: RecordedEvent): Promise<ReactionEvent> {
  const { type, data } = await codec.decode(recorded)
  const { id, position, stream, revision } = recorded
  const { at, actor, requestId } = recorded.metadata as unknown as Metadata
  return { type, eventType: codec.typeOf(type), data, id, position, stream, revision, at, actor, requestId }
}

function jobContextOf(
  parts: JobRunnerDependencies,
  wakeUp: QueuedJob,
  signal: AbortSignal,
  { failures }: { failures: number },
  causationId?: string,
): JobContext {
  const { read, pool, vault, baseUrl, services = nothingGiven() } = parts
  const requestId = jobId(wakeUp)
  const context = { actor: parts.actor, requestId, ...(causationId === undefined ? {} : { causationId }) }

  async function once(effect: string, does: () => Promise<unknown>): Promise<void> {
    const key = `${requestId}/${effect}`
    if ((await pool.query(WAS_EFFECTED, [key])).rowCount) return
    await does()
    await pool.query(EFFECTED, [key])
  }

  async function mailer(): Promise<Mailer | undefined> {
    const settings = await services(mailSettings)()
    return settings && parts.mailerOf?.(settings)
  }

  return {
    now: parts.clock.now(),
    signal,
    failures,
    run: (work) => parts.commands.run(context, work),
    read,
    telemetry: pool,
    vault,
    baseUrl,
    service: services,
    once,
    canMail: async () => (await mailer()) !== undefined,
    post: parts.post ?? publicPoster,
    async mail(mail, effect = 'mail') {
      const checked = checkedMail(mail)
      const way = await mailer()
      if (!way) throw new Error('This installation sends no mail: configure a mail server')
      await once(effect, () => way.send(checked, digest(`${requestId}/${effect}`)))
    },
    warn: parts.warn ?? (() => {}),
    enqueue: (timer, due) => parts.enqueue([timerJob(timer, due)]),
  }
}

const publicPoster = poster()

export const timerJob = (timer: Timer, { key, at }: TimerOccurrence): QueuedJob => ({
  lane: laneOf(timer),
  name: timer.name,
  key,
  atMs: new Date(at).getTime(),
})

export const laneOf = ({ outside }: { readonly outside: boolean }): QueuedJob['lane'] =>
  outside ? 'outside' : 'inside'

/** A hash, so that the Message-ID reveals no ids. */
const digest = (text: string): string => hash('sha256', text, 'base64url').slice(0, 32)
