import { v5 as uuidv5 } from 'uuid'
import type { Stream } from '#kernel/events/event'
import type { JobContext } from '#kernel/jobs/job-context'
import { reaction } from '#kernel/jobs/reaction'
import type { ReactionEvent, Reaction } from '#kernel/jobs/reaction'
import { recurringJob } from '#kernel/jobs/recurring-job'
import { timer } from '#kernel/jobs/timer'
import type { TimerOccurrence } from '#kernel/jobs/timer'
import { mailStaff } from '../staff/notify.ts'
import { deliverInTurn, currentWebhooks } from '../workflows/webhook-delivery/attempt.ts'
import {
  ATTEMPTS_MAX,
  addDeliveries,
  busyWebhooks,
  dueDeliveries,
  forgetDeliveriesOf,
  forgetFailing,
  forgetOldDeliveries,
  repeatDelivery,
  resumeDeliveries,
} from '../workflows/webhook-delivery/deliveries.ts'
import type { Delivery } from '../workflows/webhook-delivery/deliveries.ts'
import { PING, catalogue, isWanted, message, payloadOf } from './catalogue.ts'
import {
  WebhookChanged,
  WebhookCreated,
  WebhookDeleted,
  WebhookDeliveryRepeated,
  WebhookDisabled,
  WebhookEnabled,
  WebhookPinged,
  WebhookVerified,
} from './events.ts'

const HOUR_MS = 3_600_000
const WOKEN = 16

const deliver = timer('deliver-webhooks', {
  outside: true,
  due: ({ telemetry, until, limit }) => dueDeliveries(telemetry, until, limit),
  run: ({ key }, work) => deliverInTurn(key, work, (all) => wakeAll(work, all)),
})

async function wakeAll(work: JobContext, all: readonly TimerOccurrence[]): Promise<void> {
  for (const due of all) await work.enqueue(deliver, due)
}

export const webhookTimers = [
  deliver,
  recurringJob('forget-webhook-deliveries', HOUR_MS, ({ telemetry, now }) => forgetOldDeliveries(telemetry, now)),
]

/** `streams` is a function, called for each event, because the events span all sections. */
export function webhookReactions(streams: () => readonly Stream[]): readonly Reaction[] {
  let types: ReadonlySet<string> | undefined
  const isTo = (type: string) => {
    types ??= new Set([...catalogue(streams()).values()].map((declared) => declared.type))
    return types.has(type)
  }
  return [
    { ...reaction('webhooks', { on: 'all', run: fanOut }), isTriggeredBy: isTo },
    tendWebhooks,
    mailDisabledWebhooks,
  ]
}

/**
 * Adds one row per webhook that subscribes to the event. Its name is also used in
 * webhook-delivery/deliveries.ts.
 */
async function fanOut(event: ReactionEvent, work: JobContext): Promise<void> {
  const { eventType, data, position, at, id } = event
  const wanting = (await currentWebhooks(work)).filter(
    ({ status, events, createdAt }) =>
      status !== 'DISABLED' && isWanted(events, eventType.action) && Date.parse(createdAt) <= Date.parse(at),
  )
  if (wanting.length === 0) return
  const about = {
    position,
    type: eventType.action,
    subjectType: eventType.subjectType,
    subjectId: String((data as Record<string, unknown>)[eventType.subjectKey]),
    payload: payloadOf(event),
    isPing: false,
    attemptsMax: ATTEMPTS_MAX,
  }
  const rows = wanting.map((webhook) => ({ ...about, id: uuidv5(id, webhook.id), webhookId: webhook.id }))
  await addDeliveries(work.telemetry, rows, work.now)
  const active = wanting.filter(({ status }) => status === 'ACTIVE').map((webhook) => webhook.id)
  const busy = await busyWebhooks(work.telemetry, active, work.now)
  const awake = rows.filter(({ webhookId }) => active.includes(webhookId) && !busy.includes(webhookId))
  await wakeAll(
    work,
    awake.map((row) => ({ key: row.id, at: work.now })),
  )
}

const tendWebhooks = reaction('tend-webhooks', {
  on: [
    WebhookCreated,
    WebhookChanged,
    WebhookEnabled,
    WebhookVerified,
    WebhookDeleted,
    WebhookPinged,
    WebhookDeliveryRepeated,
  ],
  async run(event, work) {
    const { webhookId } = event.data
    switch (event.type) {
      case 'WebhookCreated':
        return ping(event, uuidv5(event.id, webhookId), ATTEMPTS_MAX, work)
      case 'WebhookChanged':
        return event.data.url === null ? undefined : ping(event, uuidv5(event.id, webhookId), ATTEMPTS_MAX, work)
      case 'WebhookEnabled':
        await forgetFailing(work.telemetry, webhookId)
        await resumeDeliveries(work.telemetry, webhookId, work.now)
        return ping(event, uuidv5(event.id, webhookId), ATTEMPTS_MAX, work)
      case 'WebhookPinged':
        return ping(event, event.data.deliveryId, 1, work)
      case 'WebhookVerified':
        return wakeAll(work, await dueDeliveries(work.telemetry, work.now, WOKEN, webhookId))
      case 'WebhookDeleted':
        return forgetDeliveriesOf(work.telemetry, webhookId)
      case 'WebhookDeliveryRepeated':
        await repeatDelivery(work.telemetry, event.data.deliveryId, event.position, work.now)
        return wakeAll(work, [{ key: event.data.deliveryId, at: work.now }])
    }
  },
})

async function ping(
  { position, at, data: { webhookId } }: Pick<ReactionEvent, 'position' | 'at'> & { data: { webhookId: string } },
  id: string,
  attemptsMax: number,
  work: JobContext,
): Promise<void> {
  const about = { position, type: PING, subjectType: 'webhook', subjectId: webhookId, isPing: true }
  const row: Delivery = { id, webhookId, ...about, payload: message(PING, at, { webhookId }), attemptsMax }
  await addDeliveries(work.telemetry, [row], work.now)
  await wakeAll(work, [{ key: id, at: work.now }])
}

const WHY = {
  GONE: 'it answered 410, which means that the endpoint is gone',
  FAILING: 'every attempt during five days has failed',
  UNVERIFIED: 'it has not answered a ping',
} as const

/** Mails the staff who can fix it. */
const mailDisabledWebhooks = reaction('mail-disabled-webhooks', {
  on: [WebhookDisabled],
  outside: true,
  async run({ data: { webhookId, reason } }, work) {
    if (reason === 'STAFF' || !(await work.canMail())) return
    const webhook = (await currentWebhooks(work)).find(({ id }) => id === webhookId)
    if (!webhook) return
    const text = [
      `Webhook ${webhookId} to ${new URL(webhook.url).host} was disabled: ${WHY[reason]}.`,
      'Its pending deliveries are kept for 30 days at most. Events that happen while it is disabled are not sent.',
      `After the receiver works again, enable the webhook: PATCH ${work.baseUrl}/api/admin/webhooks/${webhookId} {"active": true}`,
    ].join('\n\n')
    await mailStaff(work, 'settings:manage', { subject: 'A webhook was disabled', text })
  },
})
