/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

export type Plan = {
  /** The id of the record. */
  readonly id: string
  /** The short name of the plan, which never changes. */
  readonly slug: string
  /** Whether the plan can be sold. */
  readonly active: boolean
  /** The version. */
  readonly version: number
  /** The name that people read in lists. */
  readonly name: string
  /** The currency, as a code of ISO 4217. */
  readonly currency: string
  /** The price of one seat for a month. Null: not offered, or free. */
  readonly priceMonthly: number | null
  /** The price of one seat for a year. Null: not offered, or free. */
  readonly priceYearly: number | null
  /** Whether the plan costs nothing in either cycle. */
  readonly free: boolean
  /** Whether the shop offers the plan while it is active. */
  readonly public: boolean
  /** For how many days the plan can be tried. */
  readonly trialDays: number
  /** The machines on which a license may be active. */
  readonly maxActivations: number
  /** The most seats of one subscription. Null: no limit. */
  readonly maxSeats: number | null
  /** How many days a license still works after its end. */
  readonly graceDays: number
  /** How many days a panel works without reaching the service. */
  readonly offlineDays: number
  /** The seconds between two heartbeats of a panel. */
  readonly heartbeatSeconds: number
  /** After how many days without a heartbeat a slot is freed. 0: never. */
  readonly reclaimStaleAfterDays: number
  /** The features of the plan and their values. */
  readonly features: readonly PlanFeature[]
  /** When the record was created. */
  readonly createdAt: string
}

export type PlanVersion = {
  /** The version. */
  readonly version: number
  /** The currency, as a code of ISO 4217. */
  readonly currency: string
  /** The price of one seat for a month. Null: not offered, or free. */
  readonly priceMonthly: number | null
  /** The price of one seat for a year. Null: not offered, or free. */
  readonly priceYearly: number | null
  /** Whether the plan costs nothing in either cycle. */
  readonly free: boolean
  /** The features of the plan and their values. */
  readonly features: readonly {
    /** The name of the setting. */
    readonly key: string
    /** The value. */
    readonly value: boolean | number | string
    /** From when on the feature applies. Null: from the start. */
    readonly validFrom?: string | undefined
    /** Until when the feature applies. Null: to the end. */
    readonly validTo?: string | undefined
  }[]
}

export type Feature = {
  /** The id of the record. */
  readonly id: string
  /** The key by which plans and licenses name the feature. */
  readonly key: string
  /** The name that people read in lists. */
  readonly name: string
  /** The kind of the record. */
  readonly type: 'BOOLEAN' | 'INTEGER' | 'STRING'
  /** Whether the feature is archived: plans can no longer add it. */
  readonly archived: boolean
  /** When the record was created. */
  readonly createdAt: string
}

export type Staff = {
  /** The id of the record. */
  readonly id: string
  /** The e-mail address of the account. */
  readonly email: string
  /** The name that people read in lists. */
  readonly name: string
  /** The roles, which decide what the account may do. */
  readonly roles: readonly string[]
  /** The state of the record. */
  readonly status: 'INVITED' | 'ACTIVE'
  /** Whether the account has a second factor. */
  readonly totpEnabled: boolean
  /** When the record was created. */
  readonly createdAt: string
}

export type StaffProfile = {
  /** The id of the record. */
  readonly id: string
  /** The e-mail address of the account. */
  readonly email: string
  /** The name that people read in lists. */
  readonly name: string
  /** The roles, which decide what the account may do. */
  readonly roles: readonly string[]
  /** The names of the permissions. */
  readonly permissions: readonly string[]
  /** Whether the account has a second factor. */
  readonly totpEnabled: boolean
  /** Whether the account has to set up a second factor first. Until then it has no permission. */
  readonly secondFactorDue: boolean
  /** When the record was created. */
  readonly createdAt: string
}

export type Session = {
  /** The id of the record. */
  readonly id: string
  /** When the record was created. */
  readonly createdAt: string
  /** When the credential was used last. Null: never. */
  readonly lastUsedAt: string
  /** The address that the request came from. */
  readonly ip: string | null
  /** The browser or program, as it names itself. */
  readonly userAgent: string | null
  /** Whether it is the session of this request. */
  readonly current: boolean
}

export type MachineToken = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  /** The first characters of the secret, to recognise it. */
  readonly prefix: string
  /** What the token may do. */
  readonly permissions: readonly string[]
  /** Addresses and ranges from which the credential may be used. An empty list allows every address. */
  readonly allowedIps: readonly string[]
  /** When it ends. */
  readonly expiresAt: string | null
  /** The state of the record. */
  readonly status: 'ACTIVE' | 'REVOKED' | 'EXPIRED'
  /** When the record was created. */
  readonly createdAt: string
  /** The actor that created it. */
  readonly createdBy: string
  /** When the credential was used last. Null: never. */
  readonly lastUsedAt: string | null
  /** The address that it was used from last. */
  readonly lastUsedIp: string | null
  /** When it was revoked. Null: it is not. */
  readonly revokedAt: string | null
  /** The actor that revoked it. Null: it is not revoked. */
  readonly revokedBy: string | null
}

export type Customer = {
  /** The id of the record. */
  readonly id: string
  /** The e-mail address of the account. */
  readonly email: string
  /** The name that people read in lists. */
  readonly name: string | null
  /** The company of the customer. */
  readonly company: string | null
  /** The state of the record. */
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'ERASED'
  /** When the record was created. */
  readonly createdAt: string
}

