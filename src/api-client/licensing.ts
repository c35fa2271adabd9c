/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from './operation.ts'

export type Plan = {
  readonly id: string
  readonly slug: string
  readonly active: boolean
  readonly version: number
  readonly name: string
  readonly currency: string
  /** In minor units. */
  readonly priceMonthly: number | null
  /** In minor units. */
  readonly priceYearly: number | null
  readonly free: boolean
  readonly public: boolean
  readonly trialDays: number
  readonly maxActivations: number
  readonly maxSeats: number | null
  readonly graceDays: number
  readonly offlineDays: number
  readonly heartbeatSeconds: number
  readonly reclaimStaleAfterDays: number
  readonly features: readonly {
    readonly key: string
    readonly value: boolean | number | string
    readonly validFrom?: string | undefined
    readonly validTo?: string | undefined
  }[]
  readonly createdAt: string
}

export type Feature = {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly type: 'BOOLEAN' | 'INTEGER' | 'STRING'
  readonly archived: boolean
  readonly createdAt: string
}

export type Staff = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly roles: readonly string[]
  readonly status: 'INVITED' | 'ACTIVE'
  readonly totpEnabled: boolean
  readonly createdAt: string
}

export type StaffProfile = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly roles: readonly string[]
  readonly permissions: readonly string[]
  readonly totpEnabled: boolean
  readonly createdAt: string
}

export type Session = {
  readonly id: string
  readonly createdAt: string
  readonly lastUsedAt: string
  readonly ip: string | null
  readonly userAgent: string | null
  readonly current: boolean
}

export type MachineToken = {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly permissions: readonly string[]
  readonly allowedIps: readonly string[]
  readonly expiresAt: string | null
  readonly status: 'ACTIVE' | 'REVOKED' | 'EXPIRED'
  readonly createdAt: string
  readonly createdBy: string
  readonly lastUsedAt: string | null
  readonly lastUsedIp: string | null
  readonly revokedAt: string | null
  readonly revokedBy: string | null
}

export type Customer = {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly company: string | null
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'ERASED'
  readonly createdAt: string
}

export type Subscription = {
  readonly id: string
  readonly customerId: string
  readonly planSlug: string
  readonly planVersion: number
  readonly status: 'INCOMPLETE' | 'TRIALING' | 'ACTIVE' | 'PAST_DUE' | 'UNPAID' | 'PAUSED' | 'CANCELLED' | 'EXPIRED'
  readonly seats: number
  readonly billingCycle: 'MONTHLY' | 'YEARLY'
  readonly currentPeriodStart: string
  readonly currentPeriodEnd: string
  readonly trialEndsAt: string | null
  readonly cancelAtPeriodEnd: boolean
  readonly cancelledAt: string | null
  readonly maxActivations: number
  readonly reference: string | null
  readonly scheduledChange: ScheduledChange | null
  readonly licenseId: string | null
}

export type ScheduledChange = {
  readonly planSlug?: string | undefined
  readonly planVersion?: number | undefined
  readonly seats?: number | undefined
  readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
  readonly proration: 'prorate' | 'invoice' | 'none'
  readonly effectiveAt: string
}

export type License = {
  readonly id: string
  readonly keyId: string
  readonly kid: string
  readonly seq: number
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'REVOKED'
  readonly effectiveStatus: 'REVOKED' | 'SUSPENDED' | 'EXPIRED' | 'GRACE' | 'ACTIVE'
  readonly subscriptionId: string
  readonly customerId: string
  readonly planSlug: string
  readonly seats: number
  readonly maxActivations: number
  readonly activeInstances: number
  readonly issuedAt: string
  readonly expiresAt: string
  readonly graceEndsAt: string
  readonly suspendedAt: string | null
  readonly revokedAt: string | null
  readonly reason: string | null
  readonly replacedBy: string | null
}

export type Instance = {
  readonly id: string
  readonly licenseId: string
  readonly status: 'ACTIVE' | 'STALE' | 'DEACTIVATED'
  readonly name: string
  readonly hostname: string
  readonly version: string
  readonly os: string
  readonly arch: string
  readonly ip: string | null
  readonly keyThumbprint: string
  readonly activatedAt: string
  readonly lastHeartbeatAt: string | null
  readonly nextHeartbeatDueAt: string | null
  readonly deactivatedAt: string | null
  readonly deactivatedBy: {
    readonly type: string
    readonly id: string
  } | null
  readonly flags: readonly ('CLONE_SUSPECTED' | 'FINGERPRINT_DRIFT')[]
}

export type Payment = {
  readonly id: string
  readonly type: 'CHARGE' | 'REFUND' | 'CREDIT'
  /** In minor units. */
  readonly amount: number
  readonly currency: string
  readonly status: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED' | 'PARTIALLY_REFUNDED'
  readonly provider: string
  readonly providerRef: string | null
  readonly invoiceNumber: string | null
  readonly paidAt: string | null
  readonly refunds: readonly PaymentEntry[]
  readonly disputes: readonly Dispute[]
}

export type PaymentEntry = {
  readonly id: string
  readonly type: 'CHARGE' | 'REFUND' | 'CREDIT'
  /** In minor units. */
  readonly amount: number
  readonly currency: string
  readonly status: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED' | 'PARTIALLY_REFUNDED'
  readonly provider: string
  readonly providerRef: string | null
  readonly invoiceNumber: string | null
  readonly paidAt: string | null
}

export type Dispute = {
  readonly id: string
  readonly status: 'OPEN' | 'WON' | 'LOST' | 'DROPPED'
  /** In minor units. */
  readonly amount: number
  readonly currency: string
  readonly reason: string
  readonly providerRef: string
  readonly openedAt: string
  readonly closedAt: string | null
}

export type Invoice = {
  readonly id: string
  readonly number: string
  readonly kind: 'INVOICE' | 'CREDIT_NOTE'
  readonly subscriptionId: string
  readonly currency: string
  readonly lines: readonly {
    readonly label: string
    /** In minor units. */
    readonly amount: number
  }[]
  /** In minor units. */
  readonly credited: number
  /** In minor units. */
  readonly total: number
  readonly issuedAt: string
  readonly dueAt: string | null
}

export type Recursive1 =
  | string
  | number
  | boolean
  | null
  | readonly Recursive1[]
  | { readonly [name: string]: Recursive1 }

export type HistoryEntry = {
  readonly position: number
  readonly at: string
  readonly actor: {
    readonly type: string
    readonly id: string
    readonly label: string | null
  }
  readonly action: string
  readonly requestId: string
  readonly sentence: string
  readonly meta: { readonly [name: string]: Recursive1 }
}

export type SubscriptionPreview = {
  readonly current: SubscriptionOffer
  readonly next: SubscriptionOffer
  readonly lines: readonly {
    readonly label: string
    /** In minor units. */
    readonly amount: number
  }[]
  /** In minor units. */
  readonly creditAmount: number
  /** In minor units. */
  readonly dueNow: number
  readonly nextInvoice: {
    readonly date: string
    /** In minor units. */
    readonly amount: number
  }
  readonly license: {
    readonly willReissue: boolean
    readonly slotsOverBy: number
  }
  readonly effectiveAt: string
  readonly previewToken: string
}

export type SubscriptionOffer = {
  readonly planSlug: string
  readonly planVersion: number
  readonly seats: number
  readonly billingCycle: 'MONTHLY' | 'YEARLY'
  readonly maxActivations: number
  readonly currency: string
  /** In minor units. */
  readonly price: number
  readonly currentPeriodEnd: string
}

export type LicenseAndKey = {
  readonly license: License
  readonly licenseKey?: string | undefined
}

export type Provisioning = {
  readonly created: boolean
  readonly customer: {
    readonly id: string
    readonly email: string
    readonly created: boolean
  }
  readonly subscription: {
    readonly id: string
    readonly planSlug: string
    readonly seats: number
    readonly status: 'INCOMPLETE' | 'TRIALING' | 'ACTIVE' | 'PAST_DUE' | 'UNPAID' | 'PAUSED' | 'CANCELLED' | 'EXPIRED'
  }
  readonly license: {
    readonly id: string
    readonly keyId: string
    readonly expiresAt: string
  }
  readonly licenseKey: string
  readonly installCommand: string
}

export type CustomerProfile = {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly company: string | null
  readonly totpEnabled: boolean
  readonly createdAt: string
}

export type ShopPlan = {
  readonly slug: string
  readonly name: string
  readonly currency: string
  readonly priceMonthly: number | null
  readonly priceYearly: number | null
  readonly free: boolean
  readonly trialDays: number
  readonly maxActivations: number
  readonly maxSeats: number | null
  readonly features: readonly {
    readonly key: string
    readonly value: boolean | number | string
    readonly validFrom?: string | undefined
    readonly validTo?: string | undefined
  }[]
}

export type OwnSubscription = {
  readonly id: string
  readonly customerId: string
  readonly planSlug: string
  readonly planVersion: number
  readonly status: 'INCOMPLETE' | 'TRIALING' | 'ACTIVE' | 'PAST_DUE' | 'UNPAID' | 'PAUSED' | 'CANCELLED' | 'EXPIRED'
  readonly seats: number
  readonly billingCycle: 'MONTHLY' | 'YEARLY'
  readonly currentPeriodStart: string
  readonly currentPeriodEnd: string
  readonly trialEndsAt: string | null
  readonly cancelAtPeriodEnd: boolean
  readonly cancelledAt: string | null
  readonly maxActivations: number
  readonly scheduledChange: ScheduledChange | null
  readonly licenseId: string | null
}

export type OwnPayment = {
  readonly id: string
  readonly type: 'CHARGE' | 'REFUND' | 'CREDIT'
  /** In minor units. */
  readonly amount: number
  readonly currency: string
  readonly status: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED' | 'PARTIALLY_REFUNDED'
  readonly provider: string
  readonly invoiceNumber: string | null
  readonly paidAt: string | null
  readonly refunds: readonly OwnPaymentEntry[]
}

export type OwnPaymentEntry = {
  readonly id: string
  readonly type: 'CHARGE' | 'REFUND' | 'CREDIT'
  /** In minor units. */
  readonly amount: number
  readonly currency: string
  readonly status: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED' | 'PARTIALLY_REFUNDED'
  readonly provider: string
  readonly invoiceNumber: string | null
  readonly paidAt: string | null
}

export type OwnLicense = {
  readonly id: string
  readonly keyId: string
  readonly kid: string
  readonly seq: number
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'REVOKED'
  readonly effectiveStatus: 'REVOKED' | 'SUSPENDED' | 'EXPIRED' | 'GRACE' | 'ACTIVE'
  readonly subscriptionId: string
  readonly customerId: string
  readonly planSlug: string
  readonly seats: number
  readonly maxActivations: number
  readonly activeInstances: number
  readonly issuedAt: string
  readonly expiresAt: string
  readonly graceEndsAt: string
  readonly suspendedAt: string | null
  readonly revokedAt: string | null
  readonly replacedBy: string | null
}

export type OwnInstance = {
  readonly id: string
  readonly licenseId: string
  readonly status: 'ACTIVE' | 'STALE' | 'DEACTIVATED'
  readonly name: string
  readonly hostname: string
  readonly version: string
  readonly os: string
  readonly arch: string
  readonly ip: string | null
  readonly keyThumbprint: string
  readonly activatedAt: string
  readonly lastHeartbeatAt: string | null
  readonly nextHeartbeatDueAt: string | null
  readonly deactivatedAt: string | null
  readonly flags: readonly ('CLONE_SUSPECTED' | 'FINGERPRINT_DRIFT')[]
}

export type Release = {
  readonly id: string
  readonly version: string
  readonly channel: 'stable' | 'beta'
  readonly notes: string
  readonly publishedAt: string | null
  readonly artifacts: readonly {
    readonly id: string
    readonly name: string
    readonly size: number
    readonly sha256: string
    readonly kid: string
    readonly signature: string
    readonly createdAt: string
    readonly url: string
  }[]
}

export type Version = {
  readonly id: string
  readonly version: string
  readonly channel: 'stable' | 'beta'
  readonly notes: string
  readonly minPlan: string | null
  readonly status: 'DRAFT' | 'PUBLISHED' | 'YANKED'
  readonly createdAt: string
  readonly publishedAt: string | null
  readonly yankedAt: string | null
  readonly artifacts: readonly Artifact[]
}

export type Artifact = {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly sha256: string
  readonly kid: string
  readonly signature: string
  readonly createdAt: string
}

export type SigningKey = {
  readonly kid: string
  readonly state: 'next' | 'current' | 'retiring' | 'retired' | 'compromised'
  readonly publicJwk: {
    readonly kty: 'OKP'
    readonly crv: 'Ed25519'
    readonly x: string
  }
  readonly createdAt: string
  readonly publishedAt: string | null
  readonly promotedAt: string | null
  readonly retiringAt: string | null
  readonly retirableAt: string | null
  readonly retiredAt: string | null
  readonly compromisedAt: string | null
  readonly reason: string | null
  readonly licenses: number
}

export type Announcement = {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly level: 'INFO' | 'WARNING' | 'CRITICAL'
  readonly visibleFrom: string
  readonly visibleUntil: string
  readonly createdAt: string
}

export type Bulk = {
  readonly id: string
  readonly action:
    | 'customers.suspend'
    | 'customers.activate'
    | 'licenses.suspend'
    | 'licenses.resume'
    | 'licenses.revoke'
    | 'licenses.extend'
    | 'subscriptions.cancel'
  readonly status: 'RUNNING' | 'COMPLETED'
  readonly total: number
  readonly done: number
  readonly skipped: number
  readonly failed: number
  readonly reason: string | null
  readonly requestedBy: string
  readonly createdAt: string
  readonly completedAt: string | null
  readonly problems: readonly {
    readonly target: string
    readonly status: 'SKIPPED' | 'FAILED'
    readonly message: string
  }[]
}

export type FoundRecord = {
  readonly kind: 'customer' | 'subscription' | 'license' | 'instance'
  readonly id: string
}

export type LeaseReply = {
  readonly instance: {
    readonly id: string
    readonly licenseId: string
    readonly status: 'ACTIVE' | 'STALE' | 'DEACTIVATED'
    readonly version: string
    readonly os: string
    readonly arch: string
    readonly keyThumbprint: string
    readonly activatedAt: string
    readonly deactivatedAt: string | null
    readonly lastHeartbeatAt: string
    readonly nextHeartbeatDueAt: string | null
  }
  readonly lease: string
  readonly nextHeartbeatAt: string
  readonly licenseKey: string | null
  readonly serverTime: string
}

export type AuditEntry = {
  readonly position: number
  readonly at: string
  readonly actor: {
    readonly type: string
    readonly id: string
    readonly label: string | null
    readonly ip: string | null
  }
  readonly action: string
  readonly subject: {
    readonly type: string
    readonly id: string
  }
  readonly requestId: string
  readonly sentence: string
  readonly meta: { readonly [name: string]: Recursive1 }
}

export type Webhook = {
  readonly id: string
  readonly url: string
  readonly events: readonly string[]
  readonly ordering: 'subject' | 'none'
  readonly ed25519: boolean
  readonly publicKey: string | null
  readonly status: 'PENDING' | 'ACTIVE' | 'DISABLED'
  readonly disabledReason: 'STAFF' | 'GONE' | 'FAILING' | 'UNVERIFIED' | null
  readonly createdAt: string
  readonly verifiedAt: string | null
  readonly oldSecretUntil: string | null
  readonly failingSince: string | null
}

export type WebhookDelivery = {
  readonly id: string
  readonly webhookId: string
  readonly type: string
  readonly subject: {
    readonly type: string
    readonly id: string
  }
  readonly status: 'WAITING' | 'DELIVERED' | 'FAILED'
  readonly attempts: number
  readonly nextAttemptAt: string | null
  readonly createdAt: string
  readonly deliveredAt: string | null
  readonly tries: readonly {
    readonly at: string
    readonly status: number | null
    readonly error: string | null
    readonly ms: number
  }[]
  readonly payload: { readonly [name: string]: Recursive1 }
}

