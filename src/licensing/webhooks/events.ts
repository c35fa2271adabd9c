/**
 * Webhooks: what happens here is told to somebody else's server. Words:
 *   webhook   an endpoint and what it wants to be told
 *   delivery  one event for one webhook, tried until it is answered 2xx
 *   ping      a delivery that tells nothing; a webhook that has answered none yet is told nothing else
 */
import { z } from 'zod'
import { event, sealed, stream } from '#kernel/events/event'

const instant = z.iso.datetime()
const webhookId = z.uuid()
const deliveryId = z.uuid()

/** `subject`: what happens to one license arrives in the order in which it happened. `none`: as fast as it can. */
export const WEBHOOK_ORDERINGS = ['subject', 'none'] as const
/** PENDING: it has not answered a ping yet. */
export const WEBHOOK_STATUSES = ['PENDING', 'ACTIVE', 'DISABLED'] as const
export const DISABLED_REASONS = ['STAFF', 'GONE', 'FAILING', 'UNVERIFIED'] as const

const terms = {
  /** Names of events, or `*` alone. */
  events: z.array(z.string()),
  ordering: z.enum(WEBHOOK_ORDERINGS),
  /** Whether messages are signed by v1a too. */
  ed25519: z.boolean(),
}

/** Their paths are secrets as often as not. */
const sealedFor = () => 'installation'

export const WebhookCreated = event(
  'WebhookCreated',
  'webhookId',
  { webhookId, url: sealed(z.string()), ...terms, secret: sealed(z.string()) },
  ({ webhookId, events }) => `created webhook ${webhookId} for ${events.join(', ')}`,
  { sealedFor },
)

/** Only what is new; another URL has to answer a ping first. */
export const WebhookChanged = event(
  'WebhookChanged',
  'webhookId',
  {
    webhookId,
    /** null: as it was. */
    url: sealed(z.string().nullable()),
    /** What it is afterwards. */
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

/** One stream for the installation: its cap is a rule about all webhooks, and an event is told to exactly those that are there. */
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

/** Apart from the webhooks' stream, which must stay short: they guard no rule. */
export const webhookRequests = stream('webhookAsks', [WebhookPinged, WebhookDeliveryRepeated])