export type Subscription = {
  /** The id of the record. */
  readonly id: string
  /** The customer. */
  readonly customerId: string
  /** The plan, by its slug. */
  readonly planSlug: string
  /** The version of the plan whose terms apply. */
  readonly planVersion: number
  /** The state of the record. */
  readonly status: 'INCOMPLETE' | 'TRIALING' | 'ACTIVE' | 'PAST_DUE' | 'UNPAID' | 'PAUSED' | 'CANCELLED' | 'EXPIRED'
  /** The number of seats. */
  readonly seats: number
  /** How often the subscription is billed. */
  readonly billingCycle: 'MONTHLY' | 'YEARLY'
  /** When the paid period has begun. */
  readonly currentPeriodStart: string
  /** When the paid period ends. */
  readonly currentPeriodEnd: string
  /** When the trial ends. Null: there is none. */
  readonly trialEndsAt: string | null
  /** Whether the subscription ends with its period. */
  readonly cancelAtPeriodEnd: boolean
  /** When it was cancelled. Null: it is not. */
  readonly cancelledAt: string | null
  /** The machines on which a license may be active. */
  readonly maxActivations: number
  /** The caller’s own name of the order. */
  readonly reference: string | null
  /** The change that waits for the end of the period. Null: none. */
  readonly scheduledChange: ScheduledChange | null
  /** The license. */
  readonly licenseId: string | null
}

export type ScheduledChange = {
  /** The plan, by its slug. */
  readonly planSlug?: string | undefined
  /** The version of the plan whose terms apply. */
  readonly planVersion?: number | undefined
  /** The number of seats. */
  readonly seats?: number | undefined
  /** How often the subscription is billed. */
  readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
  /** How the difference for the rest of the period is settled. */
  readonly proration: 'prorate' | 'invoice' | 'none'
  /** When the change takes effect. */
  readonly effectiveAt: string
}

export type License = {
  /** The id of the record. */
  readonly id: string
  /** The id of the license key, which is no secret. */
  readonly keyId: string
  /** The id of the signing key. */
  readonly kid: string
  /** Counts the signed keys of the license. */
  readonly seq: number
  /** The state of the record. */
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'REVOKED'
  /** The state at this moment, which also depends on the time. */
  readonly effectiveStatus: 'ACTIVE' | 'GRACE' | 'EXPIRED' | 'SUSPENDED' | 'REVOKED'
  /** The subscription. */
  readonly subscriptionId: string
  /** The customer. */
  readonly customerId: string
  /** The plan, by its slug. */
  readonly planSlug: string
  /** The number of seats. */
  readonly seats: number
  /** The machines on which a license may be active. */
  readonly maxActivations: number
  /** The machines that use an activation slot now. */
  readonly activeInstances: number
  /** When it was issued. */
  readonly issuedAt: string
  /** When it ends. */
  readonly expiresAt: string
  /** When the license stops working. */
  readonly graceEndsAt: string
  /** When it was suspended. Null: it is not. */
  readonly suspendedAt: string | null
  /** When it was revoked. Null: it is not. */
  readonly revokedAt: string | null
  /** Why, for readers of the audit trail. */
  readonly reason: string | null
  /** The license that took its place. Null: none did. */
  readonly replacedBy: string | null
}

export type Instance = {
  /** The id of the record. */
  readonly id: string
  /** The license. */
  readonly licenseId: string
  /** The state of the record. */
  readonly status: 'ACTIVE' | 'STALE' | 'DEACTIVATED'
  /** The name that people read in lists. */
  readonly name: string
  /** The host name of the machine. */
  readonly hostname: string
  /** The version. */
  readonly version: string
  /** The operating system of the machine. */
  readonly os: string
  /** The processor architecture of the machine. */
  readonly arch: string
  /** The address of the last activation or change. */
  readonly ip: string | null
  /** The thumbprint of the machine’s key (RFC 7638). */
  readonly keyThumbprint: string
  /** When the machine was activated. */
  readonly activatedAt: string
  /** When the panel last sent a heartbeat. Null: never. */
  readonly lastHeartbeatAt: string | null
  /** When the next heartbeat is due. Null: none is. */
  readonly nextHeartbeatDueAt: string | null
  /** When the slot was freed. Null: the machine uses it. */
  readonly deactivatedAt: string | null
  /** The actor that freed the slot. */
  readonly deactivatedBy: {
    /** The kind of the record. */
    readonly type: string
    /** The id of the record. */
    readonly id: string
  } | null
  /** What is unusual about the machine. */
  readonly flags: readonly ('CLONE_SUSPECTED' | 'FINGERPRINT_DRIFT')[]
}

export type Payment = {
  /** The id of the record. */
  readonly id: string
  /** The kind of the record. */
  readonly type: 'CHARGE' | 'REFUND' | 'CREDIT'
  /** The amount. */
  readonly amount: number
  /** The currency, as a code of ISO 4217. */
  readonly currency: string
  /** The state of the record. */
  readonly status: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED' | 'PARTIALLY_REFUNDED'
  /** The payment provider. `manual` is a payment by hand. */
  readonly provider: string
  /** The payment’s id at the provider. Null: it was made by hand. */
  readonly providerRef: string | null
  /** The number of the invoice. Null: there is none. */
  readonly invoiceNumber: string | null
  /** When it was paid. Null: not yet. */
  readonly paidAt: string | null
  /** The refunds of the payment. */
  readonly refunds: readonly PaymentEntry[]
  /** Objections of the customer’s bank. */
  readonly disputes: readonly Dispute[]
}

export type PaymentEntry = {
  /** The id of the record. */
  readonly id: string
  /** The kind of the record. */
  readonly type: 'CHARGE' | 'REFUND' | 'CREDIT'
  /** The amount. */
  readonly amount: number
  /** The currency, as a code of ISO 4217. */
  readonly currency: string
  /** The state of the record. */
  readonly status: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED' | 'PARTIALLY_REFUNDED'
  /** The payment provider. `manual` is a payment by hand. */
  readonly provider: string
  /** The payment’s id at the provider. Null: it was made by hand. */
  readonly providerRef: string | null
  /** The number of the invoice. Null: there is none. */
  readonly invoiceNumber: string | null
  /** When it was paid. Null: not yet. */
  readonly paidAt: string | null
}