/** The permissions of each role. */
export const roles = {
  staff: {
    SUPERADMIN: [
      'customers:view',
      'customers:manage',
      'subscriptions:view',
      'subscriptions:manage',
      'licenses:view',
      'licenses:manage',
      'plans:view',
      'plans:manage',
      'features:view',
      'features:manage',
      'instances:view',
      'instances:manage',
      'payments:view',
      'payments:manage',
      'versions:manage',
      'staff:view',
      'staff:manage',
      'settings:view',
      'settings:manage',
      'audit:view',
    ],
    BILLING: ['payments:view', 'payments:manage', 'subscriptions:view', 'subscriptions:manage', 'customers:view'],
    SUPPORT: [
      'customers:view',
      'subscriptions:view',
      'licenses:view',
      'licenses:manage',
      'instances:view',
      'instances:manage',
    ],
    RELEASE: ['versions:manage'],
    AUDITOR: [
      'customers:view',
      'subscriptions:view',
      'licenses:view',
      'plans:view',
      'features:view',
      'instances:view',
      'payments:view',
      'staff:view',
      'settings:view',
      'audit:view',
    ],
  },
} as const

/** The permissions that a kind of credential can never hold. */
export const bans = {
  token: ['staff:view', 'staff:manage', 'settings:view', 'settings:manage', 'payments:manage', 'audit:view'],
} as const

/** The sections that show each kind of event. */
export const kinds = {
  'plan.created': ['plans'],
  'plan.changed': ['plans'],
  'plan.activated': ['plans'],
  'plan.deactivated': ['plans'],
  'feature.created': ['features'],
  'feature.changed': ['features'],
  'feature.removed': ['features'],
  'plan.features_offered': ['features'],
  'staff.added': ['staff'],
  'staff.password_changed': ['staff'],
  'staff.password_reset': ['staff'],
  'staff.password_rehashed': ['staff'],
  'staff.totp_set_up': ['staff'],
  'staff.totp_enabled': ['staff'],
  'staff.totp_disabled': ['staff'],
  'staff.totp_used': ['staff'],
  'staff.backup_code_used': ['staff'],
  'staff.link_made': ['staff'],
  'staff.renamed': ['staff'],
  'staff.roles_changed': ['staff'],
  'staff.totp_reset': ['staff'],
  'staff.removed': ['staff'],
  'staff.promoted': ['staff'],
  'staff.demoted': ['staff'],
  'staff_session.started': ['auth'],
  'staff_session.refreshed': ['auth'],
  'staff_session.password_proved': ['auth'],
  'staff_session.stepped_up': ['auth'],
  'staff_session.ended': ['auth'],
  'staff.login_failed': ['auth'],
  'machine_token.minted': ['machine-tokens'],
  'machine_token.revoked': ['machine-tokens'],
  'machine_token.rotated': ['machine-tokens'],
  'customer.registered': ['customers'],
  'customer.changed': ['customers'],
  'provisioning.completed': ['customers'],
  'customer.subscribed': ['customers'],
  'customer.suspended': ['customers'],
  'customer.activated': ['customers'],
  'customer.erased': ['customers'],
  'customer.exported': ['customers'],
  'subscription.created': ['subscriptions'],
  'subscription.cancelled': ['subscriptions'],
  'subscription.cancellation_scheduled': ['subscriptions'],
  'subscription.cancellation_withdrawn': ['subscriptions'],
  'subscription.paused': ['subscriptions'],
  'subscription.resumed': ['subscriptions'],
  'subscription.changed': ['subscriptions'],
  'subscription.change_scheduled': ['subscriptions'],
  'subscription.change_withdrawn': ['subscriptions'],
  'subscription.renewed': ['subscriptions'],
  'subscription.activated': ['subscriptions'],
  'subscription.payment_failed': ['subscriptions'],
  'subscription.recovered': ['subscriptions'],
  'subscription.unpaid': ['subscriptions'],
  'subscription.expired': ['subscriptions'],
  'license.issued': ['subscriptions', 'licenses', 'license-api'],
  'license.revoked': ['subscriptions', 'licenses', 'license-api'],
  'license.suspended': ['subscriptions', 'licenses'],
  'license.resumed': ['subscriptions', 'licenses'],
  'license.extended': ['subscriptions', 'licenses', 'license-api'],
  'license.reissued': ['subscriptions', 'licenses', 'license-api'],
  'license.resigned': ['subscriptions', 'licenses', 'license-api'],
  'license.entered_grace': ['subscriptions', 'licenses'],
  'license.expired': ['subscriptions', 'licenses'],
  'license.key_read': ['licenses'],
  'license.leased_offline': ['licenses', 'instances'],
  'payment.requested': ['payments'],
  'payment.checkout_opened': ['payments'],
  'payment.settled': ['payments'],
  'payment.recorded': ['payments'],
  'payment.invoiced': ['payments'],
  'payment.failed': ['payments'],
  'payment.sum_differed': ['payments'],
  'payment.cancelled': ['payments'],
  'payment.refund_requested': ['payments'],
  'payment.refunded': ['payments'],
  'payment.refund_failed': ['payments'],
  'payment.disputed': ['payments'],
  'payment.dispute_closed': ['payments'],
  'payment.noticed': ['payments'],
  'credit.granted': ['payments'],
  'credit.spent': ['payments'],
  'credit.returned': ['payments'],
  'subscription.billing_set': ['payments'],
  'invoice.numbered': ['payments'],
  'invoice.issued': ['payments'],
  'provisioning.replayed': ['provisioning'],
  'shop.link_requested': ['shop'],
  'shop.registration_repeated': ['shop'],
  'shop.password_set': ['shop'],
  'shop.password_changed': ['shop'],
  'shop.password_rehashed': ['shop'],
  'shop.totp_set_up': ['shop'],
  'shop.totp_enabled': ['shop'],
  'shop.totp_disabled': ['shop'],
  'shop.totp_used': ['shop'],
  'shop.backup_code_used': ['shop'],
  'shop.login_failed': ['shop'],
  'shop_session.started': ['shop'],
  'shop_session.refreshed': ['shop'],
  'shop_session.password_proved': ['shop'],
  'shop_session.stepped_up': ['shop'],
  'shop_session.ended': ['shop'],
  'signing_key.created': ['signing-keys'],
  'signing_key.promoted': ['signing-keys'],
  'signing_key.retired': ['signing-keys'],
  'signing_key.compromised': ['signing-keys', 'license-api'],
  'root_key.created': ['signing-keys'],
  'root_key.adopted': ['signing-keys'],
  'manifest.signed': ['signing-keys'],
  'version.created': ['versions'],
  'version.artifact_added': ['versions'],
  'version.published': ['versions'],
  'version.yanked': ['versions'],
  'setting.changed': ['settings'],
  'announcement.created': ['announcements'],
  'announcement.changed': ['announcements'],
  'announcement.deleted': ['announcements'],
  'bulk.requested': ['bulk'],
  'bulk.completed': ['bulk'],
  'export.made': ['exports'],
  'instance.activated': ['instances'],
  'instance.deactivated': ['instances'],
  'instance.reactivated': ['instances'],
  'instance.rebound': ['instances'],
  'instance.changed': ['instances'],
  'instance.fingerprint_changed': ['instances'],
  'instance.marked_stale': ['instances'],
  'instance.returned': ['instances'],
  'instance.flagged': ['instances'],
  'slots.released': ['instances'],
  'webhook.created': ['webhooks'],
  'webhook.changed': ['webhooks'],
  'webhook.secret_rotated': ['webhooks'],
  'webhook.verified': ['webhooks'],
  'webhook.disabled': ['webhooks'],
  'webhook.enabled': ['webhooks'],
  'webhook.deleted': ['webhooks'],
  'webhook.pinged': ['webhooks'],
  'webhook.delivery_repeated': ['webhooks'],
} as const

/** List plans. `q` finds a part of the slug or the name. */
export const getAdminPlans = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly active?: 'true' | 'false' | undefined
        readonly slug?: string | undefined
        readonly q?: string | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'createdAt' | '-createdAt' | 'slug' | '-slug' | 'name' | '-name' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly Plan[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly Plan[]
        readonly nextCursor: string | null
      }
}>('GET /api/admin/plans', {
  openTo: ['staff', 'token'],
  permission: 'plans:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      active: { enum: ['true', 'false'], type: 'string' },
      slug: { type: 'string', maxLength: 64, pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      q: { type: 'string', minLength: 1, maxLength: 100 },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: {
        default: '-createdAt',
        type: 'string',
        enum: ['createdAt', '-createdAt', 'slug', '-slug', 'name', '-name'],
      },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Create a plan. Only slug and name are required; the slug never changes. A cycle without a price is not offered. */
export const postAdminPlans = /*#__PURE__*/ operation<{
  readonly body: {
    readonly slug: string
    readonly active?: boolean | undefined
    readonly name: string
    readonly currency?: string | undefined
    /** Without a price, the monthly cycle is not offered. */
    readonly priceMonthly?: number | null | undefined
    /** Without a price, the yearly cycle is not offered. */
    readonly priceYearly?: number | null | undefined
    /** Costs nothing in either cycle. Cannot be combined with a price. */
    readonly free?: boolean | undefined
    /** Offered in the shop while the plan is active. */
    readonly public?: boolean | undefined
    readonly trialDays?: number | undefined
    readonly maxActivations?: number | undefined
    readonly maxSeats?: number | null | undefined
    readonly graceDays?: number | undefined
    readonly offlineDays?: number | undefined
    readonly heartbeatSeconds?: number | undefined
    readonly reclaimStaleAfterDays?: number | undefined
    readonly features?:
      | readonly {
          readonly key: string
          readonly value: boolean | number | string
          readonly validFrom?: string | undefined
          readonly validTo?: string | undefined
        }[]
      | undefined
  }
  readonly key?: string | undefined
  readonly data: Plan
}>('POST /api/admin/plans', {
  openTo: ['staff', 'token'],
  permission: 'plans:manage',
  body: {
    type: 'object',
    properties: {
      slug: { type: 'string', maxLength: 64, pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      active: { default: true, type: 'boolean' },
      name: { type: 'string', minLength: 1, maxLength: 100 },
      currency: { default: 'EUR', type: 'string', pattern: '^[A-Z]{3}$' },
      priceMonthly: {
        default: null,
        description: 'Without a price, the monthly cycle is not offered.',
        anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }],
        unit: 'minor',
      },
      priceYearly: {
        default: null,
        description: 'Without a price, the yearly cycle is not offered.',
        anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }],
        unit: 'minor',
      },
      free: {
        default: false,
        description: 'Costs nothing in either cycle. Cannot be combined with a price.',
        type: 'boolean',
      },
      public: { default: false, description: 'Offered in the shop while the plan is active.', type: 'boolean' },
      trialDays: { default: 0, type: 'integer', minimum: 0, maximum: 3650 },
      maxActivations: { default: 1, type: 'integer', minimum: 1, maximum: 1000000 },
      maxSeats: { default: null, anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
      graceDays: { default: 14, type: 'integer', minimum: 0, maximum: 3650 },
      offlineDays: { default: 14, type: 'integer', minimum: 1, maximum: 3650 },
      heartbeatSeconds: { default: 14400, type: 'integer', minimum: 60, maximum: 604800 },
      reclaimStaleAfterDays: { default: 0, type: 'integer', minimum: 0, maximum: 3650 },
      features: {
        default: [],
        maxItems: 200,
        type: 'array',
        items: {
          type: 'object',
          properties: {
            key: { type: 'string', pattern: '^[a-z][a-z0-9_.-]{0,63}$' },
            value: { anyOf: [{ type: 'boolean' }, { type: 'integer' }, { type: 'string', maxLength: 200 }] },
            validFrom: { type: 'string', format: 'date-time' },
            validTo: { type: 'string', format: 'date-time' },
          },
          required: ['key', 'value'],
          additionalProperties: false,
        },
      },
    },
    required: ['slug', 'name'],
    additionalProperties: false,
  },
})

/** Read a plan. */
export const getAdminPlansById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: Plan
}>('GET /api/admin/plans/{id}', { openTo: ['staff', 'token'], permission: 'plans:view' })

/** Change a plan. Changed prices, free or features make a new version; existing subscriptions keep theirs. */
export const patchAdminPlansById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly name?: string | undefined
    readonly currency?: string | undefined
    /** In minor units. */
    readonly priceMonthly?: number | null | undefined
    /** In minor units. */
    readonly priceYearly?: number | null | undefined
    readonly free?: boolean | undefined
    readonly public?: boolean | undefined
    readonly trialDays?: number | undefined
    readonly maxActivations?: number | undefined
    readonly maxSeats?: number | null | undefined
    readonly graceDays?: number | undefined
    readonly offlineDays?: number | undefined
    readonly heartbeatSeconds?: number | undefined
    readonly reclaimStaleAfterDays?: number | undefined
    readonly features?:
      | readonly {
          readonly key: string
          readonly value: boolean | number | string
          readonly validFrom?: string | undefined
          readonly validTo?: string | undefined
        }[]
      | undefined
  }
  readonly key?: string | undefined
  readonly data: Plan
}>('PATCH /api/admin/plans/{id}', {
  openTo: ['staff', 'token'],
  permission: 'plans:manage',
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      currency: { type: 'string', pattern: '^[A-Z]{3}$' },
      priceMonthly: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], unit: 'minor' },
      priceYearly: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], unit: 'minor' },
      free: { type: 'boolean' },
      public: { type: 'boolean' },
      trialDays: { type: 'integer', minimum: 0, maximum: 3650 },
      maxActivations: { type: 'integer', minimum: 1, maximum: 1000000 },
      maxSeats: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
      graceDays: { type: 'integer', minimum: 0, maximum: 3650 },
      offlineDays: { type: 'integer', minimum: 1, maximum: 3650 },
      heartbeatSeconds: { type: 'integer', minimum: 60, maximum: 604800 },
      reclaimStaleAfterDays: { type: 'integer', minimum: 0, maximum: 3650 },
      features: {
        maxItems: 200,
        type: 'array',
        items: {
          type: 'object',
          properties: {
            key: { type: 'string', pattern: '^[a-z][a-z0-9_.-]{0,63}$' },
            value: { anyOf: [{ type: 'boolean' }, { type: 'integer' }, { type: 'string', maxLength: 200 }] },
            validFrom: { type: 'string', format: 'date-time' },
            validTo: { type: 'string', format: 'date-time' },
          },
          required: ['key', 'value'],
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  },
})

/** Open a plan for new subscriptions. */
export const postAdminPlansByIdActivate = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: Plan
}>('POST /api/admin/plans/{id}/activate', { openTo: ['staff', 'token'], permission: 'plans:manage' })

/** Close a plan for new subscriptions and licenses. Existing ones stay valid. */
export const postAdminPlansByIdDeactivate = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: Plan
}>('POST /api/admin/plans/{id}/deactivate', { openTo: ['staff', 'token'], permission: 'plans:manage' })

