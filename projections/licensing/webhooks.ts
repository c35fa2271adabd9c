import type { ReadDatabase } from '#kernel/projections/read-database'
import {
  key,
  nullable,
  oneOf,
  otherTable,
  readModel,
  sealedText,
  text,
  texts,
  timestamptz,
  bool,
} from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import type { DISABLED_REASONS, WEBHOOK_ORDERINGS, WEBHOOK_STATUSES } from '#licensing/webhooks/events'
import { webhookEvents } from '#licensing/webhooks/events'

const columns = {
  id: key,
  url: sealedText('url', () => 'installation'),
  events: texts,
  ordering: oneOf<(typeof WEBHOOK_ORDERINGS)[number]>(),
  ed25519: bool,
  status: oneOf<(typeof WEBHOOK_STATUSES)[number]>(),
  disabledReason: nullable(oneOf<(typeof DISABLED_REASONS)[number]>()),
  createdAt: timestamptz,
  createdBy: text,
  verifiedAt: nullable(timestamptz),
  oldSecretUntil: nullable(timestamptz),
}

export const webhookTable = readModel('webhooks', 1, columns, ['(created_at, id)']).from(webhookEvents, {
  WebhookCreated: (table, { webhookId, secret: _, ...webhook }, { at, metadata }) =>
    table.insert({
      ...webhook,
      id: webhookId,
      status: 'PENDING',
      disabledReason: null,
      createdAt: at,
      createdBy: metadata.actor.id,
      verifiedAt: null,
      oldSecretUntil: null,
    }),
  WebhookChanged: (table, { webhookId, url, ...change }) =>
    table.update({ id: webhookId }, { ...change, ...(url === null ? {} : { url, verifiedAt: null }) }),
  WebhookSecretRotated: (table, { webhookId, oldSecretUntil }) => table.update({ id: webhookId }, { oldSecretUntil }),
  WebhookVerified: (table, { webhookId }, { at }) =>
    table.update({ id: webhookId }, { status: 'ACTIVE', verifiedAt: at }),
  WebhookDisabled: (table, { webhookId, reason }) =>
    table.update({ id: webhookId }, { status: 'DISABLED', disabledReason: reason }),
  WebhookEnabled: (table, { webhookId }) =>
    table.update({ id: webhookId }, { status: 'PENDING', disabledReason: null, verifiedAt: null }),
  WebhookDeleted: (table, { webhookId }) => table.remove({ id: webhookId }),
})

export interface WebhookRow extends RowOf<typeof columns> {
  /** When the present series of failed attempts began; null: the last attempt succeeded. */
  readonly failingSince: string | null
}

const failures = otherTable<{ webhookId: string; since: string }>('telemetry.webhookFailing')

export const webhooksWithHealth = (read: ReadDatabase) =>
  read
    .selectFrom(webhookTable.as('webhook'))
    .leftJoin(failures.as('failing'), 'failing.webhookId', 'webhook.id')
    .selectAll('webhook')
    .select('failing.since as failingSince')

export const DELIVERY_STATUSES = ['WAITING', 'DELIVERED', 'FAILED'] as const

export interface DeliveryAttempt {
  readonly at: string
  /** HTTP status of the answer; null: there was no answer, and `error` says why. */
  readonly status: number | null
  readonly error: string | null
  readonly ms: number
}

export interface DeliveryRow {
  readonly id: string
  readonly webhookId: string
  readonly type: string
  readonly subjectType: string
  readonly subjectId: string
  readonly status: (typeof DELIVERY_STATUSES)[number]
  readonly attempts: number
  readonly nextAt: string | null
  readonly createdAt: string
  readonly deliveredAt: string | null
  readonly tries: readonly DeliveryAttempt[]
  readonly payload: string
}

const deliveries = otherTable<DeliveryRow>('telemetry.webhookDelivery')

export const deliveryRows = (read: ReadDatabase) =>
  read
    .selectFrom(deliveries.as('webhookDelivery'))
    .select(['id', 'webhookId', 'type', 'subjectType', 'subjectId', 'status', 'attempts', 'nextAt', 'createdAt'])
    .select(['deliveredAt', 'tries', 'payload'])
