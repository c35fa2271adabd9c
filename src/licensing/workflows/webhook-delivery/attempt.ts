/** One delivery attempt and the effects of its answer. */
import type { JobContext } from '#kernel/jobs/job-context'
import type { TimerOccurrence } from '#kernel/jobs/timer'
import type { PostOutcome } from '#kernel/outbound/post'
import { webhookHeaders, webhookKeyPair } from '#kernel/outbound/standard-webhooks'
import type { WebhookKeyPair } from '#kernel/outbound/standard-webhooks'
import type { Vault } from '#kernel/vault/vault'
import { secretsAt, webhooks } from '../../webhooks/decider.ts'
import type { Webhook } from '../../webhooks/decider.ts'
import type { DISABLED_REASONS } from '../../webhooks/events.ts'
import {
  CONCURRENT_ATTEMPTS_MAX,
  ATTEMPT_AFTER_MS,
  tryAcquireDelivery,
  dueDeliveries,
  dueDelivery,
  forgetFailing,
  noteAttempt,
  noteFailing,
} from './deliveries.ts'
import type { AcquiredDelivery, DeliveryState } from './deliveries.ts'

const GIVEN_UP_AFTER_MS = 5 * 86_400_000
const GONE = 410
/** How long to wait before a look at a delivery whose predecessors were not decided yet. */
const EARLY_MS = 250
/** Deliveries made in a row before another webhook gets its turn. */
const MADE_MAX = 50
/** A delivery that is due later is found by the scan for due deliveries. */
const WOKEN_WITHIN_MS = 60_000

export const currentWebhooks = (work: JobContext): Promise<readonly Webhook[]> =>
  work.run((unit) => unit.look(webhooks))

/** Belongs to this webhook only. It is derived from the installation's key and never stored. */
export const keyPairOf = async (vault: Vault, { id }: Pick<Webhook, 'id'>): Promise<WebhookKeyPair> =>
  webhookKeyPair(Buffer.from(await vault.hmac('webhook-ed25519', id), 'base64url'))

/** Schedules delivery attempts. */
type Wake = (all: readonly TimerOccurrence[]) => Promise<void>

/**
 * Makes one delivery, then the deliveries of the same webhook that are next. Never throws for
 * faults of the receiver. If the process dies, the delivery is due again after 20 s.
 */
export async function deliverInTurn(id: string, work: JobContext, wake: Wake): Promise<void> {
  const startedMs = performance.now()
  const now = () => later(work.now, performance.now() - startedMs)
  let next = [id]
  for (let made = 0; ; made += 1) {
    const claimed = await acquireFirst(next, { ...work, now: now() }, wake)
    if (!claimed) return
    await attempt(claimed, { ...work, now: now() }, wake)
    const due = await dueDeliveries(work.telemetry, now(), CONCURRENT_ATTEMPTS_MAX, claimed.webhook.id)
    if (made >= MADE_MAX || work.signal.aborted) return wake(due.slice(0, 1))
    next = due.map(({ key }) => key)
  }
}

interface PendingAttempt {
  readonly webhook: Webhook
  readonly claimed: AcquiredDelivery
}

async function acquireFirst(ids: readonly string[], work: JobContext, wake: Wake): Promise<PendingAttempt | undefined> {
  for (const id of ids) {
    const taken = await acquireDelivery(id, work, wake)
    if (taken) return taken
  }
  return undefined
}

async function acquireDelivery(id: string, work: JobContext, wake: Wake): Promise<PendingAttempt | undefined> {
  const { telemetry, now } = work
  const due = await dueDelivery(telemetry, id, now)
  if (!due) return undefined
  const webhook = (await currentWebhooks(work)).find((each) => each.id === due.webhookId)
  if (!webhook || !isDeliverable(webhook, due)) return undefined
  const isOrdered = webhook.ordering === 'subject'
  if (isOrdered && due.isEarly) {
    await wake([{ key: id, at: later(now, EARLY_MS) }])
    return undefined
  }
  const claimed = await tryAcquireDelivery(telemetry, id, { now, isOrdered })
  return claimed && { webhook, claimed }
}