/** Copy the terms of a plan to a new plan with its own slug. The copy is closed and not public. */
export const postAdminPlansByIdClone = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly slug: string
    readonly name?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: Plan
}>('POST /api/admin/plans/{id}/clone', {
  openTo: ['staff', 'token'],
  permission: 'plans:manage',
  body: {
    type: 'object',
    properties: {
      slug: { type: 'string', maxLength: 64, pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      name: { type: 'string', minLength: 1, maxLength: 100 },
    },
    required: ['slug'],
    additionalProperties: false,
  },
})

/** List features. `q` finds a part of the key or the name. */
export const getAdminFeatures = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly key?: string | undefined
        readonly type?: 'BOOLEAN' | 'INTEGER' | 'STRING' | undefined
        readonly archived?: 'true' | 'false' | undefined
        readonly q?: string | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'createdAt' | '-createdAt' | 'key' | '-key' | 'name' | '-name' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly Feature[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly Feature[]
        readonly nextCursor: string | null
      }
}>('GET /api/admin/features', {
  openTo: ['staff', 'token'],
  permission: 'features:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      key: { type: 'string', pattern: '^[a-z][a-z0-9_.-]{0,63}$' },
      type: { type: 'string', enum: ['BOOLEAN', 'INTEGER', 'STRING'] },
      archived: { enum: ['true', 'false'], type: 'string' },
      q: { type: 'string', minLength: 1, maxLength: 100 },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: {
        default: '-createdAt',
        type: 'string',
        enum: ['createdAt', '-createdAt', 'key', '-key', 'name', '-name'],
      },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Declare a feature. Every plan’s value must have its type; key and type never change. Plans may still use undeclared features. */
export const postAdminFeatures = /*#__PURE__*/ operation<{
  readonly body: {
    readonly key: string
    readonly name: string
    readonly type?: 'BOOLEAN' | 'INTEGER' | 'STRING' | undefined
  }
  readonly key?: string | undefined
  readonly data: Feature
}>('POST /api/admin/features', {
  openTo: ['staff', 'token'],
  permission: 'features:manage',
  body: {
    type: 'object',
    properties: {
      key: { type: 'string', pattern: '^[a-z][a-z0-9_.-]{0,63}$' },
      name: { type: 'string', minLength: 1, maxLength: 100 },
      type: { default: 'BOOLEAN', type: 'string', enum: ['BOOLEAN', 'INTEGER', 'STRING'] },
    },
    required: ['key', 'name'],
    additionalProperties: false,
  },
})

/** Read a feature. */
export const getAdminFeaturesById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: Feature
}>('GET /api/admin/features/{id}', { openTo: ['staff', 'token'], permission: 'features:view' })

/** Rename or archive a feature. Plans that have an archived feature keep it; no other plan can add it. */
export const patchAdminFeaturesById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly name?: string | undefined
    readonly archived?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly data: Feature
}>('PATCH /api/admin/features/{id}', {
  openTo: ['staff', 'token'],
  permission: 'features:manage',
  body: {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1, maxLength: 100 }, archived: { type: 'boolean' } },
    additionalProperties: false,
  },
})

/** Remove a feature that no plan has, open or closed. */
export const deleteAdminFeaturesById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/features/{id}', { openTo: ['staff', 'token'], permission: 'features:manage' })

/** List the staff. `q` finds an id or a whole e-mail address in any spelling; addresses and names are encrypted. */
export const getAdminStaff = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly status?: 'INVITED' | 'ACTIVE' | undefined
        readonly role?: 'SUPERADMIN' | 'BILLING' | 'SUPPORT' | 'RELEASE' | 'AUDITOR' | undefined
        readonly q?: string | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'createdAt' | '-createdAt' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly Staff[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly Staff[]
        readonly nextCursor: string | null
      }
}>('GET /api/admin/staff', {
  openTo: ['staff'],
  permission: 'staff:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['INVITED', 'ACTIVE'] },
      role: { type: 'string', enum: ['SUPERADMIN', 'BILLING', 'SUPPORT', 'RELEASE', 'AUDITOR'] },
      q: { type: 'string', minLength: 1, maxLength: 320 },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Add a member of staff. A one-time link to set a password is mailed, or returned once if mail is not configured. */
export const postAdminStaff = /*#__PURE__*/ operation<{
  readonly body: {
    readonly email: string
    readonly name: string
    readonly roles: readonly ('SUPERADMIN' | 'BILLING' | 'SUPPORT' | 'RELEASE' | 'AUDITOR')[]
  }
  readonly key?: string | undefined
  readonly data: {
    readonly staff: Staff
    readonly link: string | null
  }
}>('POST /api/admin/staff', {
  openTo: ['staff'],
  permission: 'staff:manage',
  stepUp: true,
  shownOnce: ['link'],
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', maxLength: 254, format: 'email' },
      name: { type: 'string', minLength: 1, maxLength: 100 },
      roles: {
        minItems: 1,
        maxItems: 5,
        type: 'array',
        items: { type: 'string', enum: ['SUPERADMIN', 'BILLING', 'SUPPORT', 'RELEASE', 'AUDITOR'] },
      },
    },
    required: ['email', 'name', 'roles'],
    additionalProperties: false,
  },
})

/** Rename a member of staff or change the roles. Effective on the next request. One active SUPERADMIN must remain. */
export const patchAdminStaffById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly name?: string | undefined
    readonly roles?: readonly ('SUPERADMIN' | 'BILLING' | 'SUPPORT' | 'RELEASE' | 'AUDITOR')[] | undefined
  }
  readonly key?: string | undefined
  readonly data: Staff
}>('PATCH /api/admin/staff/{id}', {
  openTo: ['staff'],
  permission: 'staff:manage',
  stepUp: true,
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      roles: {
        minItems: 1,
        maxItems: 5,
        type: 'array',
        items: { type: 'string', enum: ['SUPERADMIN', 'BILLING', 'SUPPORT', 'RELEASE', 'AUDITOR'] },
      },
    },
    additionalProperties: false,
  },
})

/** Remove a member of staff and end all sessions. The audit trail is kept. The last active SUPERADMIN cannot be removed. */
export const deleteAdminStaffById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/staff/{id}', { openTo: ['staff'], permission: 'staff:manage', stepUp: true })

/** Remove the second factor of a member of staff who has lost it. All sessions of the account end; the password stays. */
export const postAdminStaffByIdReset2fa = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: Staff
}>('POST /api/admin/staff/{id}/reset-2fa', { openTo: ['staff'], permission: 'staff:manage', stepUp: true })

/** Sign in. `totp` takes six digits or a backup code. Sets the refresh token as a cookie; 401 with TOTP_REQUIRED asks for the code. */
export const postAdminAuthLogin = /*#__PURE__*/ operation<{
  readonly body: {
    readonly email: string
    readonly password: string
    readonly totp?: string | undefined
  }
  readonly data: {
    readonly accessToken: string
    readonly user: StaffProfile
  }
}>('POST /api/admin/auth/login', {
  openTo: [],
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', minLength: 1, maxLength: 320 },
      password: { type: 'string', minLength: 1, maxLength: 1024 },
      totp: { type: 'string', maxLength: 64 },
    },
    required: ['email', 'password'],
    additionalProperties: false,
  },
})

/** Exchange the refresh cookie for a new one and an access token. Send `{}` from the same origin. A reused token ends the session. */
export const postAdminAuthRefresh = /*#__PURE__*/ operation<{
  readonly body: {}
  readonly data: {
    readonly accessToken: string
    readonly user: StaffProfile
  }
}>('POST /api/admin/auth/refresh', {
  openTo: [],
  body: { type: 'object', properties: {}, additionalProperties: false },
})

/** End this session. Send `{}` with the session or, after it expired, with only the refresh cookie. */
export const postAdminAuthLogout = /*#__PURE__*/ operation<{
  readonly body: {}
  readonly data: undefined
}>('POST /api/admin/auth/logout', { openTo: [], body: { type: 'object', properties: {}, additionalProperties: false } })

/** Change my password. All my other sessions end. */
export const postAdminAuthPassword = /*#__PURE__*/ operation<{
  readonly body: {
    readonly current: string
    /** A passphrase that is hard to guess, of at least 15 characters, or 8 beside a second factor. Characters count after normalisation to NFKC. */
    readonly new: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/admin/auth/password', {
  openTo: ['staff'],
  body: {
    type: 'object',
    properties: {
      current: { type: 'string', minLength: 1, maxLength: 1024 },
      new: {
        type: 'string',
        minLength: 8,
        maxLength: 256,
        description:
          'A passphrase that is hard to guess, of at least 15 characters, or 8 beside a second factor. Characters count after normalisation to NFKC.',
      },
    },
    required: ['current', 'new'],
    additionalProperties: false,
  },
})

/** Read my account and my permissions. */
export const getAdminAuthMe = /*#__PURE__*/ operation<{
  readonly data: StaffProfile
}>('GET /api/admin/auth/me', { openTo: ['staff'] })

/** Set a password by a one-time link. All sessions of the account end; the second factor stays. */
export const postAdminAuthSetPassword = /*#__PURE__*/ operation<{
  readonly body: {
    readonly token: string
    /** A passphrase that is hard to guess, of at least 15 characters, or 8 beside a second factor. Characters count after normalisation to NFKC. */
    readonly password: string
  }
  readonly data: undefined
}>('POST /api/admin/auth/set-password', {
  openTo: [],
  body: {
    type: 'object',
    properties: {
      token: { type: 'string', maxLength: 128 },
      password: {
        type: 'string',
        minLength: 8,
        maxLength: 256,
        description:
          'A passphrase that is hard to guess, of at least 15 characters, or 8 beside a second factor. Characters count after normalisation to NFKC.',
      },
    },
    required: ['token', 'password'],
    additionalProperties: false,
  },
})

/** Prove my identity again for five minutes: by a code if a second factor is enabled, by the password otherwise. */
export const postAdminAuthStepUp = /*#__PURE__*/ operation<{
  readonly body:
    | {
        readonly code: string
      }
    | {
        readonly password: string
      }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/admin/auth/step-up', {
  openTo: ['staff'],
  body: {
    anyOf: [
      {
        type: 'object',
        properties: { code: { type: 'string', maxLength: 64 } },
        required: ['code'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: { password: { type: 'string', minLength: 1, maxLength: 1024 } },
        required: ['password'],
        additionalProperties: false,
      },
    ],
  },
})

/** Start to set up a second factor. Needs the password. Only this session can enable the secret, within ten minutes. */
export const postAdminAuth2faSetup = /*#__PURE__*/ operation<{
  readonly body: {
    readonly password: string
  }
  readonly key?: string | undefined
  readonly data: {
    readonly secret: string
    readonly otpauthUrl: string
  }
}>('POST /api/admin/auth/2fa/setup', {
  openTo: ['staff'],
  shownOnce: ['secret', 'otpauthUrl'],
  body: {
    type: 'object',
    properties: { password: { type: 'string', minLength: 1, maxLength: 1024 } },
    required: ['password'],
    additionalProperties: false,
  },
})

/** Enable the second factor by the password and a first code. Returns ten backup codes once and ends the other sessions. */
export const postAdminAuth2faEnable = /*#__PURE__*/ operation<{
  readonly body: {
    readonly password: string
    readonly code: string
  }
  readonly key?: string | undefined
  readonly data: {
    readonly backupCodes: readonly string[]
  }
}>('POST /api/admin/auth/2fa/enable', {
  openTo: ['staff'],
  shownOnce: ['backupCodes'],
  body: {
    type: 'object',
    properties: {
      password: { type: 'string', minLength: 1, maxLength: 1024 },
      code: { type: 'string', maxLength: 64 },
    },
    required: ['password', 'code'],
    additionalProperties: false,
  },
})

/** Disable the second factor by the password, which must satisfy the policy without it, and a new code. Ends other sessions. */
export const postAdminAuth2faDisable = /*#__PURE__*/ operation<{
  readonly body: {
    readonly password: string
    readonly code: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/admin/auth/2fa/disable', {
  openTo: ['staff'],
  body: {
    type: 'object',
    properties: {
      password: { type: 'string', minLength: 1, maxLength: 1024 },
      code: { type: 'string', maxLength: 64 },
    },
    required: ['password', 'code'],
    additionalProperties: false,
  },
})

/** List my sessions. */
export const getAdminAuthSessions = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'createdAt' | '-createdAt' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly Session[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly Session[]
        readonly nextCursor: string | null
      }
}>('GET /api/admin/auth/sessions', {
  openTo: ['staff'],
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** End all my sessions except this one. */
export const deleteAdminAuthSessions = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/auth/sessions', { openTo: ['staff'] })

/** End one of my sessions; it may be this one. */
export const deleteAdminAuthSessionsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/auth/sessions/{id}', { openTo: ['staff'] })

/** List machine tokens, including revoked and expired ones. Last use is a sign of life, not an access log. */
export const getAdminMachineTokens = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly status?: 'ACTIVE' | 'REVOKED' | 'EXPIRED' | undefined
        readonly q?: string | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'createdAt' | '-createdAt' | 'name' | '-name' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly MachineToken[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly MachineToken[]
        readonly nextCursor: string | null
      }
}>('GET /api/admin/machine-tokens', {
  openTo: ['staff'],
  permission: 'settings:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['ACTIVE', 'REVOKED', 'EXPIRED'] },
      q: { type: 'string', minLength: 1, maxLength: 100 },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt', 'name', '-name'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Mint a machine token. Its secret is returned only in this reply. Unknown and forbidden permissions are dropped. */
export const postAdminMachineTokens = /*#__PURE__*/ operation<{
  readonly body: {
    readonly name: string
    /** What a token can never hold, and unknown permissions, are left out. At least one must remain. */
    readonly permissions: readonly string[]
    /** Where the credential may be used. An empty list allows every address. Every address together is refused. */
    readonly allowedIps?: readonly string[] | undefined
    readonly expiresAt?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    readonly token: MachineToken
    readonly secret: string
  }
}>('POST /api/admin/machine-tokens', {
  openTo: ['staff'],
  permission: 'settings:manage',
  stepUp: true,
  shownOnce: ['secret'],
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      permissions: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        description: 'What a token can never hold, and unknown permissions, are left out. At least one must remain.',
      },
      allowedIps: {
        default: [],
        description:
          'Where the credential may be used. An empty list allows every address. Every address together is refused.',
        type: 'array',
        items: {
          type: 'string',
          description: 'An IPv4 or IPv6 address or a CIDR range.',
          pattern: '^([0-9A-Fa-f.:]{2,45})(?:\\/(0|[1-9]\\d{0,2}))?$',
        },
        maxItems: 100,
      },
      expiresAt: { default: null, anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
    },
    required: ['name', 'permissions'],
    additionalProperties: false,
  },
})

/** Read a machine token. Its secret is never returned. */
export const getAdminMachineTokensById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: MachineToken
}>('GET /api/admin/machine-tokens/{id}', { openTo: ['staff'], permission: 'settings:view' })

/** Revoke a machine token. It is refused from the next request on. A revoked or expired token stays unchanged. */
export const postAdminMachineTokensByIdRevoke = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: MachineToken
}>('POST /api/admin/machine-tokens/{id}/revoke', { openTo: ['staff'], permission: 'settings:manage' })

/** Mint a successor with the same permissions, addresses and lifetime. The old secret ends at once or after overlapMinutes. */
export const postAdminMachineTokensByIdRotate = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body?:
    | {
        readonly overlapMinutes?: number | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: {
    readonly token: MachineToken
    readonly secret: string
  }
}>('POST /api/admin/machine-tokens/{id}/rotate', {
  openTo: ['staff'],
  permission: 'settings:manage',
  stepUp: true,
  shownOnce: ['secret'],
  body: {
    default: {},
    type: 'object',
    properties: { overlapMinutes: { default: 0, type: 'integer', minimum: 0, maximum: 1440 } },
    additionalProperties: false,
  },
})

/** List customers. `q` finds an id or a whole e-mail address in any spelling; parts cannot be searched, because addresses are encrypted. */
export const getAdminCustomers = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly status?: 'ACTIVE' | 'SUSPENDED' | 'ERASED' | undefined
        readonly q?: string | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'createdAt' | '-createdAt' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly Customer[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly Customer[]
        readonly nextCursor: string | null
      }
}>('GET /api/admin/customers', {
  openTo: ['staff', 'token'],
  permission: 'customers:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['ACTIVE', 'SUSPENDED', 'ERASED'] },
      q: { type: 'string', maxLength: 320 },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Create a customer. No other customer may have the address, in any spelling. */
export const postAdminCustomers = /*#__PURE__*/ operation<{
  readonly body: {
    readonly email: string
    readonly name?: string | null | undefined
    readonly company?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly data: Customer
}>('POST /api/admin/customers', {
  openTo: ['staff', 'token'],
  permission: 'customers:manage',
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', maxLength: 254, format: 'email' },
      name: { default: null, anyOf: [{ type: 'string', minLength: 1, maxLength: 200 }, { type: 'null' }] },
      company: { default: null, anyOf: [{ type: 'string', minLength: 1, maxLength: 200 }, { type: 'null' }] },
    },
    required: ['email'],
    additionalProperties: false,
  },
})

/** Read a customer, with the number of subscriptions and of licenses in effect. */
export const getAdminCustomersById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: {
    readonly id: string
    readonly email: string
    readonly name: string | null
    readonly company: string | null
    readonly status: 'ACTIVE' | 'SUSPENDED' | 'ERASED'
    readonly createdAt: string
    readonly counts: {
      readonly subscriptions: number
      readonly activeLicenses: number
    }
  }
}>('GET /api/admin/customers/{id}', { openTo: ['staff', 'token'], permission: 'customers:view' })

