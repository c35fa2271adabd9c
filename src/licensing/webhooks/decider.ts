import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import type { States } from '#kernel/lib/record-states'
import { fits } from '#kernel/lib/record-states'
import { found, reject } from '#kernel/lib/rejection'
import {
  WebhookChanged,
  WebhookCreated,
  WebhookDeleted,
  WebhookDisabled,
  WebhookEnabled,
  WebhookSecretRotated,
  WebhookVerified,
  webhookEvents,
} from './events.ts'
import type { DISABLED_REASONS, WEBHOOK_STATUSES } from './events.ts'

export const WEBHOOKS_MAX = 50
const MINUTE_MS = 60_000

type WebhookCreatedData = DataOf<typeof WebhookCreated>
type Reason = (typeof DISABLED_REASONS)[number]

export interface Webhook extends Pick<WebhookCreatedData, 'url' | 'events' | 'ordering' | 'ed25519' | 'secret'> {
  readonly id: string
  readonly status: (typeof WEBHOOK_STATUSES)[number]
  readonly disabledReason: Reason | null
  readonly createdAt: string
  readonly verifiedAt: string | null
  /** Until this time, messages are also signed with the old secret. */
  readonly oldSecret: { readonly secret: string; readonly until: string } | null
}

export const ENABLED_WEBHOOK = { status: ['PENDING', 'ACTIVE'] } as const satisfies States<Webhook>

interface WebhookRef {
  readonly webhookId: string
}
interface ChangeWebhook
  extends WebhookRef, Partial<Pick<WebhookCreatedData, 'url' | 'events' | 'ordering' | 'ed25519'>> {
  readonly active?: boolean | undefined
}

const withWebhook = (all: readonly Webhook[], id: string, change: (webhook: Webhook) => Partial<Webhook>): Webhook[] =>
  all.map((webhook) => (webhook.id === id ? { ...webhook, ...change(webhook) } : webhook))

export const webhooks = decider(webhookEvents, {
  initial: [] as readonly Webhook[],
  snapshot: { version: 1, everyEvents: 200, sealedFor: () => 'installation' },
  evolve: {
    WebhookCreated: (all, { webhookId: id, ...webhook }, at) => [
      ...all,
      {
        id,
        ...webhook,
        status: 'PENDING' as const,
        disabledReason: null,
        createdAt: at.toISOString(),
        verifiedAt: null,
        oldSecret: null,
      },
    ],
    WebhookChanged: (all, { webhookId, url, ...change }) =>
      withWebhook(all, webhookId, () => ({ ...change, ...(url === null ? {} : { url, verifiedAt: null }) })),
    WebhookSecretRotated: (all, { webhookId, secret, oldSecretUntil }) =>
      withWebhook(all, webhookId, (old) => ({ secret, oldSecret: { secret: old.secret, until: oldSecretUntil } })),
    WebhookVerified: (all, { webhookId }, at) =>
      withWebhook(all, webhookId, () => ({ status: 'ACTIVE', verifiedAt: at.toISOString() })),
    WebhookDisabled: (all, { webhookId, reason }) =>
      withWebhook(all, webhookId, () => ({ status: 'DISABLED', disabledReason: reason })),
    WebhookEnabled: (all, { webhookId }) =>
      withWebhook(all, webhookId, () => ({ status: 'PENDING', disabledReason: null, verifiedAt: null })),
    WebhookDeleted: (all, { webhookId }) => all.filter(({ id }) => id !== webhookId),
  },
  commands: {
    CreateWebhook: (all, ask: WebhookCreatedData) => {
      if (all.length >= WEBHOOKS_MAX)
        reject('conflict', `The installation already has ${WEBHOOKS_MAX} webhooks: delete one first`, 'WEBHOOK_CAP')
      return [WebhookCreated(ask)]
    },

    ChangeWebhook: (all, { webhookId, active, ...ask }: ChangeWebhook) => {
      const webhook = webhookById(all, webhookId)
      const change = changedTerms(webhook, ask)
      if (change.url !== undefined) refuseDowngrade(webhook.url, change.url)
      return [
        ...(Object.keys(change).length > 0 ? [changedEvent(webhook, change)] : []),
        ...(active === false ? disabledEvents(webhook, 'STAFF') : []),
        ...(active === true && webhook.status === 'DISABLED' ? [WebhookEnabled({ webhookId })] : []),
      ]
    },

    /** At most two secrets sign: a third within the overlap drops the oldest at once. */
    RotateSecret: (all, { webhookId, secret, overlapMinutes }: RotateSecret, { at }) => {
      webhookById(all, webhookId)
      const oldSecretUntil = new Date(at.getTime() + overlapMinutes * MINUTE_MS).toISOString()
      return [WebhookSecretRotated({ webhookId, secret, oldSecretUntil })]
    },

    DeleteWebhook: (all, { webhookId }: WebhookRef) => {
      webhookById(all, webhookId)
      return [WebhookDeleted({ webhookId })]
    },

    /** @param ask the URL that answered the ping; ignored if the webhook's URL has changed since */
    VerifyWebhook: (all, { webhookId, url }: WebhookRef & { readonly url: string }) => {
      const webhook = all.find(({ id }) => id === webhookId)
      return webhook?.status === 'PENDING' && webhook.url === url ? [WebhookVerified({ webhookId })] : []
    },

    /** @param ask the URL that failed to answer correctly */
    GiveUpWebhook: (
      all,
      { webhookId, url, reason }: WebhookRef & { readonly url: string; readonly reason: Reason },
    ) => {
      const webhook = all.find(({ id }) => id === webhookId)
      return webhook?.url === url ? disabledEvents(webhook, reason) : []
    },
  },
})