export type Dispute = {
  /** The id of the record. */
  readonly id: string
  /** The state of the record. */
  readonly status: 'OPEN' | 'WON' | 'LOST' | 'DROPPED'
  /** The amount. */
  readonly amount: number
  /** The currency, as a code of ISO 4217. */
  readonly currency: string
  /** Why, for readers of the audit trail. */
  readonly reason: string
  /** The payment’s id at the provider. Null: it was made by hand. */
  readonly providerRef: string
  /** When the dispute was opened. */
  readonly openedAt: string
  /** When the dispute was closed. Null: it is open. */
  readonly closedAt: string | null
}

export type Invoice = {
  /** The id of the record. */
  readonly id: string
  /** The number of the invoice. */
  readonly number: string
  /** The kind of the record. */
  readonly kind: 'INVOICE' | 'CREDIT_NOTE'
  /** The subscription. */
  readonly subscriptionId: string
  /** The currency, as a code of ISO 4217. */
  readonly currency: string
  /** The parts of the amount, each with its label. */
  readonly lines: readonly {
    /** What names it to a reader. Null: it was erased, or never had a name. */
    readonly label: string
    /** The amount. */
    readonly amount: number
  }[]
  /** What was taken from the credit of the customer. */
  readonly credited: number
  /** The number of all records, on all pages. */
  readonly total: number
  /** When it was issued. */
  readonly issuedAt: string
  /** When the invoice is due. Null: it was paid when it was issued. */
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
  /** The place of the event in the history of this installation. */
  readonly position: number
  /** When it happened. */
  readonly at: string
  /** The caller that caused the event. */
  readonly actor: {
    /** The kind of the record. */
    readonly type: string
    /** The id of the record. */
    readonly id: string
    /** What names it to a reader. Null: it was erased, or never had a name. */
    readonly label: string | null
  }
  /** The kind of event that the entry is about. */
  readonly action: string
  /** The id of the request that caused the event. */
  readonly requestId: string
  /** The event in a sentence. */
  readonly sentence: string
  /** What the event says, without secrets and personal data. */
  readonly meta: { readonly [name: string]: Recursive1 }
}

export type CreditEntry = {
  /** The id of the record. */
  readonly id: string
  /** The kind of the record. */
  readonly kind: 'GRANTED' | 'SPENT' | 'RETURNED'
  /** The amount. */
  readonly amount: number
  /** The currency, as a code of ISO 4217. */
  readonly currency: string
  readonly paymentId: string
  /** Why, for readers of the audit trail. */
  readonly reason: string | null
  /** When the record was created. */
  readonly createdAt: string
}

export type SubscriptionPreview = {
  /** The terms of today. */
  readonly current: SubscriptionOffer
  /** The terms after the change. */
  readonly next: SubscriptionOffer
  /** The parts of the amount, each with its label. */
  readonly lines: readonly {
    /** What names it to a reader. Null: it was erased, or never had a name. */
    readonly label: string
    /** The amount. */
    readonly amount: number
  }[]
  /** What the customer gets back as credit. */
  readonly creditAmount: number
  /** What is charged at once. */
  readonly dueNow: number
  /** The next regular invoice. */
  readonly nextInvoice: {
    /** The day of the invoice. */
    readonly date: string
    /** The amount. */
    readonly amount: number
  }
  /** The license. */
  readonly license: {
    /** Whether the change issues a new license key. */
    readonly willReissue: boolean
    /** The machines beyond the new limit. */
    readonly slotsOverBy: number
  }
  /** When the change takes effect. */
  readonly effectiveAt: string
  /** Holds the price of a preview for ten minutes. */
  readonly previewToken: string
}

export type SubscriptionOffer = {
  /** The plan, by its slug. */
  readonly planSlug: string
  /** The version of the plan whose terms apply. */
  readonly planVersion: number
  /** The number of seats. */
  readonly seats: number
  /** How often the subscription is billed. */
  readonly billingCycle: 'MONTHLY' | 'YEARLY'
  /** The machines on which a license may be active. */
  readonly maxActivations: number
  /** The currency, as a code of ISO 4217. */
  readonly currency: string
  /** The price of one billing cycle. */
  readonly price: number
  /** When the paid period ends. */
  readonly currentPeriodEnd: string
}

export type LicenseAndKey = {
  /** The license. */
  readonly license: License
  /** The signed license key, which a panel is started with. */
  readonly licenseKey?: string | undefined
}

export type CustomerPayment = {
  /** The id of the record. */
  readonly id: string
  /** The kind of the record. */
  readonly type: 'CHARGE' | 'REFUND' | 'CREDIT'
  /** The amount. */
  readonly amount: number
  /** The currency, as a code of ISO 4217. */
  readonly currency: string
  /** The state of the record. */
  readonly status: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED' | 'PARTIALLY_REFUNDED'
  /** The payment provider. `manual` is a payment by hand. */
  readonly provider: string
  /** The payment’s id at the provider. Null: it was made by hand. */
  readonly providerRef: string | null
  /** The number of the invoice. Null: there is none. */
  readonly invoiceNumber: string | null
  /** When it was paid. Null: not yet. */
  readonly paidAt: string | null
  /** The refunds of the payment. */
  readonly refunds: readonly PaymentEntry[]
  /** Objections of the customer’s bank. */
  readonly disputes: readonly Dispute[]
  /** The customer. */
  readonly customerId: string
  /** The subscription. */
  readonly subscriptionId: string | null
  /** When the record was created. */
  readonly createdAt: string
}