/** Change the name or company of an active customer; null removes the value. */
export const patchAdminCustomersById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly name?: string | null | undefined
    readonly company?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly data: Customer
}>('PATCH /api/admin/customers/{id}', {
  openTo: ['staff', 'token'],
  permission: 'customers:manage',
  body: {
    type: 'object',
    properties: {
      name: { anyOf: [{ type: 'string', minLength: 1, maxLength: 200 }, { type: 'null' }] },
      company: { anyOf: [{ type: 'string', minLength: 1, maxLength: 200 }, { type: 'null' }] },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give name or company.',
  },
})

/** Suspend a customer or activate one again. While suspended, no license is valid and no sale is possible. */
export const patchAdminCustomersByIdStatus = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly status: 'ACTIVE' | 'SUSPENDED'
    readonly reason?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly data: Customer
}>('PATCH /api/admin/customers/{id}/status', {
  openTo: ['staff', 'token'],
  permission: 'customers:manage',
  body: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['ACTIVE', 'SUSPENDED'] },
      reason: { default: null, anyOf: [{ type: 'string', minLength: 1, maxLength: 500 }, { type: 'null' }] },
    },
    required: ['status'],
    additionalProperties: false,
  },
})

/** Mail a customer a one-time link to set a password, also a first one. The link is valid for ten minutes. */
export const postAdminCustomersByIdResetPassword = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/admin/customers/{id}/reset-password', { openTo: ['staff', 'token'], permission: 'customers:manage' })

/** Erase a customer: end subscriptions and licenses, destroy the data key. `confirmEmail` is the address. Repeating changes nothing. */
export const postAdminCustomersByIdErase = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly confirmEmail: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/admin/customers/{id}/erase', {
  openTo: ['staff'],
  permission: 'customers:manage',
  stepUp: true,
  body: {
    type: 'object',
    properties: { confirmEmail: { type: 'string', minLength: 1, maxLength: 320 } },
    required: ['confirmEmail'],
    additionalProperties: false,
  },
})

/** Export everything stored about a customer, related audit entries included. The export is recorded before it is returned. */
export const getAdminCustomersByIdExport = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: {
    readonly exportedAt: string
    readonly customer: Customer
    readonly subscriptions: readonly Subscription[]
    readonly licenses: readonly License[]
    readonly instances: readonly Instance[]
    readonly payments: readonly Payment[]
    readonly invoices: readonly Invoice[]
    readonly audit: readonly {
      readonly position: number
      readonly at: string
      readonly actor: {
        readonly type: string
        readonly id: string
      }
      readonly action: string
      readonly subject: {
        readonly type: string
        readonly id: string
      }
      readonly sentence: string
      readonly meta: { readonly [name: string]: Recursive1 }
    }[]
    readonly auditTotal: number
  }
}>('GET /api/admin/customers/{id}/export', { openTo: ['staff'], permission: 'customers:manage' })

/** List the events of a customer, newest first. Those of subscriptions, licenses and payments are not among them. */
export const getAdminCustomersByIdHistory = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly query?:
    | {
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'position' | '-position' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly HistoryEntry[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly HistoryEntry[]
        readonly nextCursor: string | null
      }
}>('GET /api/admin/customers/{id}/history', {
  openTo: ['staff'],
  permission: 'customers:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-position', type: 'string', enum: ['position', '-position'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Grant a customer credit, in minor units. It pays the customer’s next charges in that currency. */
export const postAdminCustomersByIdCredits = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    /** In minor units. */
    readonly amount: number
    readonly currency?: string | undefined
    readonly reason: string
  }
  readonly key?: string | undefined
  readonly data: PaymentEntry
}>('POST /api/admin/customers/{id}/credits', {
  openTo: ['staff'],
  permission: 'payments:manage',
  stepUp: true,
  body: {
    type: 'object',
    properties: {
      amount: { type: 'integer', unit: 'minor', minimum: 1, maximum: 1000000000000 },
      currency: { default: 'EUR', type: 'string', pattern: '^[A-Z]{3}$' },
      reason: { type: 'string', minLength: 1, maxLength: 500 },
    },
    required: ['amount', 'reason'],
    additionalProperties: false,
  },
})

/** Create a subscription for a customer. It gets a license at once unless issueLicense is false. */
export const postAdminSubscriptions = /*#__PURE__*/ operation<{
  readonly body: {
    readonly customerId: string
    readonly planSlug: string
    readonly seats?: number | undefined
    readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
    readonly status?: 'ACTIVE' | 'TRIALING' | undefined
    /** In the future, at most ten years ahead; one billing cycle from now if absent. */
    readonly currentPeriodEnd?: string | undefined
    readonly issueLicense?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly data: Subscription
}>('POST /api/admin/subscriptions', {
  openTo: ['staff', 'token'],
  permission: 'subscriptions:manage',
  body: {
    type: 'object',
    properties: {
      customerId: { type: 'string', format: 'uuid', 'x-names': 'customers' },
      planSlug: { type: 'string', maxLength: 64, 'x-names': 'plans', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      seats: { default: 1, type: 'integer', minimum: 1, maximum: 1000000 },
      billingCycle: { default: 'YEARLY', type: 'string', enum: ['MONTHLY', 'YEARLY'] },
      status: { default: 'ACTIVE', type: 'string', enum: ['ACTIVE', 'TRIALING'] },
      currentPeriodEnd: {
        description: 'In the future, at most ten years ahead; one billing cycle from now if absent.',
        type: 'string',
        format: 'date-time',
      },
      issueLicense: { default: true, type: 'boolean' },
    },
    required: ['customerId', 'planSlug'],
    additionalProperties: false,
  },
})

/** List subscriptions. `reference` finds the subscription of a provisioning call; it must match in full, with the same case. */
export const getAdminSubscriptions = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly customerId?: string | undefined
        readonly status?:
          | 'INCOMPLETE'
          | 'TRIALING'
          | 'ACTIVE'
          | 'PAST_DUE'
          | 'UNPAID'
          | 'PAUSED'
          | 'CANCELLED'
          | 'EXPIRED'
          | undefined
        readonly planSlug?: string | undefined
        readonly reference?: string | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'createdAt' | '-createdAt' | 'currentPeriodEnd' | '-currentPeriodEnd' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly Subscription[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly Subscription[]
        readonly nextCursor: string | null
      }
}>('GET /api/admin/subscriptions', {
  openTo: ['staff', 'token'],
  permission: 'subscriptions:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      customerId: { type: 'string', format: 'uuid', 'x-names': 'customers' },
      status: {
        type: 'string',
        enum: ['INCOMPLETE', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'UNPAID', 'PAUSED', 'CANCELLED', 'EXPIRED'],
      },
      planSlug: { type: 'string', maxLength: 64, 'x-names': 'plans' },
      reference: { type: 'string', maxLength: 200 },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: {
        default: '-createdAt',
        type: 'string',
        enum: ['createdAt', '-createdAt', 'currentPeriodEnd', '-currentPeriodEnd'],
      },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Change plan, seats or billing cycle, now or at the end of the period. A previewToken keeps the previewed price. */
export const patchAdminSubscriptionsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly planSlug?: string | undefined
    readonly seats?: number | undefined
    readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
    readonly effective?: 'now' | 'period_end' | undefined
    /** prorate: the difference for the rest of the period is added to the next invoice; invoice: it is due at once; none: it is neither charged nor credited. */
    readonly proration?: 'prorate' | 'invoice' | 'none' | undefined
    readonly previewToken?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: Subscription
}>('PATCH /api/admin/subscriptions/{id}', {
  openTo: ['staff', 'token'],
  permission: 'subscriptions:manage',
  body: {
    type: 'object',
    properties: {
      planSlug: { type: 'string', maxLength: 64, 'x-names': 'plans', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      seats: { type: 'integer', minimum: 1, maximum: 1000000 },
      billingCycle: { type: 'string', enum: ['MONTHLY', 'YEARLY'] },
      effective: { default: 'now', type: 'string', enum: ['now', 'period_end'] },
      proration: {
        default: 'prorate',
        description:
          'prorate: the difference for the rest of the period is added to the next invoice; invoice: it is due at once; none: it is neither charged nor credited.',
        type: 'string',
        enum: ['prorate', 'invoice', 'none'],
      },
      previewToken: { type: 'string', maxLength: 2000 },
    },
    additionalProperties: false,
    allOf: [{ anyOf: [{ required: ['planSlug'] }, { required: ['seats'] }, { required: ['billingCycle'] }] }],
    description: 'Must name planSlug, seats or billingCycle.',
  },
})

/** Read a subscription. */
export const getAdminSubscriptionsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: Subscription
}>('GET /api/admin/subscriptions/{id}', { openTo: ['staff', 'token'], permission: 'subscriptions:view' })

/** Preview a change: terms, money and license. Nothing is recorded. Its previewToken keeps the price for ten minutes. */
export const postAdminSubscriptionsByIdChangePreview = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly planSlug?: string | undefined
    readonly seats?: number | undefined
    readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
    readonly effective?: 'now' | 'period_end' | undefined
    /** prorate: the difference for the rest of the period is added to the next invoice; invoice: it is due at once; none: it is neither charged nor credited. */
    readonly proration?: 'prorate' | 'invoice' | 'none' | undefined
  }
  readonly key?: string | undefined
  readonly data: SubscriptionPreview
}>('POST /api/admin/subscriptions/{id}/change-preview', {
  openTo: ['staff', 'token'],
  permission: 'subscriptions:view',
  body: {
    type: 'object',
    properties: {
      planSlug: { type: 'string', maxLength: 64, 'x-names': 'plans', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      seats: { type: 'integer', minimum: 1, maximum: 1000000 },
      billingCycle: { type: 'string', enum: ['MONTHLY', 'YEARLY'] },
      effective: { default: 'now', type: 'string', enum: ['now', 'period_end'] },
      proration: {
        default: 'prorate',
        description:
          'prorate: the difference for the rest of the period is added to the next invoice; invoice: it is due at once; none: it is neither charged nor credited.',
        type: 'string',
        enum: ['prorate', 'invoice', 'none'],
      },
    },
    additionalProperties: false,
    allOf: [{ anyOf: [{ required: ['planSlug'] }, { required: ['seats'] }, { required: ['billingCycle'] }] }],
    description: 'Must name planSlug, seats or billingCycle.',
  },
})

/** Cancel now, which revokes the license, or at the end of the period, without grace. With dryRun=true nothing is recorded. */
export const postAdminSubscriptionsByIdCancel = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly query?:
    | {
        readonly dryRun?: 'true' | 'false' | undefined
      }
    | undefined
  readonly body: {
    readonly mode: 'now' | 'period_end'
    /** Stored in plain text in the audit trail. Do not put personal data in it. */
    readonly reason?: string | undefined
    /** The customer’s own words; erased with the customer. */
    readonly comment?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: Subscription
}>('POST /api/admin/subscriptions/{id}/cancel', {
  openTo: ['staff', 'token'],
  permission: 'subscriptions:manage',
  query: { type: 'object', properties: { dryRun: { enum: ['true', 'false'], type: 'string' } }, required: [] },
  body: {
    type: 'object',
    properties: {
      mode: { type: 'string', enum: ['now', 'period_end'] },
      reason: {
        type: 'string',
        minLength: 1,
        maxLength: 500,
        description: 'Stored in plain text in the audit trail. Do not put personal data in it.',
      },
      comment: {
        description: 'The customer’s own words; erased with the customer.',
        type: 'string',
        minLength: 1,
        maxLength: 2000,
      },
    },
    required: ['mode'],
    additionalProperties: false,
  },
})

/** Withdraw a pending cancellation. The license keeps its earlier end. */
export const postAdminSubscriptionsByIdUncancel = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body?:
    | {
        /** Stored in plain text in the audit trail. Do not put personal data in it. */
        readonly reason?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: Subscription
}>('POST /api/admin/subscriptions/{id}/uncancel', {
  openTo: ['staff'],
  permission: 'subscriptions:manage',
  body: {
    default: {},
    type: 'object',
    properties: {
      reason: {
        type: 'string',
        minLength: 1,
        maxLength: 500,
        description: 'Stored in plain text in the audit trail. Do not put personal data in it.',
      },
    },
    additionalProperties: false,
  },
})

/** Pause an active subscription. Its license is suspended until it is resumed; the end of the period does not move. */
export const postAdminSubscriptionsByIdPause = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body?:
    | {
        /** Stored in plain text in the audit trail. Do not put personal data in it. */
        readonly reason?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: Subscription
}>('POST /api/admin/subscriptions/{id}/pause', {
  openTo: ['staff'],
  permission: 'subscriptions:manage',
  body: {
    default: {},
    type: 'object',
    properties: {
      reason: {
        type: 'string',
        minLength: 1,
        maxLength: 500,
        description: 'Stored in plain text in the audit trail. Do not put personal data in it.',
      },
    },
    additionalProperties: false,
  },
})

/** Resume a paused subscription. */
export const postAdminSubscriptionsByIdResume = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body?:
    | {
        /** Stored in plain text in the audit trail. Do not put personal data in it. */
        readonly reason?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: Subscription
}>('POST /api/admin/subscriptions/{id}/resume', {
  openTo: ['staff'],
  permission: 'subscriptions:manage',
  body: {
    default: {},
    type: 'object',
    properties: {
      reason: {
        type: 'string',
        minLength: 1,
        maxLength: 500,
        description: 'Stored in plain text in the audit trail. Do not put personal data in it.',
      },
    },
    additionalProperties: false,
  },
})

/** List the events of a subscription, newest first. Those of its licenses and payments are not among them. */
export const getAdminSubscriptionsByIdHistory = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly query?:
    | {
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'position' | '-position' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly HistoryEntry[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly HistoryEntry[]
        readonly nextCursor: string | null
      }
}>('GET /api/admin/subscriptions/{id}/history', {
  openTo: ['staff'],
  permission: 'subscriptions:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-position', type: 'string', enum: ['position', '-position'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** List the charges and credits of a subscription, newest first, each with its refunds. */
export const getAdminSubscriptionsByIdPayments = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly query?:
    | {
        readonly status?: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED' | 'PARTIALLY_REFUNDED' | undefined
        readonly type?: 'CHARGE' | 'CREDIT' | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'createdAt' | '-createdAt' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly Payment[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly Payment[]
        readonly nextCursor: string | null
      }
}>('GET /api/admin/subscriptions/{id}/payments', {
  openTo: ['staff', 'token'],
  permission: 'payments:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['PENDING', 'PAID', 'FAILED', 'REFUNDED', 'PARTIALLY_REFUNDED'] },
      type: { type: 'string', enum: ['CHARGE', 'CREDIT'] },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Record received money, in minor units. It pays an open payment of exactly this sum, or the price of a period. */
export const postAdminSubscriptionsByIdPayments = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    /** In minor units. */
    readonly amount: number
    readonly currency: string
    readonly method: string
    readonly note?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: Payment
}>('POST /api/admin/subscriptions/{id}/payments', {
  openTo: ['staff'],
  permission: 'payments:manage',
  body: {
    type: 'object',
    properties: {
      amount: { type: 'integer', unit: 'minor', minimum: 1, maximum: 1000000000000 },
      currency: { type: 'string', pattern: '^[A-Z]{3}$' },
      method: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9 _-]{0,49}$' },
      note: { type: 'string', maxLength: 500 },
    },
    required: ['amount', 'currency', 'method'],
    additionalProperties: false,
  },
})

/** List licenses. `status` is the effective status, which depends on commands and on the time. */
export const getAdminLicenses = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly status?: 'REVOKED' | 'SUSPENDED' | 'EXPIRED' | 'GRACE' | 'ACTIVE' | undefined
        readonly keyId?: string | undefined
        readonly customerId?: string | undefined
        readonly subscriptionId?: string | undefined
        readonly expiresBefore?: string | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'issuedAt' | '-issuedAt' | 'expiresAt' | '-expiresAt' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly License[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly License[]
        readonly nextCursor: string | null
      }
}>('GET /api/admin/licenses', {
  openTo: ['staff', 'token'],
  permission: 'licenses:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['REVOKED', 'SUSPENDED', 'EXPIRED', 'GRACE', 'ACTIVE'] },
      keyId: { type: 'string', maxLength: 64 },
      customerId: { type: 'string', format: 'uuid', 'x-names': 'customers' },
      subscriptionId: { type: 'string', format: 'uuid', 'x-names': 'subscriptions' },
      expiresBefore: { type: 'string', format: 'date-time' },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-issuedAt', type: 'string', enum: ['issuedAt', '-issuedAt', 'expiresAt', '-expiresAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Issue a license for a subscription and revoke the previous one. The cap is the plan’s, or the subscription’s own if higher. */
export const postAdminLicenses = /*#__PURE__*/ operation<{
  readonly body: {
    readonly subscriptionId: string
    readonly expiresAt?: string | undefined
    readonly maxActivations?: number | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    readonly license: License
    readonly licenseKey: string
  }
}>('POST /api/admin/licenses', {
  openTo: ['staff', 'token'],
  permission: 'licenses:manage',
  shownOnce: ['licenseKey'],
  body: {
    type: 'object',
    properties: {
      subscriptionId: { type: 'string', format: 'uuid', 'x-names': 'subscriptions' },
      expiresAt: { type: 'string', format: 'date-time' },
      maxActivations: { type: 'integer', minimum: 1, maximum: 1000000 },
    },
    required: ['subscriptionId'],
    additionalProperties: false,
  },
})

/** Read a license. */
export const getAdminLicensesById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: License
}>('GET /api/admin/licenses/{id}', { openTo: ['staff', 'token'], permission: 'licenses:view' })

/** Read the signed license key. Every read is recorded in the audit trail before the key is returned. */
export const getAdminLicensesByIdKey = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: {
    readonly keyId: string
    readonly licenseKey: string
    readonly expiresAt: string
  }
}>('GET /api/admin/licenses/{id}/key', { openTo: ['staff', 'token'], permission: 'licenses:view' })

/** Create a lease file from the request of a panel without a network. It takes an activation slot and cannot be revoked early. */
export const postAdminLicensesByIdOfflineLease = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly request: string
    readonly days: number
  }
  readonly key?: string | undefined
  readonly data: {
    readonly format: 'daybook-lease-file'
    readonly version: 1
    readonly licenseKey: string
    readonly lease: string
    readonly manifest: string
  }
}>('POST /api/admin/licenses/{id}/offline-lease', {
  openTo: ['staff'],
  permission: 'licenses:manage',
  shownOnce: ['licenseKey', 'lease'],
  body: {
    type: 'object',
    properties: {
      request: { type: 'string', minLength: 1, maxLength: 8192 },
      days: { type: 'integer', minimum: 1, maximum: 366 },
    },
    required: ['request', 'days'],
    additionalProperties: false,
  },
})

/** Revoke a license permanently. The reason is stored in plain text in the audit trail: do not put personal data in it. */
export const postAdminLicensesByIdRevoke = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    /** Stored in plain text in the audit trail. Do not put personal data in it. */
    readonly reason: string
  }
  readonly key?: string | undefined
  readonly data: License
}>('POST /api/admin/licenses/{id}/revoke', {
  openTo: ['staff', 'token'],
  permission: 'licenses:manage',
  body: {
    type: 'object',
    properties: {
      reason: {
        type: 'string',
        minLength: 1,
        maxLength: 500,
        description: 'Stored in plain text in the audit trail. Do not put personal data in it.',
      },
    },
    required: ['reason'],
    additionalProperties: false,
  },
})