async function attempt({ webhook, claimed }: PendingAttempt, work: JobContext, wake: Wake): Promise<void> {
  const outcome = await work.post(await signedRequest(webhook, claimed, work))
  const at = later(work.now, outcome.ms)
  const { nextAt } = await recordOutcome(webhook, { claimed, outcome, at }, work)
  if (nextAt !== null && nextAt.getTime() - at.getTime() <= WOKEN_WITHIN_MS)
    await wake([{ key: claimed.id, at: nextAt }])
}

const isDeliverable = ({ status }: Webhook, { isPing }: { readonly isPing: boolean }): boolean =>
  status === 'ACTIVE' || (isPing && status === 'PENDING')

async function signedRequest(webhook: Webhook, { id, payload }: AcquiredDelivery, { vault, now, signal }: JobContext) {
  const key = webhook.ed25519 ? (await keyPairOf(vault, webhook)).privateKey : undefined
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Daybook-Webhooks',
    ...webhookHeaders({ id, at: now, body: payload }, secretsAt(webhook, now), key),
  }
  return { url: webhook.url, headers, body: payload, signal }
}

interface AttemptResult {
  readonly claimed: AcquiredDelivery
  readonly outcome: PostOutcome
  /** When the attempt ended. */
  readonly at: Date
}

/**
 * The webhook's state is recorded first. If the process dies before the delivery is noted, it is
 * made again and records nothing twice.
 */
async function recordOutcome(webhook: Webhook, made: AttemptResult, work: JobContext): Promise<DeliveryState> {
  const { claimed, outcome, at } = made
  const isDone = 'status' in outcome && outcome.status >= 200 && outcome.status < 300
  const noted = isDone ? { status: 'DELIVERED' as const, nextAt: null } : stateAfterFailure(claimed, outcome, at)
  if (isDone) await recordSuccess(webhook, work)
  else await recordFailure(webhook, { ...made, isLast: noted.status === 'FAILED' }, work)
  await noteAttempt(work.telemetry, claimed.id, noted, {
    at: work.now.toISOString(),
    status: 'status' in outcome ? outcome.status : null,
    error: 'error' in outcome ? outcome.error : null,
    ms: outcome.ms,
  })
  return noted
}

async function recordSuccess({ id: webhookId, url, status }: Webhook, work: JobContext): Promise<void> {
  if (status === 'PENDING')
    await work.run((unit) => unit.decide(webhooks, undefined, 'VerifyWebhook', { webhookId, url }))
  await forgetFailing(work.telemetry, webhookId)
}

interface FailedAttempt extends AttemptResult {
  readonly isLast: boolean
}

async function recordFailure(webhook: Webhook, failure: FailedAttempt, work: JobContext): Promise<void> {
  const since = await noteFailing(work.telemetry, webhook.id, failure.at)
  const reason = reasonToGiveUp(webhook, failure, since)
  if (reason === undefined) return
  const { id: webhookId, url } = webhook
  await work.run((unit) => unit.decide(webhooks, undefined, 'GiveUpWebhook', { webhookId, url, reason }))
}

function reasonToGiveUp(
  { status }: Webhook,
  { claimed, outcome, isLast, at }: FailedAttempt,
  since: Date,
): (typeof DISABLED_REASONS)[number] | undefined {
  if ('status' in outcome && outcome.status === GONE) return 'GONE'
  if (at.getTime() - since.getTime() >= GIVEN_UP_AFTER_MS) return 'FAILING'
  return status === 'PENDING' && isLast && claimed.attemptsMax > 1 ? 'UNVERIFIED' : undefined
}

/** Not earlier than the receiver's Retry-After, if it sent one. */
function stateAfterFailure({ attempts, attemptsMax }: AcquiredDelivery, outcome: PostOutcome, at: Date): DeliveryState {
  const made = attempts + 1
  if (made >= attemptsMax) return { status: 'FAILED', nextAt: null }
  const wantedMs = 'status' in outcome ? outcome.retryAfterSeconds * 1_000 : 0
  return { status: 'WAITING', nextAt: later(at, Math.max(ATTEMPT_AFTER_MS[made] ?? 0, wantedMs)) }
}

const later = (date: Date, ms: number): Date => new Date(date.getTime() + ms)