export type CustomerInvoice = {
  /** The id of the record. */
  readonly id: string
  /** The number of the invoice. */
  readonly number: string
  /** The kind of the record. */
  readonly kind: 'INVOICE' | 'CREDIT_NOTE'
  /** The subscription. */
  readonly subscriptionId: string
  /** The currency, as a code of ISO 4217. */
  readonly currency: string
  /** The parts of the amount, each with its label. */
  readonly lines: readonly {
    /** What names it to a reader. Null: it was erased, or never had a name. */
    readonly label: string
    /** The amount. */
    readonly amount: number
  }[]
  /** What was taken from the credit of the customer. */
  readonly credited: number
  /** The number of all records, on all pages. */
  readonly total: number
  /** When it was issued. */
  readonly issuedAt: string
  /** When the invoice is due. Null: it was paid when it was issued. */
  readonly dueAt: string | null
  /** The customer. */
  readonly customerId: string
  readonly paymentId: string
  readonly corrects: string | null
}

export type Provisioning = {
  /** False: the call was a replay, or the account existed. */
  readonly created: boolean
  /** The customer. */
  readonly customer: {
    /** The id of the record. */
    readonly id: string
    /** The e-mail address of the account. */
    readonly email: string
    /** False: the call was a replay, or the account existed. */
    readonly created: boolean
  }
  /** The subscription. */
  readonly subscription: {
    /** The id of the record. */
    readonly id: string
    /** The plan, by its slug. */
    readonly planSlug: string
    /** The number of seats. */
    readonly seats: number
    /** The state of the record. */
    readonly status: 'INCOMPLETE' | 'TRIALING' | 'ACTIVE' | 'PAST_DUE' | 'UNPAID' | 'PAUSED' | 'CANCELLED' | 'EXPIRED'
  }
  /** The license. */
  readonly license: {
    /** The id of the record. */
    readonly id: string
    /** The id of the license key, which is no secret. */
    readonly keyId: string
    /** When it ends. */
    readonly expiresAt: string
  }
  /** The signed license key, which a panel is started with. */
  readonly licenseKey: string
  /** A shell command that installs a panel with this license. */
  readonly installCommand: string
}

export type CustomerProfile = {
  /** The id of the record. */
  readonly id: string
  /** The e-mail address of the account. */
  readonly email: string
  /** The name that people read in lists. */
  readonly name: string | null
  /** The company of the customer. */
  readonly company: string | null
  /** Whether the account has a second factor. */
  readonly totpEnabled: boolean
  /** When the record was created. */
  readonly createdAt: string
}

export type ShopPlan = {
  /** The short name of the plan, which never changes. */
  readonly slug: string
  /** The name that people read in lists. */
  readonly name: string
  /** The currency, as a code of ISO 4217. */
  readonly currency: string
  /** The price of one seat for a month. Null: not offered, or free. */
  readonly priceMonthly: number | null
  /** The price of one seat for a year. Null: not offered, or free. */
  readonly priceYearly: number | null
  /** Whether the plan costs nothing in either cycle. */
  readonly free: boolean
  /** For how many days the plan can be tried. */
  readonly trialDays: number
  /** The machines on which a license may be active. */
  readonly maxActivations: number
  /** The most seats of one subscription. Null: no limit. */
  readonly maxSeats: number | null
  /** The features of the plan and their values. */
  readonly features: readonly PlanFeature[]
}

export type OwnSubscription = {
  /** The id of the record. */
  readonly id: string
  /** The customer. */
  readonly customerId: string
  /** The plan, by its slug. */
  readonly planSlug: string
  /** The version of the plan whose terms apply. */
  readonly planVersion: number
  /** The state of the record. */
  readonly status: 'INCOMPLETE' | 'TRIALING' | 'ACTIVE' | 'PAST_DUE' | 'UNPAID' | 'PAUSED' | 'CANCELLED' | 'EXPIRED'
  /** The number of seats. */
  readonly seats: number
  /** How often the subscription is billed. */
  readonly billingCycle: 'MONTHLY' | 'YEARLY'
  /** When the paid period has begun. */
  readonly currentPeriodStart: string
  /** When the paid period ends. */
  readonly currentPeriodEnd: string
  /** When the trial ends. Null: there is none. */
  readonly trialEndsAt: string | null
  /** Whether the subscription ends with its period. */
  readonly cancelAtPeriodEnd: boolean
  /** When it was cancelled. Null: it is not. */
  readonly cancelledAt: string | null
  /** The machines on which a license may be active. */
  readonly maxActivations: number
  /** The change that waits for the end of the period. Null: none. */
  readonly scheduledChange: ScheduledChange | null
  /** The license. */
  readonly licenseId: string | null
}

export type OwnPayment = {
  /** The id of the record. */
  readonly id: string
  /** The kind of the record. */
  readonly type: 'CHARGE' | 'REFUND' | 'CREDIT'
  /** The amount. */
  readonly amount: number
  /** The currency, as a code of ISO 4217. */
  readonly currency: string
  /** The state of the record. */
  readonly status: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED' | 'PARTIALLY_REFUNDED'
  /** The payment provider. `manual` is a payment by hand. */
  readonly provider: string
  /** The number of the invoice. Null: there is none. */
  readonly invoiceNumber: string | null
  /** When it was paid. Null: not yet. */
  readonly paidAt: string | null
  /** The refunds of the payment. */
  readonly refunds: readonly OwnPaymentEntry[]
}

export type OwnPaymentEntry = {
  /** The id of the record. */
  readonly id: string
  /** The kind of the record. */
  readonly type: 'CHARGE' | 'REFUND' | 'CREDIT'
  /** The amount. */
  readonly amount: number
  /** The currency, as a code of ISO 4217. */
  readonly currency: string
  /** The state of the record. */
  readonly status: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED' | 'PARTIALLY_REFUNDED'
  /** The payment provider. `manual` is a payment by hand. */
  readonly provider: string
  /** The number of the invoice. Null: there is none. */
  readonly invoiceNumber: string | null
  /** When it was paid. Null: not yet. */
  readonly paidAt: string | null
}