/** Suspend a license until it is resumed. Machines learn this at their next heartbeat and keep their slots. Its end does not move. */
export const postAdminLicensesByIdSuspend = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    /** Stored in plain text in the audit trail. Do not put personal data in it. */
    readonly reason: string
  }
  readonly key?: string | undefined
  readonly data: License
}>('POST /api/admin/licenses/{id}/suspend', {
  openTo: ['staff', 'token'],
  permission: 'licenses:manage',
  body: {
    type: 'object',
    properties: {
      reason: {
        type: 'string',
        minLength: 1,
        maxLength: 500,
        description: 'Stored in plain text in the audit trail. Do not put personal data in it.',
      },
    },
    required: ['reason'],
    additionalProperties: false,
  },
})

/** Resume a suspended license with the same key. Machines keep their activations. */
export const postAdminLicensesByIdResume = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: LicenseAndKey
}>('POST /api/admin/licenses/{id}/resume', {
  openTo: ['staff', 'token'],
  permission: 'licenses:manage',
  shownOnce: ['licenseKey'],
})

/** Extend a license, also an expired one. The key id stays; machines get the newly signed key at their next heartbeat. */
export const postAdminLicensesByIdExtend = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly expiresAt?: string | undefined
    /** Counted from the present end, or from now if the license has ended. */
    readonly days?: number | undefined
  }
  readonly key?: string | undefined
  readonly data: LicenseAndKey
}>('POST /api/admin/licenses/{id}/extend', {
  openTo: ['staff', 'token'],
  permission: 'licenses:manage',
  shownOnce: ['licenseKey'],
  body: {
    type: 'object',
    properties: {
      expiresAt: { type: 'string', format: 'date-time' },
      days: {
        description: 'Counted from the present end, or from now if the license has ended.',
        type: 'integer',
        minimum: 1,
        maximum: 3650,
      },
    },
    additionalProperties: false,
    allOf: [{ oneOf: [{ required: ['expiresAt'] }, { required: ['days'] }] }],
    description: 'Must have either expiresAt or days.',
  },
})

/** Replace a license’s key and secret. The rights of the license stay unchanged. */
export const postAdminLicensesByIdReissue = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    /** leaked: the old key and all earlier ones are refused at once; routine: for 72 hours the old key leads a panel to the new one. */
    readonly mode: 'leaked' | 'routine'
  }
  readonly key?: string | undefined
  readonly data: LicenseAndKey
}>('POST /api/admin/licenses/{id}/reissue', {
  openTo: ['staff', 'token'],
  permission: 'licenses:manage',
  shownOnce: ['licenseKey'],
  body: {
    type: 'object',
    properties: {
      mode: {
        type: 'string',
        enum: ['leaked', 'routine'],
        description:
          'leaked: the old key and all earlier ones are refused at once; routine: for 72 hours the old key leads a panel to the new one.',
      },
    },
    required: ['mode'],
    additionalProperties: false,
  },
})

/** List the events of a license, newest first, reads of its key included. */
export const getAdminLicensesByIdHistory = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly query?:
    | {
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'position' | '-position' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly HistoryEntry[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly HistoryEntry[]
        readonly nextCursor: string | null
      }
}>('GET /api/admin/licenses/{id}/history', {
  openTo: ['staff'],
  permission: 'licenses:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-position', type: 'string', enum: ['position', '-position'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Refund a payment, whole or in part, in minor units. Its provider returns the money; the refund is PENDING until then. */
export const postAdminPaymentsByIdRefund = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    /** In minor units. */
    readonly amount?: number | undefined
    readonly reason: string
    /** Only record a refund that is made by hand, for example if the provider can no longer reach the account. */
    readonly byHand?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly data: Payment
}>('POST /api/admin/payments/{id}/refund', {
  openTo: ['staff'],
  permission: 'payments:manage',
  stepUp: true,
  body: {
    type: 'object',
    properties: {
      amount: { type: 'integer', unit: 'minor', minimum: 1, maximum: 1000000000000 },
      reason: { type: 'string', minLength: 1, maxLength: 500 },
      byHand: {
        default: false,
        description:
          'Only record a refund that is made by hand, for example if the provider can no longer reach the account.',
        type: 'boolean',
      },
    },
    required: ['reason'],
    additionalProperties: false,
  },
})

/** Receive signed notices of the payment provider. Repeated notices and notices of unknown objects change nothing. */
export const postWebhooksPaymentsByProvider = /*#__PURE__*/ operation<{
  readonly params: {
    readonly provider: string
  }
  readonly body: unknown
  readonly data: {
    readonly received: true
  }
}>('POST /api/webhooks/payments/{provider}', { openTo: [], body: {} })

/** Create or reuse a customer, create a subscription and issue a license, all or nothing. A `reference` makes the call repeatable. */
export const postAdminProvisioning = /*#__PURE__*/ operation<{
  readonly body: {
    /** The end customer. An existing account with this address, in any spelling, is reused and never modified. */
    readonly email: string
    readonly planSlug: string
    readonly seats?: number | undefined
    readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
    readonly status?: 'ACTIVE' | 'TRIALING' | undefined
    /** In the future, at most ten years ahead; one year from now if absent. The license expires at the same time. */
    readonly currentPeriodEnd?: string | undefined
    /** Only recorded: the license gets the cap of the plan. */
    readonly maxActivations?: number | undefined
    /** Makes the call repeatable: a repeated reference never creates a second subscription. */
    readonly reference?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: Provisioning
}>('POST /api/admin/provisioning', {
  openTo: ['staff', 'token'],
  permission: 'licenses:manage',
  shownOnce: ['licenseKey', 'installCommand'],
  body: {
    type: 'object',
    properties: {
      email: {
        description:
          'The end customer. An existing account with this address, in any spelling, is reused and never modified.',
        type: 'string',
        maxLength: 254,
        format: 'email',
      },
      planSlug: { type: 'string', maxLength: 64, 'x-names': 'plans', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      seats: { default: 1, type: 'integer', minimum: 1, maximum: 1000000 },
      billingCycle: { default: 'YEARLY', type: 'string', enum: ['MONTHLY', 'YEARLY'] },
      status: { default: 'ACTIVE', type: 'string', enum: ['ACTIVE', 'TRIALING'] },
      currentPeriodEnd: {
        description:
          'In the future, at most ten years ahead; one year from now if absent. The license expires at the same time.',
        type: 'string',
        format: 'date-time',
      },
      maxActivations: {
        description: 'Only recorded: the license gets the cap of the plan.',
        type: 'integer',
        minimum: 1,
        maximum: 1000000,
      },
      reference: {
        description: 'Makes the call repeatable: a repeated reference never creates a second subscription.',
        type: 'string',
        pattern: '^[\\x20-\\x7e]{1,200}$',
      },
    },
    required: ['email', 'planSlug'],
    additionalProperties: false,
  },
})

/** Get the script that an installCommand runs: it installs the panel with Docker Compose from the image named by DAYBOOK_IMAGE. */
export const getInstallSh = /*#__PURE__*/ operation<{
  readonly data: Response
}>('GET /install.sh', { openTo: [], answers: 'stream' })

/** Register with an e-mail address. A link to choose the first password is mailed to it. Known addresses get the same reply. */
export const postShopAuthRegister = /*#__PURE__*/ operation<{
  readonly body: {
    readonly email: string
    readonly name?: string | undefined
    readonly company?: string | undefined
  }
  readonly data: undefined
}>('POST /api/shop/auth/register', {
  openTo: [],
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', maxLength: 254, format: 'email' },
      name: { type: 'string', minLength: 1, maxLength: 200 },
      company: { type: 'string', minLength: 1, maxLength: 200 },
    },
    required: ['email'],
    additionalProperties: false,
  },
})

/** Choose the first password with the token of a registration link. The token is valid for one day, once. */
export const postShopAuthVerifyEmail = /*#__PURE__*/ operation<{
  readonly body: {
    readonly token: string
    /** A passphrase that is hard to guess, of at least 15 characters, or 8 beside a second factor. Characters count after normalisation to NFKC. */
    readonly password: string
  }
  readonly data: undefined
}>('POST /api/shop/auth/verify-email', {
  openTo: [],
  body: {
    type: 'object',
    properties: {
      token: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
      password: {
        type: 'string',
        minLength: 8,
        maxLength: 256,
        description:
          'A passphrase that is hard to guess, of at least 15 characters, or 8 beside a second factor. Characters count after normalisation to NFKC.',
      },
    },
    required: ['token', 'password'],
    additionalProperties: false,
  },
})

/** Request a link to choose another password, or a first one after a sale elsewhere. Unknown addresses get the same reply. */
export const postShopAuthForgotPassword = /*#__PURE__*/ operation<{
  readonly body: {
    readonly email: string
  }
  readonly data: undefined
}>('POST /api/shop/auth/forgot-password', {
  openTo: [],
  body: {
    type: 'object',
    properties: { email: { type: 'string', minLength: 1, maxLength: 320 } },
    required: ['email'],
    additionalProperties: false,
  },
})

/** Choose another password with a mailed token, valid for ten minutes, once. All sessions end; the second factor stays. */
export const postShopAuthResetPassword = /*#__PURE__*/ operation<{
  readonly body: {
    readonly token: string
    /** A passphrase that is hard to guess, of at least 15 characters, or 8 beside a second factor. Characters count after normalisation to NFKC. */
    readonly password: string
  }
  readonly data: undefined
}>('POST /api/shop/auth/reset-password', {
  openTo: [],
  body: {
    type: 'object',
    properties: {
      token: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
      password: {
        type: 'string',
        minLength: 8,
        maxLength: 256,
        description:
          'A passphrase that is hard to guess, of at least 15 characters, or 8 beside a second factor. Characters count after normalisation to NFKC.',
      },
    },
    required: ['token', 'password'],
    additionalProperties: false,
  },
})

/** Sign in. `totp` takes six digits or a backup code. Sets the refresh token as a cookie; 401 with TOTP_REQUIRED asks for the code. */
export const postShopAuthLogin = /*#__PURE__*/ operation<{
  readonly body: {
    readonly email: string
    readonly password: string
    readonly totp?: string | undefined
  }
  readonly data: {
    readonly accessToken: string
    readonly user: CustomerProfile
  }
}>('POST /api/shop/auth/login', {
  openTo: [],
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', minLength: 1, maxLength: 320 },
      password: { type: 'string', minLength: 1, maxLength: 1024 },
      totp: { type: 'string', maxLength: 64 },
    },
    required: ['email', 'password'],
    additionalProperties: false,
  },
})

/** Exchange the refresh cookie for a new one and an access token. Send `{}` from the shop’s origin. A reused token ends the session. */
export const postShopAuthRefresh = /*#__PURE__*/ operation<{
  readonly body: {}
  readonly data: {
    readonly accessToken: string
    readonly user: CustomerProfile
  }
}>('POST /api/shop/auth/refresh', { openTo: [], body: { type: 'object', properties: {}, additionalProperties: false } })

/** End this session. Send `{}` with the session or, after it expired, with only the refresh cookie. */
export const postShopAuthLogout = /*#__PURE__*/ operation<{
  readonly body: {}
  readonly data: undefined
}>('POST /api/shop/auth/logout', { openTo: [], body: { type: 'object', properties: {}, additionalProperties: false } })

/** Change my password. All my other sessions end. */
export const postShopAuthPassword = /*#__PURE__*/ operation<{
  readonly body: {
    readonly current: string
    /** A passphrase that is hard to guess, of at least 15 characters, or 8 beside a second factor. Characters count after normalisation to NFKC. */
    readonly new: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/shop/auth/password', {
  openTo: ['customer'],
  body: {
    type: 'object',
    properties: {
      current: { type: 'string', minLength: 1, maxLength: 1024 },
      new: {
        type: 'string',
        minLength: 8,
        maxLength: 256,
        description:
          'A passphrase that is hard to guess, of at least 15 characters, or 8 beside a second factor. Characters count after normalisation to NFKC.',
      },
    },
    required: ['current', 'new'],
    additionalProperties: false,
  },
})

/** Prove my identity again for five minutes: by a code if a second factor is enabled, by the password otherwise. */
export const postShopAuthStepUp = /*#__PURE__*/ operation<{
  readonly body:
    | {
        readonly code: string
      }
    | {
        readonly password: string
      }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/shop/auth/step-up', {
  openTo: ['customer'],
  body: {
    anyOf: [
      {
        type: 'object',
        properties: { code: { type: 'string', maxLength: 64 } },
        required: ['code'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: { password: { type: 'string', minLength: 1, maxLength: 1024 } },
        required: ['password'],
        additionalProperties: false,
      },
    ],
  },
})

