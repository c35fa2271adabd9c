/**
 * Webhooks send events to servers of others.
 * webhook: an endpoint and the events that it subscribes to
 * delivery: one event for one webhook, retried until it is answered with 2xx
 * ping: a delivery without an event; a webhook gets no other delivery before it has answered one
 */
import { z } from 'zod'
import { event, sealed, stream } from '#kernel/events/event'

const instant = z.iso.datetime()
const webhookId = z.uuid()
const deliveryId = z.uuid()

/** `subject`: events of one license arrive in their order. `none`: events arrive as fast as possible. */
export const WEBHOOK_ORDERINGS = ['subject', 'none'] as const
/** PENDING: it has not answered a ping yet. */
export const WEBHOOK_STATUSES = ['PENDING', 'ACTIVE', 'DISABLED'] as const
export const DISABLED_REASONS = ['STAFF', 'GONE', 'FAILING', 'UNVERIFIED'] as const

const terms = {
  /** Event names, or `*` alone. */
  events: z.array(z.string()),
  ordering: z.enum(WEBHOOK_ORDERINGS),
  /** Whether messages are also signed with v1a. */
  ed25519: z.boolean(),
}

/** URLs often contain secrets in their path. */
const sealedFor = () => 'installation'

export const WebhookCreated = event(
  'WebhookCreated',
  'webhookId',
  { webhookId, url: sealed(z.string()), ...terms, secret: sealed(z.string()) },
  ({ webhookId, events }) => `created webhook ${webhookId} for ${events.join(', ')}`,
  { sealedFor },
)

/** Only the changed fields; another URL has to answer a ping first. */
export const WebhookChanged = event(
  'WebhookChanged',
  'webhookId',
  {
    webhookId,
    /** null: unchanged. */
    url: sealed(z.string().nullable()),
    /** The status after the change. */
    status: z.enum(WEBHOOK_STATUSES),
    events: terms.events.optional(),
    ordering: terms.ordering.optional(),
    ed25519: terms.ed25519.optional(),
  },
  ({ webhookId }) => `changed webhook ${webhookId}`,
  { sealedFor },
)

export const WebhookSecretRotated = event(
  'WebhookSecretRotated',
  'webhookId',
  { webhookId, secret: sealed(z.string()), oldSecretUntil: instant },
  ({ webhookId, oldSecretUntil }) =>
    `rotated the secret of webhook ${webhookId}; the old one signs too until ${oldSecretUntil}`,
  { sealedFor },
)

export const WebhookVerified = event(
  'WebhookVerified',
  'webhookId',
  { webhookId },
  ({ webhookId }) => `webhook ${webhookId} answered a ping`,
)

export const WebhookDisabled = event(
  'WebhookDisabled',
  'webhookId',
  { webhookId, reason: z.enum(DISABLED_REASONS) },
  ({ webhookId, reason }) => `disabled webhook ${webhookId} (${reason})`,
  { strict: true },
)

export const WebhookEnabled = event(
  'WebhookEnabled',
  'webhookId',
  { webhookId },
  ({ webhookId }) => `enabled webhook ${webhookId}`,
)

export const WebhookDeleted = event(
  'WebhookDeleted',
  'webhookId',
  { webhookId },
  ({ webhookId }) => `deleted webhook ${webhookId}`,
  { strict: true },
)

/**
 * One stream per installation: the cap covers all webhooks, and an event goes to exactly the
 * webhooks that exist at its position.
 */
export const webhookEvents = stream('webhooks', [
  WebhookCreated,
  WebhookChanged,
  WebhookSecretRotated,
  WebhookVerified,
  WebhookDisabled,
  WebhookEnabled,
  WebhookDeleted,
])

export const WebhookPinged = event(
  'WebhookPinged',
  'webhookId',
  { webhookId, deliveryId },
  ({ webhookId }) => `had webhook ${webhookId} pinged`,
)

export const WebhookDeliveryRepeated = event(
  'WebhookDeliveryRepeated',
  'webhookId',
  { webhookId, deliveryId },
  ({ webhookId, deliveryId }) => `had delivery ${deliveryId} of webhook ${webhookId} repeated`,
)

/** A separate stream: these events guard no rule, and the webhooks' stream must stay short. */
export const webhookRequests = stream('webhookAsks', [WebhookPinged, WebhookDeliveryRepeated])