export type OwnLicense = {
  /** The id of the record. */
  readonly id: string
  /** The id of the license key, which is no secret. */
  readonly keyId: string
  /** The id of the signing key. */
  readonly kid: string
  /** Counts the signed keys of the license. */
  readonly seq: number
  /** The state of the record. */
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'REVOKED'
  /** The state at this moment, which also depends on the time. */
  readonly effectiveStatus: 'ACTIVE' | 'GRACE' | 'EXPIRED' | 'SUSPENDED' | 'REVOKED'
  /** The subscription. */
  readonly subscriptionId: string
  /** The customer. */
  readonly customerId: string
  /** The plan, by its slug. */
  readonly planSlug: string
  /** The number of seats. */
  readonly seats: number
  /** The machines on which a license may be active. */
  readonly maxActivations: number
  /** The machines that use an activation slot now. */
  readonly activeInstances: number
  /** When it was issued. */
  readonly issuedAt: string
  /** When it ends. */
  readonly expiresAt: string
  /** When the license stops working. */
  readonly graceEndsAt: string
  /** When it was suspended. Null: it is not. */
  readonly suspendedAt: string | null
  /** When it was revoked. Null: it is not. */
  readonly revokedAt: string | null
  /** The license that took its place. Null: none did. */
  readonly replacedBy: string | null
}

export type OwnInstance = {
  /** The id of the record. */
  readonly id: string
  /** The license. */
  readonly licenseId: string
  /** The state of the record. */
  readonly status: 'ACTIVE' | 'STALE' | 'DEACTIVATED'
  /** The name that people read in lists. */
  readonly name: string
  /** The host name of the machine. */
  readonly hostname: string
  /** The version. */
  readonly version: string
  /** The operating system of the machine. */
  readonly os: string
  /** The processor architecture of the machine. */
  readonly arch: string
  /** The address of the last activation or change. */
  readonly ip: string | null
  /** The thumbprint of the machine’s key (RFC 7638). */
  readonly keyThumbprint: string
  /** When the machine was activated. */
  readonly activatedAt: string
  /** When the panel last sent a heartbeat. Null: never. */
  readonly lastHeartbeatAt: string | null
  /** When the next heartbeat is due. Null: none is. */
  readonly nextHeartbeatDueAt: string | null
  /** When the slot was freed. Null: the machine uses it. */
  readonly deactivatedAt: string | null
  /** What is unusual about the machine. */
  readonly flags: readonly ('CLONE_SUSPECTED' | 'FINGERPRINT_DRIFT')[]
}

export type Release = {
  /** The id of the record. */
  readonly id: string
  /** The version. */
  readonly version: string
  /** The channel of the release: `stable`, or `beta` for early ones. */
  readonly channel: 'stable' | 'beta'
  /** What is new, for readers of the release. */
  readonly notes: string
  /** When it was published. Null: not yet. */
  readonly publishedAt: string | null
  /** The files of the release. */
  readonly artifacts: readonly {
    /** The id of the record. */
    readonly id: string
    /** The name that people read in lists. */
    readonly name: string
    /** The size in bytes. */
    readonly size: number
    /** The SHA-256 of the file, in hexadecimal digits. */
    readonly sha256: string
    /** The id of the signing key. */
    readonly kid: string
    /** The signature. */
    readonly signature: string
    /** When the record was created. */
    readonly createdAt: string
    /** Where the file can be downloaded for a while. */
    readonly url: string
  }[]
}

export type Version = {
  /** The id of the record. */
  readonly id: string
  /** The version. */
  readonly version: string
  /** The channel of the release: `stable`, or `beta` for early ones. */
  readonly channel: 'stable' | 'beta'
  /** What is new, for readers of the release. */
  readonly notes: string
  /** The plan that a license needs for this release. Null: any. */
  readonly minPlan: string | null
  /** The state of the record. */
  readonly status: 'DRAFT' | 'PUBLISHED' | 'YANKED'
  /** When the record was created. */
  readonly createdAt: string
  /** When it was published. Null: not yet. */
  readonly publishedAt: string | null
  /** When the release was withdrawn. Null: it is not. */
  readonly yankedAt: string | null
  /** The files of the release. */
  readonly artifacts: readonly Artifact[]
}

export type Artifact = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  /** The size in bytes. */
  readonly size: number
  /** The SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string
  /** The id of the signing key. */
  readonly kid: string
  /** The signature. */
  readonly signature: string
  /** When the record was created. */
  readonly createdAt: string
}

export type SigningKey = {
  /** The id of the signing key. */
  readonly kid: string
  /** The state of the key. */
  readonly state: 'next' | 'current' | 'retiring' | 'retired' | 'compromised'
  /** The public key as a JWK. */
  readonly publicJwk: SigningKeyPublicJwk
  /** When the record was created. */
  readonly createdAt: string
  /** When the manifest first listed it. Null: not yet. */
  readonly publishedAt: string | null
  /** When the key began to sign. Null: not yet. */
  readonly promotedAt: string | null
  /** When the key stopped signing. Null: it signs. */
  readonly retiringAt: string | null
  /** When nothing that it signed can be in use. Null: it signs. */
  readonly retirableAt: string | null
  /** When the key was retired. Null: it is not. */
  readonly retiredAt: string | null
  /** When the key was declared compromised. Null: it is not. */
  readonly compromisedAt: string | null
  /** Why, for readers of the audit trail. */
  readonly reason: string | null
  /** Licenses whose present key it has signed, without revoked ones. */
  readonly licenses: number
}

export type Announcement = {
  /** The id of the record. */
  readonly id: string
  /** The heading. */
  readonly title: string
  /** The text, of one or more lines. */
  readonly body: string
  /** How important the notice is. */
  readonly level: 'INFO' | 'WARNING' | 'CRITICAL'
  /** From when on the notice is shown. */
  readonly visibleFrom: string
  /** Until when the notice is shown. */
  readonly visibleUntil: string
  /** When the record was created. */
  readonly createdAt: string
}