/** Start to set up a second factor. Needs the password. Only this session can enable the secret, within ten minutes. */
export const postShopAuth2faSetup = /*#__PURE__*/ operation<{
  readonly body: {
    readonly password: string
  }
  readonly key?: string | undefined
  readonly data: {
    readonly secret: string
    readonly otpauthUrl: string
  }
}>('POST /api/shop/auth/2fa/setup', {
  openTo: ['customer'],
  shownOnce: ['secret', 'otpauthUrl'],
  body: {
    type: 'object',
    properties: { password: { type: 'string', minLength: 1, maxLength: 1024 } },
    required: ['password'],
    additionalProperties: false,
  },
})

/** Enable the second factor by the password and a first code. Returns ten backup codes once and ends the other sessions. */
export const postShopAuth2faEnable = /*#__PURE__*/ operation<{
  readonly body: {
    readonly password: string
    readonly code: string
  }
  readonly key?: string | undefined
  readonly data: {
    readonly backupCodes: readonly string[]
  }
}>('POST /api/shop/auth/2fa/enable', {
  openTo: ['customer'],
  shownOnce: ['backupCodes'],
  body: {
    type: 'object',
    properties: {
      password: { type: 'string', minLength: 1, maxLength: 1024 },
      code: { type: 'string', maxLength: 64 },
    },
    required: ['password', 'code'],
    additionalProperties: false,
  },
})

/** Disable the second factor by the password, which must satisfy the policy without it, and a new code. Ends other sessions. */
export const postShopAuth2faDisable = /*#__PURE__*/ operation<{
  readonly body: {
    readonly password: string
    readonly code: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/shop/auth/2fa/disable', {
  openTo: ['customer'],
  body: {
    type: 'object',
    properties: {
      password: { type: 'string', minLength: 1, maxLength: 1024 },
      code: { type: 'string', maxLength: 64 },
    },
    required: ['password', 'code'],
    additionalProperties: false,
  },
})

/** Read my account. */
export const getShopMe = /*#__PURE__*/ operation<{
  readonly data: CustomerProfile
}>('GET /api/shop/me', { openTo: ['customer'] })

/** Change my name or company; null removes the value. */
export const patchShopMe = /*#__PURE__*/ operation<{
  readonly body: {
    readonly name?: string | null | undefined
    readonly company?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly data: CustomerProfile
}>('PATCH /api/shop/me', {
  openTo: ['customer'],
  body: {
    type: 'object',
    properties: {
      name: { anyOf: [{ type: 'string', minLength: 1, maxLength: 200 }, { type: 'null' }] },
      company: { anyOf: [{ type: 'string', minLength: 1, maxLength: 200 }, { type: 'null' }] },
    },
    additionalProperties: false,
  },
})

/** List the plans that can be bought: public and open ones, with their prices and features. */
export const getShopPlans = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'createdAt' | '-createdAt' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly ShopPlan[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly ShopPlan[]
        readonly nextCursor: string | null
      }
}>('GET /api/shop/plans', {
  openTo: [],
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** List my subscriptions. */
export const getShopSubscriptions = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly status?:
          | 'INCOMPLETE'
          | 'TRIALING'
          | 'ACTIVE'
          | 'PAST_DUE'
          | 'UNPAID'
          | 'PAUSED'
          | 'CANCELLED'
          | 'EXPIRED'
          | undefined
        readonly planSlug?: string | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'createdAt' | '-createdAt' | 'currentPeriodEnd' | '-currentPeriodEnd' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly OwnSubscription[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly OwnSubscription[]
        readonly nextCursor: string | null
      }
}>('GET /api/shop/subscriptions', {
  openTo: ['customer'],
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: {
        type: 'string',
        enum: ['INCOMPLETE', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'UNPAID', 'PAUSED', 'CANCELLED', 'EXPIRED'],
      },
      planSlug: { type: 'string', maxLength: 64, 'x-names': 'plans' },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: {
        default: '-createdAt',
        type: 'string',
        enum: ['createdAt', '-createdAt', 'currentPeriodEnd', '-currentPeriodEnd'],
      },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Read one of my subscriptions. */
export const getShopSubscriptionsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: OwnSubscription
}>('GET /api/shop/subscriptions/{id}', { openTo: ['customer'] })

/** Change plan, seats or billing cycle, now or at the end of the period. A previewToken keeps the previewed price. */
export const patchShopSubscriptionsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly planSlug?: string | undefined
    readonly seats?: number | undefined
    readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
    readonly effective?: 'now' | 'period_end' | undefined
    readonly previewToken?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: OwnSubscription
}>('PATCH /api/shop/subscriptions/{id}', {
  openTo: ['customer'],
  body: {
    type: 'object',
    properties: {
      planSlug: { type: 'string', maxLength: 64, 'x-names': 'plans', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      seats: { type: 'integer', minimum: 1, maximum: 1000000 },
      billingCycle: { type: 'string', enum: ['MONTHLY', 'YEARLY'] },
      effective: { default: 'now', type: 'string', enum: ['now', 'period_end'] },
      previewToken: { type: 'string', maxLength: 2000 },
    },
    additionalProperties: false,
    allOf: [{ anyOf: [{ required: ['planSlug'] }, { required: ['seats'] }, { required: ['billingCycle'] }] }],
    description: 'Must name planSlug, seats or billingCycle.',
  },
})

/** List the charges and credits of my subscription, newest first, each with its refunds. */
export const getShopSubscriptionsByIdPayments = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly query?:
    | {
        readonly status?: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED' | 'PARTIALLY_REFUNDED' | undefined
        readonly type?: 'CHARGE' | 'CREDIT' | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'createdAt' | '-createdAt' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly OwnPayment[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly OwnPayment[]
        readonly nextCursor: string | null
      }
}>('GET /api/shop/subscriptions/{id}/payments', {
  openTo: ['customer'],
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['PENDING', 'PAID', 'FAILED', 'REFUNDED', 'PARTIALLY_REFUNDED'] },
      type: { type: 'string', enum: ['CHARGE', 'CREDIT'] },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Preview a change: terms, money and license. Nothing is recorded. Its previewToken keeps the price for ten minutes. */
export const postShopSubscriptionsByIdChangePreview = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly planSlug?: string | undefined
    readonly seats?: number | undefined
    readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
    readonly effective?: 'now' | 'period_end' | undefined
  }
  readonly key?: string | undefined
  readonly data: SubscriptionPreview
}>('POST /api/shop/subscriptions/{id}/change-preview', {
  openTo: ['customer'],
  body: {
    type: 'object',
    properties: {
      planSlug: { type: 'string', maxLength: 64, 'x-names': 'plans', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      seats: { type: 'integer', minimum: 1, maximum: 1000000 },
      billingCycle: { type: 'string', enum: ['MONTHLY', 'YEARLY'] },
      effective: { default: 'now', type: 'string', enum: ['now', 'period_end'] },
    },
    additionalProperties: false,
    allOf: [{ anyOf: [{ required: ['planSlug'] }, { required: ['seats'] }, { required: ['billingCycle'] }] }],
    description: 'Must name planSlug, seats or billingCycle.',
  },
})

/** Cancel now, which revokes the license, or at the end of the period, without grace. With dryRun=true nothing is recorded. */
export const postShopSubscriptionsByIdCancel = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly query?:
    | {
        readonly dryRun?: 'true' | 'false' | undefined
      }
    | undefined
  readonly body: {
    readonly mode: 'now' | 'period_end'
    readonly reason?: 'TOO_EXPENSIVE' | 'MISSING_FEATURES' | 'UNUSED' | 'SWITCHED' | 'OTHER' | undefined
    readonly comment?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: OwnSubscription
}>('POST /api/shop/subscriptions/{id}/cancel', {
  openTo: ['customer'],
  query: { type: 'object', properties: { dryRun: { enum: ['true', 'false'], type: 'string' } }, required: [] },
  body: {
    type: 'object',
    properties: {
      mode: { type: 'string', enum: ['now', 'period_end'] },
      reason: { type: 'string', enum: ['TOO_EXPENSIVE', 'MISSING_FEATURES', 'UNUSED', 'SWITCHED', 'OTHER'] },
      comment: { type: 'string', minLength: 1, maxLength: 2000 },
    },
    required: ['mode'],
    additionalProperties: false,
  },
})

/** List my licenses. `status` is the effective status, which depends on commands and on the time. */
export const getShopLicenses = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly status?: 'REVOKED' | 'SUSPENDED' | 'EXPIRED' | 'GRACE' | 'ACTIVE' | undefined
        readonly subscriptionId?: string | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'issuedAt' | '-issuedAt' | 'expiresAt' | '-expiresAt' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly OwnLicense[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly OwnLicense[]
        readonly nextCursor: string | null
      }
}>('GET /api/shop/licenses', {
  openTo: ['customer'],
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['REVOKED', 'SUSPENDED', 'EXPIRED', 'GRACE', 'ACTIVE'] },
      subscriptionId: { type: 'string', format: 'uuid', 'x-names': 'subscriptions' },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-issuedAt', type: 'string', enum: ['issuedAt', '-issuedAt', 'expiresAt', '-expiresAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Read one of my licenses. */
export const getShopLicensesById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: OwnLicense
}>('GET /api/shop/licenses/{id}', { openTo: ['customer'] })

/** Read the signed key of my license. Needs a proof of identity from the last five minutes. The read is recorded first. */
export const getShopLicensesByIdKey = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: {
    readonly keyId: string
    readonly licenseKey: string
    readonly expiresAt: string
  }
}>('GET /api/shop/licenses/{id}/key', { openTo: ['customer'], stepUp: true })

/** Create a lease file for a machine without a network: at most 31 days, 20 times a day. Needs a recent proof of identity. */
export const postShopLicensesByIdOfflineActivation = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly request: string
    readonly days: number
  }
  readonly key?: string | undefined
  readonly data: {
    readonly format: 'daybook-lease-file'
    readonly version: 1
    readonly licenseKey: string
    readonly lease: string
    readonly manifest: string
  }
}>('POST /api/shop/licenses/{id}/offline-activation', {
  openTo: ['customer'],
  stepUp: true,
  shownOnce: ['licenseKey', 'lease'],
  body: {
    type: 'object',
    properties: {
      request: { type: 'string', minLength: 1, maxLength: 8192 },
      days: { type: 'integer', minimum: 1, maximum: 31 },
    },
    required: ['request', 'days'],
    additionalProperties: false,
  },
})

/** Replace the key of my license. Needs a proof of identity from the last five minutes; at most five times a day. */
export const postShopLicensesByIdRotate = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    /** leaked: the old key and all earlier ones are refused at once; routine: for 72 hours the old key leads a panel to the new one. */
    readonly mode: 'leaked' | 'routine'
  }
  readonly key?: string | undefined
  readonly data: {
    readonly license: OwnLicense
    readonly licenseKey: string
  }
}>('POST /api/shop/licenses/{id}/rotate', {
  openTo: ['customer'],
  stepUp: true,
  shownOnce: ['licenseKey'],
  body: {
    type: 'object',
    properties: {
      mode: {
        type: 'string',
        enum: ['leaked', 'routine'],
        description:
          'leaked: the old key and all earlier ones are refused at once; routine: for 72 hours the old key leads a panel to the new one.',
      },
    },
    required: ['mode'],
    additionalProperties: false,
  },
})

/** List the machines that run under my licenses. */
export const getShopInstances = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly licenseId?: string | undefined
        readonly status?: 'ACTIVE' | 'STALE' | 'DEACTIVATED' | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'activatedAt' | '-activatedAt' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly OwnInstance[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly OwnInstance[]
        readonly nextCursor: string | null
      }
}>('GET /api/shop/instances', {
  openTo: ['customer'],
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      licenseId: { type: 'string', format: 'uuid', 'x-names': 'licenses' },
      status: { type: 'string', enum: ['ACTIVE', 'STALE', 'DEACTIVATED'] },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-activatedAt', type: 'string', enum: ['activatedAt', '-activatedAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Free the activation slot of one of my machines. Its panel learns this at its next heartbeat. At most three times a day. */
export const postShopInstancesByIdDeactivate = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: OwnInstance
}>('POST /api/shop/instances/{id}/deactivate', { openTo: ['customer'] })

/** List my invoices and credit notes. */
export const getShopInvoices = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'issuedAt' | '-issuedAt' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly Invoice[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly Invoice[]
        readonly nextCursor: string | null
      }
}>('GET /api/shop/invoices', {
  openTo: ['customer'],
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-issuedAt', type: 'string', enum: ['issuedAt', '-issuedAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Get one of my invoices as a PDF. */
export const getShopInvoicesByIdPdf = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: Response
}>('GET /api/shop/invoices/{id}/pdf', { openTo: ['customer'], answers: 'stream' })

/** Buy a plan. Returns the payment page; the license follows the payment. Free plans start at once. Unpaid checkouts end after 23 hours. */
export const postShopCheckout = /*#__PURE__*/ operation<{
  readonly body: {
    readonly planSlug: string
    readonly seats?: number | undefined
    readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    readonly id: string
    readonly checkoutUrl: string
  }
}>('POST /api/shop/checkout', {
  openTo: ['customer'],
  body: {
    type: 'object',
    properties: {
      planSlug: { type: 'string', maxLength: 64, 'x-names': 'plans', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      seats: { default: 1, type: 'integer', minimum: 1, maximum: 1000000 },
      billingCycle: { default: 'YEARLY', type: 'string', enum: ['MONTHLY', 'YEARLY'] },
    },
    required: ['planSlug'],
    additionalProperties: false,
  },
})

/** Read the state of my checkout: waiting, paid or expired. A payment after its expiry is refunded. */
export const getShopCheckoutById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: {
    readonly id: string
    readonly status: 'OPEN' | 'PAID' | 'EXPIRED'
    readonly subscriptionId: string
  }
}>('GET /api/shop/checkout/{id}', { openTo: ['customer'] })

/** List the versions that my licenses entitle me to, newest first, with links to their files. A link is valid for 15 minutes. */
export const getShopDownloads = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly channel?: 'stable' | 'beta' | undefined
      }
    | undefined
  readonly data: {
    readonly items: readonly Release[]
  }
}>('GET /api/shop/downloads', {
  openTo: ['customer'],
  query: { type: 'object', properties: { channel: { type: 'string', enum: ['stable', 'beta'] } }, required: [] },
})

/** Export everything stored about me. Needs a proof of my identity from the last five minutes. */
export const postShopAccountExport = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: {
    readonly exportedAt: string
    readonly customer: Customer
    readonly subscriptions: readonly Subscription[]
    readonly licenses: readonly License[]
    readonly instances: readonly Instance[]
    readonly payments: readonly Payment[]
    readonly invoices: readonly Invoice[]
    readonly audit: readonly {
      readonly position: number
      readonly at: string
      readonly actor: {
        readonly type: string
        readonly id: string
      }
      readonly action: string
      readonly subject: {
        readonly type: string
        readonly id: string
      }
      readonly sentence: string
      readonly meta: { readonly [name: string]: Recursive1 }
    }[]
    readonly auditTotal: number
  }
}>('POST /api/shop/account/export', {
  openTo: ['customer'],
  stepUp: true,
  shownOnce: [
    'exportedAt',
    'customer',
    'subscriptions',
    'licenses',
    'instances',
    'payments',
    'invoices',
    'audit',
    'auditTotal',
  ],
})

/** Erase my account for good; `confirmEmail` is my address. Invoices stay by law. Needs a proof of identity from the last five minutes. */
export const deleteShopAccount = /*#__PURE__*/ operation<{
  readonly body: {
    readonly confirmEmail: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/shop/account', {
  openTo: ['customer'],
  stepUp: true,
  body: {
    type: 'object',
    properties: { confirmEmail: { type: 'string', minLength: 1, maxLength: 320 } },
    required: ['confirmEmail'],
    additionalProperties: false,
  },
})