interface RotateSecret extends WebhookRef {
  readonly secret: string
  /** How long the old secret signs beside the new one. */
  readonly overlapMinutes: number
}

/** @throws Rejection 404 */
export const webhookById = (all: readonly Webhook[], id: string): Webhook =>
  found(all.find((webhook) => webhook.id === id))

/**
 * A webhook that can receive deliveries.
 * @throws Rejection 404 · 409
 */
export function requireEnabled(all: readonly Webhook[], id: string): Webhook {
  const webhook = webhookById(all, id)
  if (!fits(webhook, ENABLED_WEBHOOK))
    reject('conflict', 'This webhook is disabled: enable it first', 'WEBHOOK_DISABLED')
  return webhook
}

/** The secrets that sign a message at this time, newest first. */
export const secretsAt = ({ secret, oldSecret }: Webhook, at: Date): string[] =>
  oldSecret && Date.parse(oldSecret.until) > at.getTime() ? [secret, oldSecret.secret] : [secret]

const disabledEvents = ({ id, status }: Webhook, reason: Reason) =>
  status === 'DISABLED' ? [] : [WebhookDisabled({ webhookId: id, reason })]

/** Another URL has to answer a ping first. */
function changedEvent({ id: webhookId, status }: Webhook, { url, ...change }: Partial<WebhookTerms>) {
  const isNew = url !== undefined && status === 'ACTIVE'
  return WebhookChanged({ webhookId, ...change, url: url ?? null, status: isNew ? 'PENDING' : status })
}

type WebhookTerms = Pick<Webhook, 'url' | 'events' | 'ordering' | 'ed25519'>

const changedTerms = (webhook: Webhook, ask: Partial<WebhookTerms>): Partial<WebhookTerms> =>
  Object.fromEntries(
    Object.entries(ask).filter(
      ([term, value]) =>
        value !== undefined && JSON.stringify(value) !== JSON.stringify(webhook[term as keyof WebhookTerms]),
    ),
  )

/** A careless change must not send messages unencrypted that were encrypted before. */
function refuseDowngrade(before: string, after: string): void {
  if (before.startsWith('https:') && !after.startsWith('https:'))
    reject('invalid', 'A webhook with an https URL cannot get an http URL: create another webhook', 'URL_DOWNGRADE')
}