export type Bulk = {
  /** The id of the record. */
  readonly id: string
  /** What happens to each target. */
  readonly action:
    | 'customers.suspend'
    | 'customers.activate'
    | 'licenses.suspend'
    | 'licenses.resume'
    | 'licenses.revoke'
    | 'licenses.extend'
    | 'subscriptions.cancel'
  /** The state of the record. */
  readonly status: 'RUNNING' | 'COMPLETED'
  /** The number of all records, on all pages. */
  readonly total: number
  /** The targets that are finished. */
  readonly done: number
  /** The targets that were already in the wanted state. */
  readonly skipped: number
  /** The targets that could not be changed. */
  readonly failed: number
  /** Why, for readers of the audit trail. */
  readonly reason: string | null
  /** The actor that asked for it. */
  readonly requestedBy: string
  /** When the record was created. */
  readonly createdAt: string
  /** When the work was done. Null: not yet. */
  readonly completedAt: string | null
  /** The targets that failed, each with the reason. */
  readonly problems: readonly {
    /** The record that could not be changed. */
    readonly target: string
    /** The state of the record. */
    readonly status: 'SKIPPED' | 'FAILED'
    /** What happened, in a sentence. */
    readonly message: string
  }[]
}

export type Series = {
  readonly of: 'licenses' | 'subscriptions' | 'panels' | 'recurring' | 'new'
  readonly unit: 'COUNT' | 'MINOR'
  readonly points: readonly string[]
  /** The parts of the amount, each with its label. */
  readonly lines: readonly {
    /** The name that people read in lists. */
    readonly name: string
    readonly values: readonly number[]
  }[]
}

export type Health = {
  /** The state of the record. */
  readonly status: 'ok' | 'degraded'
  /** What an operator should do. Null: nothing. */
  readonly concern: string | null
  /** The position of the newest event. */
  readonly position: number
  /** The read models. */
  readonly readModels: {
    /** The number of read models. */
    readonly total: number
    /** The number of read models that have not applied every event. */
    readonly behind: number
    /** How many positions the slowest read model is behind. */
    readonly lag: number
    /** Events that could not be applied. */
    readonly parked: number
  }
  /** Work after events. */
  readonly work: {
    /** Reactions and timers that wait. */
    readonly waiting: number
    /** How long the oldest work waits, in seconds. */
    readonly oldestSeconds: number
    /** Those that failed and are tried again. */
    readonly failing: number
    /** How many seconds ago a worker counted this. Null: none has run yet. */
    readonly lookedSecondsAgo: number | null
  }
  /** The database. */
  readonly database: {
    /** The size in bytes. */
    readonly bytes: number
  }
  /** This process. */
  readonly process: {
    /** How long the process has run, in seconds. */
    readonly uptimeSeconds: number
    /** The memory of the process. */
    readonly memoryBytes: number
  }
}

export type FoundRecord = {
  /** The kind of the record. */
  readonly kind: 'customer' | 'subscription' | 'license' | 'instance'
  /** The id of the record. */
  readonly id: string
}

export type LeaseReply = {
  /** The machine. */
  readonly instance: {
    /** The id of the record. */
    readonly id: string
    /** The license. */
    readonly licenseId: string
    /** The state of the record. */
    readonly status: 'ACTIVE' | 'STALE' | 'DEACTIVATED'
    /** The version. */
    readonly version: string
    /** The operating system of the machine. */
    readonly os: string
    /** The processor architecture of the machine. */
    readonly arch: string
    /** The thumbprint of the machine’s key (RFC 7638). */
    readonly keyThumbprint: string
    /** When the machine was activated. */
    readonly activatedAt: string
    /** When the slot was freed. Null: the machine uses it. */
    readonly deactivatedAt: string | null
    /** When the panel last sent a heartbeat. Null: never. */
    readonly lastHeartbeatAt: string
    /** When the next heartbeat is due. Null: none is. */
    readonly nextHeartbeatDueAt: string | null
  }
  /** The signed lease, with which a panel works for a while without the service. */
  readonly lease: string
  /** When the next heartbeat is due. */
  readonly nextHeartbeatAt: string
  /** The newest license key. Null: the panel has it. */
  readonly licenseKey: string | null
  /** The time of the service. */
  readonly serverTime: string
}

export type AuditEntry = {
  /** The place of the event in the history of this installation. */
  readonly position: number
  /** When it happened. */
  readonly at: string
  /** The caller that caused the event. */
  readonly actor: {
    /** The kind of the record. */
    readonly type: string
    /** The id of the record. */
    readonly id: string
    /** What names it to a reader. Null: it was erased, or never had a name. */
    readonly label: string | null
    /** The address that the request came from. */
    readonly ip: string | null
  }
  /** The kind of event that the entry is about. */
  readonly action: string
  /** The record that the event is about. */
  readonly subject: {
    /** The kind of the record. */
    readonly type: string
    /** The id of the record. */
    readonly id: string
  }
  /** The id of the request that caused the event. */
  readonly requestId: string
  /** The event in a sentence. */
  readonly sentence: string
  /** What the event says, without secrets and personal data. */
  readonly meta: { readonly [name: string]: Recursive1 }
  /** The signed checkpoint that covers the entry: the first one at its position or later. null: none yet. */
  readonly checkpoint: {
    /** The place of the event in the history of this installation. */
    readonly position: number
    /** When it happened. */
    readonly at: string
  } | null
}

export type Webhook = {
  /** The id of the record. */
  readonly id: string
  /** Where messages are sent. */
  readonly url: string
  /** The names of the events that are sent; `*` is all of them. */
  readonly events: readonly string[]
  /** Whether messages about one record arrive in their order: `subject`, or `none` to be faster. */
  readonly ordering: 'subject' | 'none'
  /** Whether messages are also signed with an Ed25519 key. */
  readonly ed25519: boolean
  /** Verifies signatures of the form v1a. Null: there are none. */
  readonly publicKey: string | null
  /** The state of the record. */
  readonly status: 'PENDING' | 'ACTIVE' | 'DISABLED'
  /** Why no more messages are sent. Null: they are. */
  readonly disabledReason: 'STAFF' | 'GONE' | 'FAILING' | 'UNVERIFIED' | null
  /** When the record was created. */
  readonly createdAt: string
  /** When the receiver first answered with success. Null: not yet. */
  readonly verifiedAt: string | null
  /** Until then, messages are also signed with the previous secret. Null: they are not. */
  readonly oldSecretUntil: string | null
  /** Since when attempts fail. Null: the last one succeeded. */
  readonly failingSince: string | null
}