/** List versions with their files. */
export const getAdminVersions = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly status?: 'DRAFT' | 'PUBLISHED' | 'YANKED' | undefined
        readonly channel?: 'stable' | 'beta' | undefined
        readonly version?: string | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'createdAt' | '-createdAt' | 'version' | '-version' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly Version[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly Version[]
        readonly nextCursor: string | null
      }
}>('GET /api/admin/versions', {
  openTo: ['staff'],
  permission: 'versions:manage',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['DRAFT', 'PUBLISHED', 'YANKED'] },
      channel: { type: 'string', enum: ['stable', 'beta'] },
      version: {
        type: 'string',
        maxLength: 64,
        pattern:
          '^(?:0|[1-9]\\d*)(?:\\.(?:0|[1-9]\\d*)){2}(?:-(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?$',
      },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt', 'version', '-version'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Create a version as a draft. `minPlan` limits it to that plan and to dearer plans in the same currency. */
export const postAdminVersions = /*#__PURE__*/ operation<{
  readonly body: {
    readonly version: string
    readonly channel?: 'stable' | 'beta' | undefined
    readonly notes?: string | undefined
    readonly minPlan?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly data: Version
}>('POST /api/admin/versions', {
  openTo: ['staff', 'token'],
  permission: 'versions:manage',
  body: {
    type: 'object',
    properties: {
      version: {
        type: 'string',
        maxLength: 64,
        pattern:
          '^(?:0|[1-9]\\d*)(?:\\.(?:0|[1-9]\\d*)){2}(?:-(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?$',
      },
      channel: { default: 'stable', type: 'string', enum: ['stable', 'beta'] },
      notes: { default: '', type: 'string', maxLength: 20000 },
      minPlan: {
        default: null,
        anyOf: [{ type: 'string', maxLength: 64, pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' }, { type: 'null' }],
        'x-names': 'plans',
      },
    },
    required: ['version'],
    additionalProperties: false,
  },
})

/** Read a version with its files. */
export const getAdminVersionsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: Version
}>('GET /api/admin/versions/{id}', { openTo: ['staff'], permission: 'versions:manage' })

/** Add a file to a draft, at most 2 GiB. The body is the file; it is signed with the current key. The same file again returns 200. */
export const postAdminVersionsByIdArtifacts = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly query: {
    readonly name: string
    /** The SHA-256 of the file: a file that was damaged during the upload is refused. */
    readonly sha256?: string | undefined
  }
  readonly body: Blob
  readonly data: Artifact
}>('POST /api/admin/versions/{id}/artifacts', {
  openTo: ['staff', 'token'],
  permission: 'versions:manage',
  sends: 'bytes',
  query: {
    type: 'object',
    properties: {
      name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$' },
      sha256: {
        description: 'The SHA-256 of the file: a file that was damaged during the upload is refused.',
        type: 'string',
        pattern: '^[0-9a-f]{64}$',
      },
    },
    required: ['name'],
  },
})

/** Publish a version: panels and customers that may have it see it. Its files can no longer change. */
export const postAdminVersionsByIdPublish = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: Version
}>('POST /api/admin/versions/{id}/publish', { openTo: ['staff'], permission: 'versions:manage' })

/** Withdraw a version: it is no longer offered. Do not put personal data in the reason. */
export const postAdminVersionsByIdYank = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly reason: string
  }
  readonly key?: string | undefined
  readonly data: Version
}>('POST /api/admin/versions/{id}/yank', {
  openTo: ['staff'],
  permission: 'versions:manage',
  body: {
    type: 'object',
    properties: { reason: { type: 'string', minLength: 1, maxLength: 500 } },
    required: ['reason'],
    additionalProperties: false,
  },
})

/** Download a file by its link. The link is valid for 15 minutes, and only while the version is published. */
export const getVersionsArtifactsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly query: {
    readonly until: number
    readonly signature: string
  }
  readonly data: Response
}>('GET /api/versions/artifacts/{id}', {
  openTo: [],
  answers: 'stream',
  query: {
    type: 'object',
    properties: {
      until: { type: 'integer', minimum: 0, maximum: 9999999999 },
      signature: { type: 'string', maxLength: 64 },
    },
    required: ['until', 'signature'],
  },
})

/** Read the settings that staff decide for the installation. The operator’s configuration and its secrets are not included. */
export const getAdminSettings = /*#__PURE__*/ operation<{
  readonly data: {
    readonly items: readonly {
      readonly key: 'shopRegistration' | 'requireSecondFactor'
      readonly value: boolean | number | string
      readonly usual: boolean | number | string
      readonly does: string
      readonly changedAt: string | null
    }[]
  }
}>('GET /api/admin/settings', { openTo: ['staff'], permission: 'settings:view' })

/** Change settings. Changes take effect on the next request. */
export const patchAdminSettingsByKey = /*#__PURE__*/ operation<{
  readonly params: {
    readonly key: 'shopRegistration' | 'requireSecondFactor'
  }
  readonly body: {
    readonly value: boolean | number | string
  }
  readonly key?: string | undefined
  readonly data: {
    readonly key: 'shopRegistration' | 'requireSecondFactor'
    readonly value: boolean | number | string
    readonly usual: boolean | number | string
    readonly does: string
    readonly changedAt: string | null
  }
}>('PATCH /api/admin/settings/{key}', {
  openTo: ['staff'],
  permission: 'settings:manage',
  stepUp: true,
  body: {
    type: 'object',
    properties: { value: { anyOf: [{ type: 'boolean' }, { type: 'integer' }, { type: 'string', maxLength: 1000 }] } },
    required: ['value'],
    additionalProperties: false,
  },
})

/** List the keys that sign licenses, with the root key that certifies them and the newest manifest. */
export const getAdminSettingsSigningKeys = /*#__PURE__*/ operation<{
  readonly data: {
    readonly items: readonly SigningKey[]
    readonly root: {
      readonly kid: string
      readonly publicJwk: {
        readonly kty: 'OKP'
        readonly crv: 'Ed25519'
        readonly x: string
      }
      readonly kept: 'HERE' | 'ELSEWHERE'
    }
    readonly manifest: {
      readonly serial: number
      readonly issuedAt: string
      readonly expiresAt: string
      readonly upToDate: boolean
    }
  }
}>('GET /api/admin/settings/signing-keys', { openTo: ['staff'], permission: 'settings:view' })

/** Create and publish the next signing key. It signs nothing until it is promoted. */
export const postAdminSettingsSigningKeys = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: SigningKey
}>('POST /api/admin/settings/signing-keys', { openTo: ['staff'], permission: 'settings:manage', stepUp: true })

/** Sign with this key from now on; the previous key becomes retiring. Refused until the key has been published for one hour. */
export const postAdminSettingsSigningKeysByKidPromote = /*#__PURE__*/ operation<{
  readonly params: {
    readonly kid: string
  }
  readonly key?: string | undefined
  readonly data: SigningKey
}>('POST /api/admin/settings/signing-keys/{kid}/promote', {
  openTo: ['staff'],
  permission: 'settings:manage',
  stepUp: true,
})

/** Retire a key that signs no more, or withdraw one that never signed. Refused while panels may still use its signatures. */
export const postAdminSettingsSigningKeysByKidRetire = /*#__PURE__*/ operation<{
  readonly params: {
    readonly kid: string
  }
  readonly key?: string | undefined
  readonly data: SigningKey
}>('POST /api/admin/settings/signing-keys/{kid}/retire', {
  openTo: ['staff'],
  permission: 'settings:manage',
  stepUp: true,
})

/** Declare a key compromised. Its signatures become invalid; another key signs its licenses again. */
export const postAdminSettingsSigningKeysByKidCompromise = /*#__PURE__*/ operation<{
  readonly params: {
    readonly kid: string
  }
  readonly body: {
    readonly reason: string
  }
  readonly key?: string | undefined
  readonly data: SigningKey
}>('POST /api/admin/settings/signing-keys/{kid}/compromise', {
  openTo: ['staff'],
  permission: 'settings:manage',
  stepUp: true,
  body: {
    type: 'object',
    properties: { reason: { type: 'string', minLength: 1, maxLength: 500 } },
    required: ['reason'],
    additionalProperties: false,
  },
})

/** List all announcements to customers, newest first. */
export const getAdminAnnouncements = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'createdAt' | '-createdAt' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly Announcement[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly Announcement[]
        readonly nextCursor: string | null
      }
}>('GET /api/admin/announcements', {
  openTo: ['staff'],
  permission: 'settings:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Create an announcement. At most 20 are visible at once. */
export const postAdminAnnouncements = /*#__PURE__*/ operation<{
  readonly body: {
    readonly title: string
    readonly body: string
    readonly level: 'INFO' | 'WARNING' | 'CRITICAL'
    readonly visibleFrom: string
    readonly visibleUntil: string
  }
  readonly key?: string | undefined
  readonly data: Announcement
}>('POST /api/admin/announcements', {
  openTo: ['staff'],
  permission: 'settings:manage',
  body: {
    type: 'object',
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 200 },
      body: { type: 'string', minLength: 1, maxLength: 5000 },
      level: { type: 'string', enum: ['INFO', 'WARNING', 'CRITICAL'] },
      visibleFrom: { type: 'string', format: 'date-time' },
      visibleUntil: { type: 'string', format: 'date-time' },
    },
    required: ['title', 'body', 'level', 'visibleFrom', 'visibleUntil'],
    additionalProperties: false,
  },
})

/** Read an announcement. */
export const getAdminAnnouncementsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: Announcement
}>('GET /api/admin/announcements/{id}', { openTo: ['staff'], permission: 'settings:view' })

