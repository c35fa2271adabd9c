import { z } from 'zod'
import { toPublishedJwk, PublishedJwk } from '#kernel/credentials/jws'
import type { Stream } from '#kernel/events/event'
import { inState } from '#kernel/http/in-state'
import { pagination, listReply } from '#kernel/http/pagination'
import { recordVersion } from '#kernel/http/record-version'
import { answer, everyone, route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { newWebhookSecret } from '#kernel/outbound/standard-webhooks'
import { parseTargetUrl } from '#kernel/outbound/target-url'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { Vault } from '#kernel/vault/vault'
import { DELIVERY_STATUSES, deliveryRows, webhookTable, webhooksWithHealth } from '#projections/licensing/webhooks'
import type { DeliveryRow, WebhookRow } from '#projections/licensing/webhooks'
import { staff } from '../access/access.ts'
import { keyPairOf } from '../workflows/webhook-delivery/attempt.ts'
import { EVERYTHING, catalogue } from './catalogue.ts'
import { ENABLED_WEBHOOK, requireEnabled, webhookById, webhooks } from './decider.ts'
import type { Webhook as WebhookState } from './decider.ts'
import {
  DISABLED_REASONS,
  WEBHOOK_ORDERINGS,
  WEBHOOK_STATUSES,
  WebhookDeliveryRepeated,
  WebhookPinged,
  webhookRequests,
} from './events.ts'

const OVERLAP_MINUTES = 1_440
const NAMES_MAX = 200

const Webhook = z
  .object({
    id: z.uuid(),
    url: z.string(),
    events: z.array(z.string()),
    ordering: z.enum(WEBHOOK_ORDERINGS),
    ed25519: z.boolean(),
    /** Verifies v1a signatures; null if there are none. */
    publicKey: z.string().nullable(),
    status: z.enum(WEBHOOK_STATUSES),
    disabledReason: z.enum(DISABLED_REASONS).nullable(),
    createdAt: z.iso.datetime(),
    verifiedAt: z.iso.datetime().nullable(),
    /** Until then, messages are also signed with the previous secret. */
    oldSecretUntil: z.iso.datetime().nullable(),
    /** null: the last attempt was answered with 2xx, or there was no attempt. */
    failingSince: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Webhook' })
type Webhook = z.output<typeof Webhook>

/** The secret is returned only here. */
const WebhookWithSecret = z.object({ webhook: Webhook, secret: z.string() })

const Delivery = z
  .object({
    /** The receiver sees it as webhook-id. */
    id: z.uuid(),
    webhookId: z.uuid(),
    type: z.string(),
    subject: z.object({ type: z.string(), id: z.string() }),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.int(),
    nextAttemptAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    deliveredAt: z.iso.datetime().nullable(),
    tries: z.array(
      z.object({ at: z.iso.datetime(), status: z.int().nullable(), error: z.string().nullable(), ms: z.int() }),
    ),
    payload: z.record(z.string(), z.json()),
  })
  .meta({ id: 'WebhookDelivery' })

const url = z.string().min(1).max(2_048)
const names = z
  .array(z.union([z.literal(EVERYTHING), z.string().regex(/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/)]))
  .min(1)
  .max(NAMES_MAX)

const NewWebhook = z.strictObject({
  url,
  events: names,
  ordering: z.enum(WEBHOOK_ORDERINGS).default('subject'),
  ed25519: z.boolean().default(false),
})
const WebhookChange = z.strictObject({
  url: url.optional(),
  events: names.optional(),
  ordering: z.enum(WEBHOOK_ORDERINGS).optional(),
  ed25519: z.boolean().optional(),
  active: z.boolean().optional(),
})
const Rotation = z
  .strictObject({ overlapMinutes: z.int().min(0).max(OVERLAP_MINUTES).default(OVERLAP_MINUTES) })
  .prefault({})

const webhookList = pagination({ filters: { status: z.enum(WEBHOOK_STATUSES).optional() }, sort: ['createdAt'] })
const deliveryList = pagination({
  filters: { status: z.enum(DELIVERY_STATUSES).optional(), type: z.string().max(100).optional() },
  sort: ['createdAt'],
})

type WebhookReplyRow = Omit<WebhookRow, 'createdBy'>

async function toWebhookReply(vault: Vault, row: WebhookReplyRow): Promise<Webhook> {
  const publicKey = row.ed25519 ? (await keyPairOf(vault, row)).publicKey : null
  return { ...row, publicKey }
}

/** The reply from the state after a command, because the read model may lag behind. */
async function replyAfterCommand(
  { read, vault }: Pick<HandlerContext, 'read' | 'vault'>,
  state: WebhookState,
): Promise<Webhook> {
  const { secret: _secret, oldSecret, ...webhook } = state
  const row = await webhooksWithHealth(read).where('webhook.id', '=', state.id).executeTakeFirst()
  const failingSince = row?.failingSince ?? null
  return toWebhookReply(vault, { ...webhook, oldSecretUntil: oldSecret?.until ?? null, failingSince })
}

/**
 * In canonical form.
 * @throws Rejection 400
 */
function normalizedTargetUrl(text: string): string {
  const parsed = parseTargetUrl(text)
  return 'reason' in parsed ? reject('invalid', `url ${parsed.reason}`, 'URL_INVALID') : parsed.href
}

/**
 * Without duplicates; `*` replaces all others.
 * @throws Rejection 400 for an unknown event
 */
function knownEventNames(wanted: readonly string[], streams: readonly Stream[]): string[] {
  const all = catalogue(streams)
  for (const name of wanted)
    if (name !== EVERYTHING && !all.has(name))
      reject('invalid', `There is no event ${name}: see GET /api/admin/webhooks/events`, 'EVENT_UNKNOWN')
  return wanted.includes(EVERYTHING) ? [EVERYTHING] : [...new Set(wanted)].toSorted()
}

const toDeliveryReply = ({
  subjectType,
  subjectId,
  nextAt,
  payload,
  ...row
}: DeliveryRow): z.input<typeof Delivery> => ({
  ...row,
  tries: [...row.tries],
  subject: { type: subjectType, id: subjectId },
  nextAttemptAt: nextAt,
  payload: JSON.parse(payload) as Record<string, z.core.util.JSONType>,
})

const readWebhook = async (read: ReadDatabase, id: string): Promise<WebhookRow> =>
  found(await webhooksWithHealth(read).where('webhook.id', '=', id).executeTakeFirst())

const version = recordVersion(
  Webhook.pick({ url: true, events: true, ordering: true, ed25519: true, status: true, disabledReason: true }),
  async (unit, { params }) => (await unit.look(webhooks)).find(({ id }) => id === params['id']),
)

/** `streams` is a function, called for each request, because the events span all sections. */
export const webhookRoutes = (streams: () => readonly Stream[]) => [
  route('GET /api/admin/webhooks/events', {
    does: 'List every event that a webhook can subscribe to, and the fields of its data.',
    access: staff('settings:view'),
    reply: z.object({
      events: z.array(z.object({ type: z.string(), subjectType: z.string(), fields: z.array(z.string()) })),
    }),
    handle: async () => ({
      events: [...catalogue(streams())].map(([type, { subjectType, shownFields }]) => ({
        type,
        subjectType,
        fields: [...shownFields],
      })),
    }),
  }),

  route('GET /api/admin/webhooks', {
    does: 'List webhooks. Their secrets are never returned.',
    access: staff('settings:view'),
    query: webhookList.query,
    reply: listReply(Webhook),
    async handle({ read, vault, query }) {
      const page = await webhookList.list(webhooksWithHealth(read), query)
      const rows = await webhookTable.open(vault, page.items)
      return { ...page, items: await Promise.all(rows.map((row) => toWebhookReply(vault, row))) }
    },
  }),

  route('POST /api/admin/webhooks', {
    does: 'Create a webhook (Standard Webhooks). Its secret is returned only here. It receives events after it answered a ping with 2xx.',
    access: staff('settings:manage'),
    status: 201,
    body: NewWebhook,
    reply: WebhookWithSecret,
    shownOnce: ['secret'],
    async handle({ run, read, vault, body }) {
      const secret = newWebhookSecret()
      const terms = { ...body, url: normalizedTargetUrl(body.url), events: knownEventNames(body.events, streams()) }
      const webhook = await run(async (unit) => {
        const webhookId = unit.newId()
        await unit.decide(webhooks, undefined, 'CreateWebhook', { webhookId, ...terms, secret })
        return webhookById(await unit.load(webhooks), webhookId)
      })
      return { webhook: await replyAfterCommand({ read, vault }, webhook), secret }
    },
  }),

  route('GET /api/admin/webhooks/:id', {
    does: 'Read a webhook.',
    access: staff('settings:view'),
    version: version,
    reply: Webhook,
    async handle({ read, vault, params: { id } }) {
      const [row] = await webhookTable.open(vault, [await readWebhook(read, id)])
      return toWebhookReply(vault, row as WebhookRow)
    },
  }),

  route('PATCH /api/admin/webhooks/:id', {
    does: 'Change, disable or enable a webhook. A new URL or an enabled webhook must answer a ping before its deliveries continue.',
    access: staff('settings:manage'),
    version: version,
    body: WebhookChange,
    reply: Webhook,
    async handle({ run, read, vault, params: { id: webhookId }, body: { url, events, ...rest } }) {
      const change = {
        ...rest,
        ...(url === undefined ? {} : { url: normalizedTargetUrl(url) }),
        ...(events === undefined ? {} : { events: knownEventNames(events, streams()) }),
      }
      const webhook = await run(async (unit) => {
        await unit.decide(webhooks, undefined, 'ChangeWebhook', { webhookId, ...change })
        return webhookById(await unit.load(webhooks), webhookId)
      })
      return replyAfterCommand({ read, vault }, webhook)
    },
  }),

  route('DELETE /api/admin/webhooks/:id', {
    does: 'Delete a webhook and its deliveries.',
    access: staff('settings:manage'),
    async handle({ run, params: { id: webhookId } }) {
      await run((unit) => unit.decide(webhooks, undefined, 'DeleteWebhook', { webhookId }))
    },
  }),

  route('POST /api/admin/webhooks/:id/ping', {
    does: 'Send one ping to a webhook. The result is listed among its deliveries.',
    access: staff('settings:manage'),
    from: inState(Webhook, ENABLED_WEBHOOK),
    status: 202,
    reply: z.object({ deliveryId: z.uuid() }),
    handle: async ({ run, params: { id: webhookId } }) =>
      answer(
        await run(async (unit) => {
          requireEnabled(await unit.look(webhooks), webhookId)
          const deliveryId = unit.newId()
          unit.appendEvent(webhookRequests, undefined, WebhookPinged({ webhookId, deliveryId }))
          return { deliveryId }
        }),
      ),
  }),

  route('POST /api/admin/webhooks/:id/rotate-secret', {
    does: 'Create a new secret, returned only in this reply. The old one also signs for a day, or for overlapMinutes.',
    access: staff('settings:manage'),
    body: Rotation,
    reply: WebhookWithSecret,
    shownOnce: ['secret'],
    async handle({ run, read, vault, params: { id: webhookId }, body }) {
      const secret = newWebhookSecret()
      const webhook = await run(async (unit) => {
        await unit.decide(webhooks, undefined, 'RotateSecret', { webhookId, secret, ...body })
        return webhookById(await unit.load(webhooks), webhookId)
      })
      return { webhook: await replyAfterCommand({ read, vault }, webhook), secret }
    },
  }),

  route('GET /api/admin/webhooks/:id/deliveries', {
    does: 'List the deliveries of a webhook in the last 30 days, with the answer to every attempt.',
    access: staff('settings:view'),
    query: deliveryList.query,
    reply: listReply(Delivery),
    async handle({ read, params: { id }, query }) {
      await readWebhook(read, id)
      const page = await deliveryList.list(deliveryRows(read).where('webhookId', '=', id), query)
      return { ...page, items: page.items.map(toDeliveryReply) }
    },
  }),

  route('POST /api/admin/webhooks/deliveries/:id/redeliver', {
    does: 'Repeat a delivery at once and out of order, with the same webhook-id.',
    access: staff('settings:manage'),
    status: 202,
    reply: Delivery,
    async handle({ run, read, params: { id: deliveryId } }) {
      const row = found(await deliveryRows(read).where('id', '=', deliveryId).executeTakeFirst())
      await run(async (unit) => {
        const { id: webhookId } = requireEnabled(await unit.look(webhooks), row.webhookId)
        unit.appendEvent(webhookRequests, undefined, WebhookDeliveryRepeated({ webhookId, deliveryId }))
      })
      return toDeliveryReply(row)
    },
  }),

  route('GET /api/webhooks/:id/keys', {
    does: 'Read the public key that verifies v1a signatures of a webhook, as a JWK set (RFC 7517).',
    access: everyone,
    reply: z.object({ keys: z.array(PublishedJwk) }),
    async handle({ read, vault, params: { id } }) {
      const webhook = await readWebhook(read, id)
      const { x } = await keyPairOf(vault, found(webhook.ed25519 ? webhook : undefined))
      return answer({ keys: [toPublishedJwk({ kty: 'OKP', crv: 'Ed25519', x }, id)] }, 200, {
        'Cache-Control': 'public, max-age=3600',
      })
    },
  }),
]