export type WebhookDelivery = {
  /** The id of the record. */
  readonly id: string
  /** The webhook. */
  readonly webhookId: string
  /** The kind of the record. */
  readonly type: string
  /** The record that the event is about. */
  readonly subject: {
    /** The kind of the record. */
    readonly type: string
    /** The id of the record. */
    readonly id: string
  }
  /** The state of the record. */
  readonly status: 'WAITING' | 'DELIVERED' | 'FAILED'
  /** How often the delivery was tried. */
  readonly attempts: number
  /** When the delivery is tried again. Null: not again. */
  readonly nextAttemptAt: string | null
  /** When the record was created. */
  readonly createdAt: string
  /** When the receiver answered with success. Null: not yet. */
  readonly deliveredAt: string | null
  /** Each attempt with its answer. */
  readonly tries: readonly {
    /** When it happened. */
    readonly at: string
    /** The state of the record. */
    readonly status: number | null
    /** Why the attempt failed. Null: it succeeded. */
    readonly error: string | null
    /** How long the attempt took, in ms. */
    readonly ms: number
  }[]
  /** The message as it is sent. */
  readonly payload: { readonly [name: string]: Recursive1 }
}

export type PlanFeature = {
  /** The key of a feature. */
  readonly key: string
  /** The value. */
  readonly value: boolean | number | string
  /** From when on the feature applies. Null: from the start. */
  readonly validFrom?: string | undefined
  /** Until when the feature applies. Null: to the end. */
  readonly validTo?: string | undefined
}

export type SigningKeyPublicJwk = {
  /** The type of the key. */
  readonly kty: 'OKP'
  /** The curve of the key. */
  readonly crv: 'Ed25519'
  /** The public key, in base64url. */
  readonly x: string
}

export type PlanFeatureInput = {
  /** The key of a feature. */
  readonly key: string
  /** The value of the feature, of its type. */
  readonly value: boolean | number | string
  /** From when on the feature applies. Null: from the start. */
  readonly validFrom?: string | undefined
  /** Until when the feature applies. Null: to the end. */
  readonly validTo?: string | undefined
}

export type PostAdminAuthLoginBody = {
  /** The e-mail address of the account. */
  readonly email: string
  /** The password of the account. */
  readonly password: string
  /** A code of the authenticator app, or a backup code, if the account has a second factor. */
  readonly totp?: string | undefined
}

export type PostAdminAuthLoginAnswer = {
  /** The bearer token of the session, valid for 15 minutes. */
  readonly accessToken: string
  /** The account that has signed in. */
  readonly user: StaffProfile
}

export type PostAdminAuthPasswordBody = {
  /** The password of today. */
  readonly current: string
  /** A passphrase that is hard to guess, of at least 15 characters, or 8 if the account has a second factor. */
  readonly new: string
}

export type PostAdminAuthSetPasswordBody = {
  /** The token of the mailed link. */
  readonly token: string
  /** A passphrase that is hard to guess, of at least 15 characters, or 8 if the account has a second factor. */
  readonly password: string
}

export type PostAdminAuth2faSetupAnswer = {
  /** The secret. It is shown only here. */
  readonly secret: string
  /** The address that an authenticator app reads from a QR code. */
  readonly otpauthUrl: string
}

export type GetAdminAuthSessionsQuery = {
  /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
  readonly page?: number | undefined
  /** The number of records in a page. */
  readonly pageSize?: number | undefined
  /** The `nextCursor` of the page before. Not together with `page`. */
  readonly cursor?: string | undefined
  /** The number of records in this answer, with `cursor`. */
  readonly limit?: number | undefined
  /** The column of the order. A minus sign reverses it. */
  readonly sort?: 'createdAt' | '-createdAt' | undefined
  /** Only records that were created later than this. */
  readonly createdAfter?: string | undefined
  /** Only records that were created earlier than this. */
  readonly createdBefore?: string | undefined
}

export type PatchAdminCustomersByIdBody = {
  /** The name that people read in lists. */
  readonly name?: string | null | undefined
  /** The company of the customer. */
  readonly company?: string | null | undefined
}

export type GetAdminCustomersByIdExportAnswer = {
  /** When the file was made. */
  readonly exportedAt: string
  /** The customer. */
  readonly customer: Customer
  /** The subscriptions. */
  readonly subscriptions: readonly Subscription[]
  /** The licenses. */
  readonly licenses: readonly License[]
  /** The machines. */
  readonly instances: readonly Instance[]
  /** The payments of the customer. */
  readonly payments: readonly Payment[]
  /** The invoices of the customer. */
  readonly invoices: readonly Invoice[]
  /** The events about the customer. */
  readonly audit: readonly {
    /** The place of the event in the history of this installation. */
    readonly position: number
    /** When it happened. */
    readonly at: string
    /** The caller that caused the event. */
    readonly actor: {
      /** The kind of the record. */
      readonly type: string
      /** The id of the record. */
      readonly id: string
    }
    /** The kind of event that the entry is about. */
    readonly action: string
    /** The record that the event is about. */
    readonly subject: {
      /** The kind of the record. */
      readonly type: string
      /** The id of the record. */
      readonly id: string
    }
    /** The event in a sentence. */
    readonly sentence: string
    /** What the event says, without secrets and personal data. */
    readonly meta: { readonly [name: string]: Recursive1 }
  }[]
  /** The number of all events about the customer. */
  readonly auditTotal: number
}