/** Change an announcement or its period. At most 20 are visible at once. */
export const patchAdminAnnouncementsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly title?: string | undefined
    readonly body?: string | undefined
    readonly level?: 'INFO' | 'WARNING' | 'CRITICAL' | undefined
    readonly visibleFrom?: string | undefined
    readonly visibleUntil?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: Announcement
}>('PATCH /api/admin/announcements/{id}', {
  openTo: ['staff'],
  permission: 'settings:manage',
  body: {
    type: 'object',
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 200 },
      body: { type: 'string', minLength: 1, maxLength: 5000 },
      level: { type: 'string', enum: ['INFO', 'WARNING', 'CRITICAL'] },
      visibleFrom: { type: 'string', format: 'date-time' },
      visibleUntil: { type: 'string', format: 'date-time' },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Delete an announcement. */
export const deleteAdminAnnouncementsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/announcements/{id}', { openTo: ['staff'], permission: 'settings:manage' })

/** List the announcements that are visible now, newest first. */
export const getShopAnnouncements = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'createdAt' | '-createdAt' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly Announcement[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly Announcement[]
        readonly nextCursor: string | null
      }
}>('GET /api/shop/announcements', {
  openTo: ['customer'],
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Start one action on many targets, by ids or by a filter. Needs the action’s permission. A dry run only counts them. */
export const postAdminBulk = /*#__PURE__*/ operation<{
  readonly body: {
    readonly action:
      | 'customers.suspend'
      | 'customers.activate'
      | 'licenses.suspend'
      | 'licenses.resume'
      | 'licenses.revoke'
      | 'licenses.extend'
      | 'subscriptions.cancel'
    readonly ids?: readonly string[] | undefined
    /** Instead of ids: every target that matches all of it now, at most 10,000. */
    readonly filter?:
      | {
          readonly status?:
            | 'ACTIVE'
            | 'SUSPENDED'
            | 'ERASED'
            | 'REVOKED'
            | 'EXPIRED'
            | 'GRACE'
            | 'INCOMPLETE'
            | 'TRIALING'
            | 'PAST_DUE'
            | 'UNPAID'
            | 'PAUSED'
            | 'CANCELLED'
            | undefined
          readonly planSlug?: string | undefined
          readonly customerId?: string | undefined
          readonly expiresBefore?: string | undefined
          readonly createdAfter?: string | undefined
          readonly createdBefore?: string | undefined
        }
      | undefined
    readonly reason?: string | null | undefined
    /** Only for licenses.extend. */
    readonly expiresAt?: string | undefined
    /** Only count the targets and list the first of them. */
    readonly dryRun?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly data:
    | Bulk
    | {
        readonly action:
          | 'customers.suspend'
          | 'customers.activate'
          | 'licenses.suspend'
          | 'licenses.resume'
          | 'licenses.revoke'
          | 'licenses.extend'
          | 'subscriptions.cancel'
        readonly total: number
        readonly sample: readonly string[]
      }
}>('POST /api/admin/bulk', {
  openTo: ['staff'],
  body: {
    type: 'object',
    properties: {
      action: {
        type: 'string',
        enum: [
          'customers.suspend',
          'customers.activate',
          'licenses.suspend',
          'licenses.resume',
          'licenses.revoke',
          'licenses.extend',
          'subscriptions.cancel',
        ],
        'x-permissions': {
          'customers.suspend': 'customers:manage',
          'customers.activate': 'customers:manage',
          'licenses.suspend': 'licenses:manage',
          'licenses.resume': 'licenses:manage',
          'licenses.revoke': 'licenses:manage',
          'licenses.extend': 'licenses:manage',
          'subscriptions.cancel': 'subscriptions:manage',
        },
      },
      ids: { minItems: 1, maxItems: 2000, type: 'array', items: { type: 'string', format: 'uuid' } },
      filter: {
        description: 'Instead of ids: every target that matches all of it now, at most 10,000.',
        type: 'object',
        properties: {
          status: {
            type: 'string',
            enum: [
              'ACTIVE',
              'SUSPENDED',
              'ERASED',
              'REVOKED',
              'EXPIRED',
              'GRACE',
              'INCOMPLETE',
              'TRIALING',
              'PAST_DUE',
              'UNPAID',
              'PAUSED',
              'CANCELLED',
            ],
          },
          planSlug: { type: 'string', minLength: 1, maxLength: 100, 'x-names': 'plans' },
          customerId: { type: 'string', format: 'uuid', 'x-names': 'customers' },
          expiresBefore: { type: 'string', format: 'date-time' },
          createdAfter: { type: 'string', format: 'date-time' },
          createdBefore: { type: 'string', format: 'date-time' },
        },
        additionalProperties: false,
      },
      reason: { default: null, anyOf: [{ type: 'string', minLength: 1, maxLength: 500 }, { type: 'null' }] },
      expiresAt: { description: 'Only for licenses.extend.', type: 'string', format: 'date-time' },
      dryRun: { default: false, description: 'Only count the targets and list the first of them.', type: 'boolean' },
    },
    required: ['action'],
    additionalProperties: false,
    allOf: [{ oneOf: [{ required: ['ids'] }, { required: ['filter'] }] }],
    description: 'Give either ids or a filter, not both.',
  },
})

/** List the bulk actions whose permission I have, newest first. */
export const getAdminBulk = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly action?:
          | 'customers.suspend'
          | 'customers.activate'
          | 'licenses.suspend'
          | 'licenses.resume'
          | 'licenses.revoke'
          | 'licenses.extend'
          | 'subscriptions.cancel'
          | undefined
        readonly status?: 'RUNNING' | 'COMPLETED' | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'createdAt' | '-createdAt' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly {
          readonly id: string
          readonly action:
            | 'customers.suspend'
            | 'customers.activate'
            | 'licenses.suspend'
            | 'licenses.resume'
            | 'licenses.revoke'
            | 'licenses.extend'
            | 'subscriptions.cancel'
          readonly status: 'RUNNING' | 'COMPLETED'
          readonly total: number
          readonly done: number
          readonly skipped: number
          readonly failed: number
          readonly reason: string | null
          readonly requestedBy: string
          readonly createdAt: string
          readonly completedAt: string | null
        }[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly {
          readonly id: string
          readonly action:
            | 'customers.suspend'
            | 'customers.activate'
            | 'licenses.suspend'
            | 'licenses.resume'
            | 'licenses.revoke'
            | 'licenses.extend'
            | 'subscriptions.cancel'
          readonly status: 'RUNNING' | 'COMPLETED'
          readonly total: number
          readonly done: number
          readonly skipped: number
          readonly failed: number
          readonly reason: string | null
          readonly requestedBy: string
          readonly createdAt: string
          readonly completedAt: string | null
        }[]
        readonly nextCursor: string | null
      }
}>('GET /api/admin/bulk', {
  openTo: ['staff'],
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      action: {
        type: 'string',
        enum: [
          'customers.suspend',
          'customers.activate',
          'licenses.suspend',
          'licenses.resume',
          'licenses.revoke',
          'licenses.extend',
          'subscriptions.cancel',
        ],
      },
      status: { type: 'string', enum: ['RUNNING', 'COMPLETED'] },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Read the progress of a bulk action and its problems. Needs the permission of the action. */
export const getAdminBulkById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: Bulk
}>('GET /api/admin/bulk/{id}', { openTo: ['staff'] })

/** Export all customers, subscriptions, licenses, plans or features, oldest first, as NDJSON or CSV. Each export is recorded first. */
export const getAdminExportsByResource = /*#__PURE__*/ operation<{
  readonly params: {
    readonly resource: 'customers' | 'subscriptions' | 'licenses' | 'plans' | 'features'
  }
  readonly query?:
    | {
        readonly format?: 'ndjson' | 'csv' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data: Response
}>('GET /api/admin/exports/{resource}', {
  openTo: ['staff'],
  answers: 'stream',
  query: {
    type: 'object',
    properties: {
      format: { default: 'ndjson', type: 'string', enum: ['ndjson', 'csv'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Read business figures: customers, subscriptions and licenses by status, and monthly recurring revenue. */
export const getAdminMetricsSummary = /*#__PURE__*/ operation<{
  readonly data: {
    readonly at: string
    readonly customers: {
      readonly ACTIVE: number
      readonly SUSPENDED: number
      readonly ERASED: number
    }
    readonly newCustomers30Days: number
    readonly subscriptions: {
      readonly INCOMPLETE: number
      readonly TRIALING: number
      readonly ACTIVE: number
      readonly PAST_DUE: number
      readonly UNPAID: number
      readonly PAUSED: number
      readonly CANCELLED: number
      readonly EXPIRED: number
    }
    readonly licenses: {
      readonly REVOKED: number
      readonly SUSPENDED: number
      readonly EXPIRED: number
      readonly GRACE: number
      readonly ACTIVE: number
    }
    readonly monthlyRecurring: readonly {
      readonly currency: string
      /** In minor units. */
      readonly amount: number
      readonly subscriptions: number
      readonly seats: number
    }[]
  }
}>('GET /api/admin/metrics/summary', { openTo: ['staff'], permission: 'settings:view' })

/** Find what the caller may view by a whole id, key id, e-mail address, reference, or the id or invoice number of a payment. */
export const getAdminSearch = /*#__PURE__*/ operation<{
  readonly query: {
    readonly q: string
  }
  readonly data: {
    readonly items: readonly FoundRecord[]
  }
}>('GET /api/admin/search', {
  openTo: ['staff'],
  permission: 'customers:view',
  query: { type: 'object', properties: { q: { type: 'string', minLength: 1, maxLength: 320 } }, required: ['q'] },
})

/** List instances: panels that run under licenses. `q` finds an id, a key thumbprint, or a part of version, system or architecture. */
export const getAdminInstances = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly licenseId?: string | undefined
        readonly customerId?: string | undefined
        readonly status?: 'ACTIVE' | 'STALE' | 'DEACTIVATED' | undefined
        readonly version?: string | undefined
        readonly q?: string | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'activatedAt' | '-activatedAt' | 'version' | '-version' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly Instance[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly Instance[]
        readonly nextCursor: string | null
      }
}>('GET /api/admin/instances', {
  openTo: ['staff', 'token'],
  permission: 'instances:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      licenseId: { type: 'string', format: 'uuid', 'x-names': 'licenses' },
      customerId: { type: 'string', format: 'uuid', 'x-names': 'customers' },
      status: { type: 'string', enum: ['ACTIVE', 'STALE', 'DEACTIVATED'] },
      version: { type: 'string', maxLength: 64 },
      q: { type: 'string', minLength: 1, maxLength: 100 },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-activatedAt', type: 'string', enum: ['activatedAt', '-activatedAt', 'version', '-version'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Read an instance. STALE means that it missed three heartbeats; it keeps its slot. */
export const getAdminInstancesById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: Instance
}>('GET /api/admin/instances/{id}', { openTo: ['staff', 'token'], permission: 'instances:view' })

/** Free an instance’s activation slot. Its panel learns this at its next heartbeat. Do not put personal data in the reason. */
export const postAdminInstancesByIdDeactivate = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body?:
    | {
        readonly reason?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: Instance
}>('POST /api/admin/instances/{id}/deactivate', {
  openTo: ['staff', 'token'],
  permission: 'instances:manage',
  body: {
    default: {},
    type: 'object',
    properties: { reason: { type: 'string', minLength: 1, maxLength: 500 } },
    additionalProperties: false,
  },
})

/** Give a deactivated instance a free activation slot again. Answers 409 if no slot is free. */
export const postAdminInstancesByIdReactivate = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body?:
    | {
        readonly reason?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: Instance
}>('POST /api/admin/instances/{id}/reactivate', {
  openTo: ['staff', 'token'],
  permission: 'instances:manage',
  body: {
    default: {},
    type: 'object',
    properties: { reason: { type: 'string', minLength: 1, maxLength: 500 } },
    additionalProperties: false,
  },
})

/** Read the public keys that verify license keys, as a JWK set (RFC 7517) and as a manifest signed by the root key. Supports ETags. */
export const getV1LicenseKeys = /*#__PURE__*/ operation<{
  readonly data: {
    readonly keys: readonly {
      readonly kty: 'OKP'
      readonly crv: 'Ed25519'
      readonly x: string
      readonly kid: string
      readonly alg: 'EdDSA'
      readonly use: 'sig'
    }[]
    readonly manifest: string | null
  }
}>('GET /api/v1/license/keys', { openTo: [] })

/** Read the list of license keys revoked before their end, as a signed JWS. Its serial rises with every revocation. Supports ETags. */
export const getV1LicenseCrl = /*#__PURE__*/ operation<{
  readonly data: Response
}>('GET /api/v1/license/crl', { openTo: [], answers: 'stream' })

/** Search the audit trail: every change and every read of a license key, newest first. */
export const getAdminAudit = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly actor?: string | undefined
        readonly action?: string | undefined
        readonly subject?: string | undefined
        readonly requestId?: string | undefined
        readonly from?: string | undefined
        readonly to?: string | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'position' | '-position' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly AuditEntry[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly AuditEntry[]
        readonly nextCursor: string | null
      }
}>('GET /api/admin/audit', {
  openTo: ['staff'],
  permission: 'audit:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      actor: { type: 'string', maxLength: 100 },
      action: { type: 'string', maxLength: 100 },
      subject: { type: 'string', maxLength: 100 },
      requestId: { type: 'string', maxLength: 100 },
      from: { type: 'string', format: 'date-time' },
      to: { type: 'string', format: 'date-time' },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-position', type: 'string', enum: ['position', '-position'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** List every action that the audit trail can contain. */
export const getAdminAuditActions = /*#__PURE__*/ operation<{
  readonly data: {
    readonly actions: readonly {
      readonly action: string
      readonly subjectType: string
    }[]
  }
}>('GET /api/admin/audit/actions', { openTo: ['staff'], permission: 'audit:view' })

/** Verify the history against its hash chain and signed checkpoints, and name the first event that was altered. */
export const getAdminAuditVerify = /*#__PURE__*/ operation<{
  readonly data: {
    readonly valid: boolean
    readonly events: number
    readonly head: number
    readonly hash: string | null
    readonly after: number
    readonly checkpoint?:
      | {
          readonly position: number
          readonly hash: string
          readonly at: string
          readonly kid: string
          readonly jws: string
        }
      | undefined
    readonly firstBad?:
      | {
          readonly position: number
          readonly through: number
          readonly problem: 'missing' | 'inserted' | 'altered' | 'rewritten' | 'truncated' | 'forged'
          readonly suspect?: number | undefined
          readonly sentence: string
        }
      | undefined
  }
}>('GET /api/admin/audit/verify', { openTo: ['staff'], permission: 'audit:view' })

/** Export the audit trail, oldest first, as NDJSON or CSV. Takes the filters of the search. Each export is recorded. */
export const getAdminAuditExport = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly actor?: string | undefined
        readonly action?: string | undefined
        readonly subject?: string | undefined
        readonly requestId?: string | undefined
        readonly from?: string | undefined
        readonly to?: string | undefined
        readonly format?: 'ndjson' | 'csv' | undefined
      }
    | undefined
  readonly data: Response
}>('GET /api/admin/audit/export', {
  openTo: ['staff'],
  permission: 'audit:view',
  answers: 'stream',
  query: {
    type: 'object',
    properties: {
      actor: { type: 'string', maxLength: 100 },
      action: { type: 'string', maxLength: 100 },
      subject: { type: 'string', maxLength: 100 },
      requestId: { type: 'string', maxLength: 100 },
      from: { type: 'string', format: 'date-time' },
      to: { type: 'string', format: 'date-time' },
      format: { default: 'ndjson', type: 'string', enum: ['ndjson', 'csv'] },
    },
    required: [],
  },
})

/** List every event that a webhook can subscribe to, and the fields of its data. */
export const getAdminWebhooksEvents = /*#__PURE__*/ operation<{
  readonly data: {
    readonly events: readonly {
      readonly type: string
      readonly subjectType: string
      readonly fields: readonly string[]
    }[]
  }
}>('GET /api/admin/webhooks/events', { openTo: ['staff'], permission: 'settings:view' })

/** List webhooks. Their secrets are never returned. */
export const getAdminWebhooks = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly status?: 'PENDING' | 'ACTIVE' | 'DISABLED' | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'createdAt' | '-createdAt' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly Webhook[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly Webhook[]
        readonly nextCursor: string | null
      }
}>('GET /api/admin/webhooks', {
  openTo: ['staff'],
  permission: 'settings:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['PENDING', 'ACTIVE', 'DISABLED'] },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Create a webhook (Standard Webhooks). Its secret is returned only here. It receives events after it answered a ping with 2xx. */
export const postAdminWebhooks = /*#__PURE__*/ operation<{
  readonly body: {
    readonly url: string
    readonly events: readonly string[]
    readonly ordering?: 'subject' | 'none' | undefined
    readonly ed25519?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    readonly webhook: Webhook
    readonly secret: string
  }
}>('POST /api/admin/webhooks', {
  openTo: ['staff'],
  permission: 'settings:manage',
  shownOnce: ['secret'],
  body: {
    type: 'object',
    properties: {
      url: { type: 'string', minLength: 1, maxLength: 2048 },
      events: {
        minItems: 1,
        maxItems: 200,
        type: 'array',
        items: {
          anyOf: [
            { type: 'string', const: '*' },
            { type: 'string', pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$' },
          ],
        },
      },
      ordering: { default: 'subject', type: 'string', enum: ['subject', 'none'] },
      ed25519: { default: false, type: 'boolean' },
    },
    required: ['url', 'events'],
    additionalProperties: false,
  },
})

/** Read a webhook. */
export const getAdminWebhooksById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: Webhook
}>('GET /api/admin/webhooks/{id}', { openTo: ['staff'], permission: 'settings:view' })

/** Change, disable or enable a webhook. A new URL or an enabled webhook must answer a ping before its deliveries continue. */
export const patchAdminWebhooksById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly url?: string | undefined
    readonly events?: readonly string[] | undefined
    readonly ordering?: 'subject' | 'none' | undefined
    readonly ed25519?: boolean | undefined
    readonly active?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly data: Webhook
}>('PATCH /api/admin/webhooks/{id}', {
  openTo: ['staff'],
  permission: 'settings:manage',
  body: {
    type: 'object',
    properties: {
      url: { type: 'string', minLength: 1, maxLength: 2048 },
      events: {
        minItems: 1,
        maxItems: 200,
        type: 'array',
        items: {
          anyOf: [
            { type: 'string', const: '*' },
            { type: 'string', pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$' },
          ],
        },
      },
      ordering: { type: 'string', enum: ['subject', 'none'] },
      ed25519: { type: 'boolean' },
      active: { type: 'boolean' },
    },
    additionalProperties: false,
  },
})

/** Delete a webhook and its deliveries. */
export const deleteAdminWebhooksById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/webhooks/{id}', { openTo: ['staff'], permission: 'settings:manage' })

/** Send one ping to a webhook. The result is listed among its deliveries. */
export const postAdminWebhooksByIdPing = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: {
    readonly deliveryId: string
  }
}>('POST /api/admin/webhooks/{id}/ping', { openTo: ['staff'], permission: 'settings:manage' })

/** Create a new secret, returned only in this reply. The old one also signs for a day, or for overlapMinutes. */
export const postAdminWebhooksByIdRotateSecret = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body?:
    | {
        readonly overlapMinutes?: number | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: {
    readonly webhook: Webhook
    readonly secret: string
  }
}>('POST /api/admin/webhooks/{id}/rotate-secret', {
  openTo: ['staff'],
  permission: 'settings:manage',
  shownOnce: ['secret'],
  body: {
    default: {},
    type: 'object',
    properties: { overlapMinutes: { default: 1440, type: 'integer', minimum: 0, maximum: 1440 } },
    additionalProperties: false,
  },
})

/** List the deliveries of a webhook in the last 30 days, with the answer to every attempt. */
export const getAdminWebhooksByIdDeliveries = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly query?:
    | {
        readonly status?: 'WAITING' | 'DELIVERED' | 'FAILED' | undefined
        readonly type?: string | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
        readonly cursor?: string | undefined
        readonly limit?: number | undefined
        readonly sort?: 'createdAt' | '-createdAt' | undefined
        readonly createdAfter?: string | undefined
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        readonly items: readonly WebhookDelivery[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
    | {
        readonly items: readonly WebhookDelivery[]
        readonly nextCursor: string | null
      }
}>('GET /api/admin/webhooks/{id}/deliveries', {
  openTo: ['staff'],
  permission: 'settings:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['WAITING', 'DELIVERED', 'FAILED'] },
      type: { type: 'string', maxLength: 100 },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Repeat a delivery at once and out of order, with the same webhook-id. */
export const postAdminWebhooksDeliveriesByIdRedeliver = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: WebhookDelivery
}>('POST /api/admin/webhooks/deliveries/{id}/redeliver', { openTo: ['staff'], permission: 'settings:manage' })

/** Read the public key that verifies v1a signatures of a webhook, as a JWK set (RFC 7517). */
export const getWebhooksByIdKeys = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: {
    readonly keys: readonly {
      readonly kty: 'OKP'
      readonly crv: 'Ed25519'
      readonly x: string
      readonly kid: string
      readonly alg: 'EdDSA'
      readonly use: 'sig'
    }[]
  }
}>('GET /api/webhooks/{id}/keys', { openTo: [] })

/** Report whether the process answers. */
export const getHealth = /*#__PURE__*/ operation<{
  readonly data: {
    readonly status: 'ok'
  }
}>('GET /api/health', { openTo: [] })

/** Report whether the process is ready to work. `degraded`: events are parked or some requests get 503; the rest works. */
export const getHealthReady = /*#__PURE__*/ operation<{
  readonly data: {
    readonly status: 'ok' | 'degraded' | 'failing'
    readonly checks: { readonly [name: string]: 'ok' | 'degraded' | 'failing' }
    readonly notes?: { readonly [name: string]: string } | undefined
  }
}>('GET /api/health/ready', { openTo: [] })

/** Get the metrics in the Prometheus text format. Other addresses than the allowed ones get 404. */
export const getMetrics = /*#__PURE__*/ operation<{
  readonly data: Response
}>('GET /metrics', { openTo: [], answers: 'stream' })

/** Get the OpenAPI 3.1 document of this API. */
export const getOpenapiJson = /*#__PURE__*/ operation<{
  readonly data: string
}>('GET /api/openapi.json', { openTo: [] })

/** Get the documentation of this API as an HTML page. */
export const getDocs = /*#__PURE__*/ operation<{
  readonly data: Response
}>('GET /api/docs', { openTo: [], answers: 'stream' })

/** Describe this service as JSON and link to its documentation. A browser gets the first page. */
export const getRoot = /*#__PURE__*/ operation<{
  readonly data: Response
}>('GET /', { openTo: [], answers: 'stream' })