export type GetAdminCustomersByIdHistoryQuery = {
  /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
  readonly page?: number | undefined
  /** The number of records in a page. */
  readonly pageSize?: number | undefined
  /** The `nextCursor` of the page before. Not together with `page`. */
  readonly cursor?: string | undefined
  /** The number of records in this answer, with `cursor`. */
  readonly limit?: number | undefined
  /** The column of the order. A minus sign reverses it. */
  readonly sort?: 'position' | '-position' | undefined
  /** Only records that were created later than this. */
  readonly createdAfter?: string | undefined
  /** Only records that were created earlier than this. */
  readonly createdBefore?: string | undefined
}

export type GetAdminCustomersByIdHistoryAnswer =
  | {
      /** The records of this page. */
      readonly items: readonly HistoryEntry[]
      /** The number of all records, on all pages. */
      readonly total: number
      /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
      readonly page: number
      /** The number of records in a page. */
      readonly pageSize: number
    }
  | {
      /** The records of this page. */
      readonly items: readonly HistoryEntry[]
      /** Send it as `cursor` to get the next page. Null: this is the last page. */
      readonly nextCursor: string | null
    }

export type GetAdminSubscriptionsByIdPaymentsQuery = {
  /** The state of the record. */
  readonly status?: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED' | 'PARTIALLY_REFUNDED' | undefined
  /** The kind of the record. */
  readonly type?: 'CHARGE' | 'CREDIT' | undefined
  /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
  readonly page?: number | undefined
  /** The number of records in a page. */
  readonly pageSize?: number | undefined
  /** The `nextCursor` of the page before. Not together with `page`. */
  readonly cursor?: string | undefined
  /** The number of records in this answer, with `cursor`. */
  readonly limit?: number | undefined
  /** The column of the order. A minus sign reverses it. */
  readonly sort?: 'createdAt' | '-createdAt' | undefined
  /** Only records that were created later than this. */
  readonly createdAfter?: string | undefined
  /** Only records that were created earlier than this. */
  readonly createdBefore?: string | undefined
}

export type GetAdminLicensesByIdKeyAnswer = {
  /** The id of the license key, which is no secret. */
  readonly keyId: string
  /** The signed license key, which a panel is started with. */
  readonly licenseKey: string
  /** When it ends. */
  readonly expiresAt: string
}

export type PostAdminLicensesByIdOfflineLeaseAnswer = {
  /** The format of the file. */
  readonly format: 'daybook-lease-file'
  /** The version. */
  readonly version: 1
  /** The signed license key, which a panel is started with. */
  readonly licenseKey: string
  /** The signed lease, with which a panel works for a while without the service. */
  readonly lease: string
  /** The signed list of keys that verify leases. */
  readonly manifest: string
}

export type PostAdminLicensesByIdReissueBody = {
  /** leaked: the old key and all earlier ones are refused at once; routine: for 72 hours the old key leads a panel to the new one. */
  readonly mode: 'leaked' | 'routine'
}

export type WebhookKey = {
  /** The type of the key. */
  readonly kty: 'OKP'
  /** The curve of the key. */
  readonly crv: 'Ed25519'
  /** The public key, in base64url. */
  readonly x: string
  /** The id of the signing key. */
  readonly kid: string
  /** The algorithm of the signature. */
  readonly alg: 'EdDSA'
  /** What the key is for. */
  readonly use: 'sig'
}

export type PostShopAuthLoginAnswer = {
  /** The bearer token of the session, valid for 15 minutes. */
  readonly accessToken: string
  /** The account that has signed in. */
  readonly user: CustomerProfile
}

export type GetShopAnnouncementsAnswer =
  | {
      /** The records of this page. */
      readonly items: readonly Announcement[]
      /** The number of all records, on all pages. */
      readonly total: number
      /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
      readonly page: number
      /** The number of records in a page. */
      readonly pageSize: number
    }
  | {
      /** The records of this page. */
      readonly items: readonly Announcement[]
      /** Send it as `cursor` to get the next page. Null: this is the last page. */
      readonly nextCursor: string | null
    }

export type SettingItem = {
  /** The name of the setting. */
  readonly key: 'shopRegistration' | 'requireSecondFactor'
  /** The value. */
  readonly value: boolean | number | string
  /** The value while none is set. */
  readonly usual: boolean | number | string
  /** What the setting decides. */
  readonly does: string
  /** When the value was set last. Null: never. */
  readonly changedAt: string | null
}

export type PostAdminBulkAnswer =
  | Bulk
  | {
      /** What happens to each target. */
      readonly action:
        | 'customers.suspend'
        | 'customers.activate'
        | 'licenses.suspend'
        | 'licenses.resume'
        | 'licenses.revoke'
        | 'licenses.extend'
        | 'subscriptions.cancel'
      /** The number of all records, on all pages. */
      readonly total: number
      /** The first of the targets. */
      readonly sample: readonly string[]
    }

export type BulkItem = {
  /** The id of the record. */
  readonly id: string
  /** What happens to each target. */
  readonly action:
    | 'customers.suspend'
    | 'customers.activate'
    | 'licenses.suspend'
    | 'licenses.resume'
    | 'licenses.revoke'
    | 'licenses.extend'
    | 'subscriptions.cancel'
  /** Only targets in this state. */
  readonly status: 'RUNNING' | 'COMPLETED'
  /** The number of all records, on all pages. */
  readonly total: number
  /** The targets that are finished. */
  readonly done: number
  /** The targets that were already in the wanted state. */
  readonly skipped: number
  /** The targets that could not be changed. */
  readonly failed: number
  /** Why, for readers of the audit trail. */
  readonly reason: string | null
  /** The actor that asked for it. */
  readonly requestedBy: string
  /** When the record was created. */
  readonly createdAt: string
  /** When the work was done. Null: not yet. */
  readonly completedAt: string | null
}
