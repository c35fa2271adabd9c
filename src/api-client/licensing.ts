/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from './operation.ts'

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
  readonly features: readonly {
    /** The key of a feature. */
    readonly key: string
    /** The value. */
    readonly value: boolean | number | string
    /** From when on the feature applies. Null: from the start. */
    readonly validFrom?: string | undefined
    /** Until when the feature applies. Null: to the end. */
    readonly validTo?: string | undefined
  }[]
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
  readonly effectiveStatus: 'REVOKED' | 'SUSPENDED' | 'EXPIRED' | 'GRACE' | 'ACTIVE'
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
  readonly features: readonly {
    /** The key of a feature. */
    readonly key: string
    /** The value. */
    readonly value: boolean | number | string
    /** From when on the feature applies. Null: from the start. */
    readonly validFrom?: string | undefined
    /** Until when the feature applies. Null: to the end. */
    readonly validTo?: string | undefined
  }[]
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
  readonly effectiveStatus: 'REVOKED' | 'SUSPENDED' | 'EXPIRED' | 'GRACE' | 'ACTIVE'
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
  readonly publicJwk: {
    /** The type of the key. */
    readonly kty: 'OKP'
    /** The curve of the key. */
    readonly crv: 'Ed25519'
    /** The public key, in base64url. */
    readonly x: string
  }
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
  'customer.registered': ['customers', 'metrics'],
  'customer.changed': ['customers'],
  'provisioning.completed': ['customers'],
  'customer.subscribed': ['customers'],
  'customer.suspended': ['customers', 'metrics'],
  'customer.activated': ['customers', 'metrics'],
  'customer.erased': ['customers', 'metrics'],
  'customer.exported': ['customers'],
  'subscription.created': ['subscriptions', 'metrics'],
  'subscription.cancelled': ['subscriptions', 'metrics'],
  'subscription.cancellation_scheduled': ['subscriptions'],
  'subscription.cancellation_withdrawn': ['subscriptions'],
  'subscription.paused': ['subscriptions', 'metrics'],
  'subscription.resumed': ['subscriptions', 'metrics'],
  'subscription.changed': ['subscriptions', 'metrics'],
  'subscription.change_scheduled': ['subscriptions'],
  'subscription.change_withdrawn': ['subscriptions'],
  'subscription.renewed': ['subscriptions'],
  'subscription.activated': ['subscriptions', 'metrics'],
  'subscription.payment_failed': ['subscriptions', 'metrics'],
  'subscription.recovered': ['subscriptions', 'metrics'],
  'subscription.unpaid': ['subscriptions', 'metrics'],
  'subscription.expired': ['subscriptions', 'metrics'],
  'license.issued': ['subscriptions', 'licenses', 'metrics', 'license-api'],
  'license.revoked': ['subscriptions', 'licenses', 'metrics', 'license-api'],
  'license.suspended': ['subscriptions', 'licenses', 'metrics'],
  'license.resumed': ['subscriptions', 'licenses', 'metrics'],
  'license.extended': ['subscriptions', 'licenses', 'metrics', 'license-api'],
  'license.reissued': ['subscriptions', 'licenses', 'license-api'],
  'license.resigned': ['subscriptions', 'licenses', 'metrics', 'license-api'],
  'license.entered_grace': ['subscriptions', 'licenses', 'metrics'],
  'license.expired': ['subscriptions', 'licenses', 'metrics'],
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
  'instance.activated': ['metrics', 'instances'],
  'instance.deactivated': ['metrics', 'instances'],
  'instance.reactivated': ['metrics', 'instances'],
  'instance.rebound': ['instances'],
  'instance.changed': ['instances'],
  'instance.fingerprint_changed': ['instances'],
  'instance.marked_stale': ['metrics', 'instances'],
  'instance.returned': ['metrics', 'instances'],
  'instance.flagged': ['instances'],
  'slots.released': ['metrics', 'instances'],
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
        /** Whether the plan can be sold. */
        readonly active?: 'true' | 'false' | undefined
        /** The short name of the plan, which never changes. */
        readonly slug?: string | undefined
        /** A search text: part of a name, or a whole id, address or key id. */
        readonly q?: string | undefined
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'createdAt' | '-createdAt' | 'slug' | '-slug' | 'name' | '-name' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Plan[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Plan[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** The short name of the plan, which never changes. */
    readonly slug: string
    /** Whether the plan can be sold. */
    readonly active?: boolean | undefined
    /** The name that people read in lists. */
    readonly name: string
    /** The currency, as a code of ISO 4217. */
    readonly currency?: string | undefined
    /** Without a price, the monthly cycle is not offered. */
    readonly priceMonthly?: number | null | undefined
    /** Without a price, the yearly cycle is not offered. */
    readonly priceYearly?: number | null | undefined
    /** Costs nothing in either cycle. Cannot be combined with a price. */
    readonly free?: boolean | undefined
    /** Offered in the shop while the plan is active. */
    readonly public?: boolean | undefined
    /** For how many days the plan can be tried. */
    readonly trialDays?: number | undefined
    /** The machines on which a license may be active. */
    readonly maxActivations?: number | undefined
    /** The most seats of one subscription. Null: no limit. */
    readonly maxSeats?: number | null | undefined
    /** How many days a license still works after its end. */
    readonly graceDays?: number | undefined
    /** How many days a panel works without reaching the service. */
    readonly offlineDays?: number | undefined
    /** The seconds between two heartbeats of a panel. */
    readonly heartbeatSeconds?: number | undefined
    /** After how many days without a heartbeat a slot is freed. 0: never. */
    readonly reclaimStaleAfterDays?: number | undefined
    /** The features of the plan and their values. Each key stands once. */
    readonly features?:
      | readonly {
          /** The key of a feature. */
          readonly key: string
          /** The value of the feature, of its type. */
          readonly value: boolean | number | string
          /** From when on the feature applies. Null: from the start. */
          readonly validFrom?: string | undefined
          /** Until when the feature applies. Null: to the end. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Plan
}>('GET /api/admin/plans/{id}', { openTo: ['staff', 'token'], permission: 'plans:view' })

/** Change a plan. Changed prices, free or features make a new version; existing subscriptions keep theirs. */
export const patchAdminPlansById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name?: string | undefined
    /** The currency, as a code of ISO 4217. */
    readonly currency?: string | undefined
    /** The price of one seat for a month. Null: not offered, or free. */
    readonly priceMonthly?: number | null | undefined
    /** The price of one seat for a year. Null: not offered, or free. */
    readonly priceYearly?: number | null | undefined
    /** Whether the plan costs nothing in either cycle. */
    readonly free?: boolean | undefined
    /** Whether the shop offers the plan while it is active. */
    readonly public?: boolean | undefined
    /** For how many days the plan can be tried. */
    readonly trialDays?: number | undefined
    /** The machines on which a license may be active. */
    readonly maxActivations?: number | undefined
    /** The most seats of one subscription. Null: no limit. */
    readonly maxSeats?: number | null | undefined
    /** How many days a license still works after its end. */
    readonly graceDays?: number | undefined
    /** How many days a panel works without reaching the service. */
    readonly offlineDays?: number | undefined
    /** The seconds between two heartbeats of a panel. */
    readonly heartbeatSeconds?: number | undefined
    /** After how many days without a heartbeat a slot is freed. 0: never. */
    readonly reclaimStaleAfterDays?: number | undefined
    /** The features of the plan and their values. Each key stands once. */
    readonly features?:
      | readonly {
          /** The key of a feature. */
          readonly key: string
          /** The value of the feature, of its type. */
          readonly value: boolean | number | string
          /** From when on the feature applies. Null: from the start. */
          readonly validFrom?: string | undefined
          /** Until when the feature applies. Null: to the end. */
          readonly validTo?: string | undefined
        }[]
      | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
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

/** List the versions of a plan, newest first, the present one included: its prices and features at each. */
export const getAdminPlansByIdVersions = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    readonly versions: readonly PlanVersion[]
  }
}>('GET /api/admin/plans/{id}/versions', { openTo: ['staff', 'token'], permission: 'plans:view' })

/** Open a plan for new subscriptions. */
export const postAdminPlansByIdActivate = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly active: unknown }
  readonly data: Plan
}>('POST /api/admin/plans/{id}/activate', {
  openTo: ['staff', 'token'],
  permission: 'plans:manage',
  from: { active: [false] },
})

/** Close a plan for new subscriptions and licenses. Existing ones stay valid. */
export const postAdminPlansByIdDeactivate = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly active: unknown }
  readonly data: Plan
}>('POST /api/admin/plans/{id}/deactivate', {
  openTo: ['staff', 'token'],
  permission: 'plans:manage',
  from: { active: [true] },
})

/** Copy the terms of a plan to a new plan with its own slug. The copy is closed and not public. */
export const postAdminPlansByIdClone = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The short name of the plan, which never changes. */
    readonly slug: string
    /** The name that people read in lists. */
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
        /** The key by which plans and licenses name the feature. */
        readonly key?: string | undefined
        /** The kind of value that plans give to the feature. */
        readonly type?: 'BOOLEAN' | 'INTEGER' | 'STRING' | undefined
        /** Whether the feature is archived: plans can no longer add it. */
        readonly archived?: 'true' | 'false' | undefined
        /** A search text: part of a name, or a whole id, address or key id. */
        readonly q?: string | undefined
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'createdAt' | '-createdAt' | 'key' | '-key' | 'name' | '-name' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Feature[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Feature[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** The key by which plans and licenses name the feature. */
    readonly key: string
    /** The name that people read in lists. */
    readonly name: string
    /** The kind of value that plans give to the feature. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Feature
}>('GET /api/admin/features/{id}', { openTo: ['staff', 'token'], permission: 'features:view' })

/** Rename or archive a feature. Plans that have an archived feature keep it; no other plan can add it. */
export const patchAdminFeaturesById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name?: string | undefined
    /** Whether the feature is archived: plans can no longer add it. */
    readonly archived?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
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
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/features/{id}', { openTo: ['staff', 'token'], permission: 'features:manage' })

/** List the staff. `q` finds an id or a whole e-mail address in any spelling; addresses and names are encrypted. */
export const getAdminStaff = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The state of the record. */
        readonly status?: 'INVITED' | 'ACTIVE' | undefined
        /** Only staff with this role. */
        readonly role?: 'SUPERADMIN' | 'BILLING' | 'SUPPORT' | 'RELEASE' | 'AUDITOR' | undefined
        /** A search text: part of a name, or a whole id, address or key id. */
        readonly q?: string | undefined
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
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Staff[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Staff[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** The e-mail address of the account. */
    readonly email: string
    /** The name that people read in lists. */
    readonly name: string
    /** The roles, which decide what the account may do. */
    readonly roles: readonly ('SUPERADMIN' | 'BILLING' | 'SUPPORT' | 'RELEASE' | 'AUDITOR')[]
  }
  readonly key?: string | undefined
  readonly data: {
    /** The account. */
    readonly staff: Staff
    /** The link for setting a password, if no mail can be sent. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name?: string | undefined
    /** The roles, which decide what the account may do. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/staff/{id}', { openTo: ['staff'], permission: 'staff:manage', stepUp: true })

/** Remove the second factor of a member of staff who has lost it. All sessions of the account end; the password stays. */
export const postAdminStaffByIdReset2fa = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly totpEnabled: unknown }
  readonly data: Staff
}>('POST /api/admin/staff/{id}/reset-2fa', {
  openTo: ['staff'],
  permission: 'staff:manage',
  stepUp: true,
  from: { totpEnabled: [true] },
})

/** Sign in. `totp` takes six digits or a backup code. Sets the refresh token as a cookie; 401 with TOTP_REQUIRED asks for the code. */
export const postAdminAuthLogin = /*#__PURE__*/ operation<{
  readonly body: {
    /** The e-mail address of the account. */
    readonly email: string
    /** The password of the account. */
    readonly password: string
    /** A code of the authenticator app, or a backup code, if the account has a second factor. */
    readonly totp?: string | undefined
  }
  readonly data: {
    /** The bearer token of the session, valid for 15 minutes. */
    readonly accessToken: string
    /** The account that has signed in. */
    readonly user: StaffProfile
  }
}>('POST /api/admin/auth/login', {
  openTo: [],
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', minLength: 1, maxLength: 320 },
      password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
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
    /** The bearer token of the session, valid for 15 minutes. */
    readonly accessToken: string
    /** The account that has signed in. */
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
    /** The password of today. */
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
      current: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
      new: {
        type: 'string',
        minLength: 8,
        maxLength: 256,
        format: 'password',
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
    /** The token of the mailed link. */
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
        format: 'password',
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
        /** A code of the authenticator app, or a backup code. */
        readonly code: string
      }
    | {
        /** The password of the account. */
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
        properties: { password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' } },
        required: ['password'],
        additionalProperties: false,
      },
    ],
  },
})

/** Start to set up a second factor. Needs the password. Only this session can enable the secret, within ten minutes. */
export const postAdminAuth2faSetup = /*#__PURE__*/ operation<{
  readonly body: {
    /** The password of the account. */
    readonly password: string
  }
  readonly key?: string | undefined
  readonly data: {
    /** The secret. It is shown only here. */
    readonly secret: string
    /** The address that an authenticator app reads from a QR code. */
    readonly otpauthUrl: string
  }
}>('POST /api/admin/auth/2fa/setup', {
  openTo: ['staff'],
  shownOnce: ['secret', 'otpauthUrl'],
  body: {
    type: 'object',
    properties: { password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' } },
    required: ['password'],
    additionalProperties: false,
  },
})

/** Enable the second factor by the password and a first code. Returns ten backup codes once and ends the other sessions. */
export const postAdminAuth2faEnable = /*#__PURE__*/ operation<{
  readonly body: {
    /** The password of the account. */
    readonly password: string
    /** A code of the authenticator app, or a backup code. */
    readonly code: string
  }
  readonly key?: string | undefined
  readonly data: {
    /** Codes that replace a code of the second factor, each once. They are shown only here. */
    readonly backupCodes: readonly string[]
  }
}>('POST /api/admin/auth/2fa/enable', {
  openTo: ['staff'],
  shownOnce: ['backupCodes'],
  body: {
    type: 'object',
    properties: {
      password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
      code: { type: 'string', maxLength: 64 },
    },
    required: ['password', 'code'],
    additionalProperties: false,
  },
})

/** Disable the second factor by the password, which must satisfy the policy without it, and a new code. Ends other sessions. */
export const postAdminAuth2faDisable = /*#__PURE__*/ operation<{
  readonly body: {
    /** The password of the account. */
    readonly password: string
    /** A code of the authenticator app, or a backup code. */
    readonly code: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/admin/auth/2fa/disable', {
  openTo: ['staff'],
  body: {
    type: 'object',
    properties: {
      password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
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
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Session[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Session[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/auth/sessions/{id}', { openTo: ['staff'] })

/** List machine tokens, including revoked and expired ones. Last use is a sign of life, not an access log. */
export const getAdminMachineTokens = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The state of the record. */
        readonly status?: 'ACTIVE' | 'REVOKED' | 'EXPIRED' | undefined
        /** A search text: part of a name, or a whole id, address or key id. */
        readonly q?: string | undefined
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'createdAt' | '-createdAt' | 'name' | '-name' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly MachineToken[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly MachineToken[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** The name that people read in lists. */
    readonly name: string
    /** What a token can never hold, and unknown permissions, are left out. At least one must remain. */
    readonly permissions: readonly string[]
    /** Where the credential may be used. An empty list allows every address. Every address together is refused. */
    readonly allowedIps?: readonly string[] | undefined
    /** In the future and less than 365 days ahead. Null: no end. A token with `versions:manage` needs one within 90 days. */
    readonly expiresAt?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    /** The token of the mailed link. */
    readonly token: MachineToken
    /** The secret. It is shown only here. */
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
      expiresAt: {
        default: null,
        description:
          'In the future and less than 365 days ahead. Null: no end. A token with `versions:manage` needs one within 90 days.',
        anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }],
      },
    },
    required: ['name', 'permissions'],
    additionalProperties: false,
  },
})

/** Read a machine token. Its secret is never returned. */
export const getAdminMachineTokensById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: MachineToken
}>('GET /api/admin/machine-tokens/{id}', { openTo: ['staff'], permission: 'settings:view' })

/** Revoke a machine token. It is refused from the next request on. A revoked or expired token stays unchanged. */
export const postAdminMachineTokensByIdRevoke = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: MachineToken
}>('POST /api/admin/machine-tokens/{id}/revoke', {
  openTo: ['staff'],
  permission: 'settings:manage',
  from: { status: ['ACTIVE'] },
})

/** Mint a successor with the same permissions, addresses and lifetime. The old secret ends at once or after overlapMinutes. */
export const postAdminMachineTokensByIdRotate = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body?:
    | {
        /** For how many minutes the old secret still works. */
        readonly overlapMinutes?: number | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: {
    /** The token of the mailed link. */
    readonly token: MachineToken
    /** The secret. It is shown only here. */
    readonly secret: string
  }
}>('POST /api/admin/machine-tokens/{id}/rotate', {
  openTo: ['staff'],
  permission: 'settings:manage',
  stepUp: true,
  from: { status: ['ACTIVE'] },
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
        /** The state of the record. */
        readonly status?: 'ACTIVE' | 'SUSPENDED' | 'ERASED' | undefined
        /** A search text: part of a name, or a whole id, address or key id. */
        readonly q?: string | undefined
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
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Customer[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Customer[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** The e-mail address of the account. */
    readonly email: string
    /** The name that people read in lists. */
    readonly name?: string | null | undefined
    /** The company of the customer. */
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

/** Read a customer, with the number of subscriptions and of licenses in effect, and the credit. */
export const getAdminCustomersById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
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
    /** How many records the customer has. */
    readonly counts: {
      /** The subscriptions. */
      readonly subscriptions: number
      /** Licenses that are in effect. */
      readonly activeLicenses: number
    }
    readonly credit:
      | readonly {
          /** The currency, as a code of ISO 4217. */
          readonly currency: string
          /** The amount. */
          readonly amount: number
        }[]
      | null
  }
}>('GET /api/admin/customers/{id}', { openTo: ['staff', 'token'], permission: 'customers:view' })

/** Change the name or company of an active customer; null removes the value. */
export const patchAdminCustomersById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name?: string | null | undefined
    /** The company of the customer. */
    readonly company?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Customer
}>('PATCH /api/admin/customers/{id}', {
  openTo: ['staff', 'token'],
  permission: 'customers:manage',
  from: { status: ['ACTIVE'] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The state of the record. */
    readonly status: 'ACTIVE' | 'SUSPENDED'
    /** Why, for readers of the audit trail. */
    readonly reason?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Customer
}>('PATCH /api/admin/customers/{id}/status', {
  openTo: ['staff', 'token'],
  permission: 'customers:manage',
  from: { status: ['ACTIVE', 'SUSPENDED'] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: undefined
}>('POST /api/admin/customers/{id}/reset-password', {
  openTo: ['staff', 'token'],
  permission: 'customers:manage',
  from: { status: ['ACTIVE'] },
})

/** Erase a customer: end subscriptions and licenses, destroy the data key. `confirmEmail` is the address. Repeating changes nothing. */
export const postAdminCustomersByIdErase = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The customer’s address, to confirm an erasure that cannot be undone. */
    readonly confirmEmail: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: undefined
}>('POST /api/admin/customers/{id}/erase', {
  openTo: ['staff'],
  permission: 'customers:manage',
  stepUp: true,
  from: { status: ['ACTIVE', 'SUSPENDED'] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
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
}>('GET /api/admin/customers/{id}/export', { openTo: ['staff'], permission: 'customers:manage' })

/** List the events of a customer, newest first. Those of subscriptions, licenses and payments are not among them. */
export const getAdminCustomersByIdHistory = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
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
    | undefined
  readonly data:
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

/** List what was granted to a customer as credit, spent on payments and returned, newest first. */
export const getAdminCustomersByIdCredits = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** The kind of the record. */
        readonly kind?: 'GRANTED' | 'SPENT' | 'RETURNED' | undefined
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
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly CreditEntry[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly CreditEntry[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/customers/{id}/credits', {
  openTo: ['staff'],
  permission: 'payments:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['GRANTED', 'SPENT', 'RETURNED'] },
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

/** Grant a customer credit, in minor units. It pays the customer’s next charges in that currency. */
export const postAdminCustomersByIdCredits = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The amount. */
    readonly amount: number
    /** The currency, as a code of ISO 4217. */
    readonly currency?: string | undefined
    /** Why, for readers of the audit trail. */
    readonly reason: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: PaymentEntry
}>('POST /api/admin/customers/{id}/credits', {
  openTo: ['staff'],
  permission: 'payments:manage',
  stepUp: true,
  from: { status: ['ACTIVE', 'SUSPENDED'] },
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
    /** The customer. */
    readonly customerId: string
    /** The plan, by its slug. */
    readonly planSlug: string
    /** The number of seats. */
    readonly seats?: number | undefined
    /** How often the subscription is billed. */
    readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
    /** The state of the record. */
    readonly status?: 'ACTIVE' | 'TRIALING' | undefined
    /** In the future, at most ten years ahead; one billing cycle from now if absent. */
    readonly currentPeriodEnd?: string | undefined
    /** Whether a license is issued with the subscription. */
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
        /** The customer. */
        readonly customerId?: string | undefined
        /** The state of the record. */
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
        /** The plan, by its slug. */
        readonly planSlug?: string | undefined
        /** The caller’s own name of the order. */
        readonly reference?: string | undefined
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'createdAt' | '-createdAt' | 'currentPeriodEnd' | '-currentPeriodEnd' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Subscription[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Subscription[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The plan, by its slug. */
    readonly planSlug?: string | undefined
    /** The number of seats. */
    readonly seats?: number | undefined
    /** How often the subscription is billed. */
    readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
    /** When the change takes effect. */
    readonly effective?: 'now' | 'period_end' | undefined
    /** prorate: the difference for the rest of the period is added to the next invoice; invoice: it is due at once; none: it is neither charged nor credited. */
    readonly proration?: 'prorate' | 'invoice' | 'none' | undefined
    /** Holds the price of a preview for ten minutes. */
    readonly previewToken?: string | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly from: { readonly status: unknown; readonly cancelAtPeriodEnd: unknown }
  readonly data: Subscription
}>('PATCH /api/admin/subscriptions/{id}', {
  openTo: ['staff', 'token'],
  permission: 'subscriptions:manage',
  from: { status: ['TRIALING', 'ACTIVE', 'PAST_DUE'], cancelAtPeriodEnd: [false] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Subscription
}>('GET /api/admin/subscriptions/{id}', { openTo: ['staff', 'token'], permission: 'subscriptions:view' })

/** Preview a change: terms, money and license. Nothing is recorded. Its previewToken keeps the price for ten minutes. */
export const postAdminSubscriptionsByIdChangePreview = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The plan, by its slug. */
    readonly planSlug?: string | undefined
    /** The number of seats. */
    readonly seats?: number | undefined
    /** How often the subscription is billed. */
    readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
    /** When the change takes effect. */
    readonly effective?: 'now' | 'period_end' | undefined
    /** prorate: the difference for the rest of the period is added to the next invoice; invoice: it is due at once; none: it is neither charged nor credited. */
    readonly proration?: 'prorate' | 'invoice' | 'none' | undefined
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown; readonly cancelAtPeriodEnd: unknown }
  readonly data: SubscriptionPreview
}>('POST /api/admin/subscriptions/{id}/change-preview', {
  openTo: ['staff', 'token'],
  permission: 'subscriptions:view',
  from: { status: ['TRIALING', 'ACTIVE', 'PAST_DUE'], cancelAtPeriodEnd: [false] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** Only show what would happen. */
        readonly dryRun?: 'true' | 'false' | undefined
      }
    | undefined
  readonly body: {
    /** `now` ends the subscription at once, `period_end` with its paid period. */
    readonly mode: 'now' | 'period_end'
    /** Stored in plain text in the audit trail. Do not put personal data in it. */
    readonly reason?: string | undefined
    /** The customer’s own words; erased with the customer. */
    readonly comment?: string | undefined
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Subscription
}>('POST /api/admin/subscriptions/{id}/cancel', {
  openTo: ['staff', 'token'],
  permission: 'subscriptions:manage',
  from: { status: ['INCOMPLETE', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'UNPAID', 'PAUSED'] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body?:
    | {
        /** Stored in plain text in the audit trail. Do not put personal data in it. */
        readonly reason?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly from: { readonly cancelAtPeriodEnd: unknown }
  readonly data: Subscription
}>('POST /api/admin/subscriptions/{id}/uncancel', {
  openTo: ['staff'],
  permission: 'subscriptions:manage',
  from: { cancelAtPeriodEnd: [true] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body?:
    | {
        /** Stored in plain text in the audit trail. Do not put personal data in it. */
        readonly reason?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Subscription
}>('POST /api/admin/subscriptions/{id}/pause', {
  openTo: ['staff'],
  permission: 'subscriptions:manage',
  from: { status: ['ACTIVE'] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body?:
    | {
        /** Stored in plain text in the audit trail. Do not put personal data in it. */
        readonly reason?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Subscription
}>('POST /api/admin/subscriptions/{id}/resume', {
  openTo: ['staff'],
  permission: 'subscriptions:manage',
  from: { status: ['PAUSED'] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
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
    | undefined
  readonly data:
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
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
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
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Payment[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Payment[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The amount. */
    readonly amount: number
    /** The currency, as a code of ISO 4217. */
    readonly currency: string
    /** How the payment was made. */
    readonly method: string
    /** What should be remembered about the payment. */
    readonly note?: string | undefined
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Payment
}>('POST /api/admin/subscriptions/{id}/payments', {
  openTo: ['staff'],
  permission: 'payments:manage',
  from: { status: ['INCOMPLETE', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'UNPAID', 'PAUSED'] },
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
        /** The state of the record. */
        readonly status?: 'REVOKED' | 'SUSPENDED' | 'EXPIRED' | 'GRACE' | 'ACTIVE' | undefined
        /** The id of the license key, which is no secret. */
        readonly keyId?: string | undefined
        /** The customer. */
        readonly customerId?: string | undefined
        /** The subscription. */
        readonly subscriptionId?: string | undefined
        /** Only licenses that end before this. */
        readonly expiresBefore?: string | undefined
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'issuedAt' | '-issuedAt' | 'expiresAt' | '-expiresAt' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly License[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly License[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** The subscription. */
    readonly subscriptionId: string
    /** In the future, at most ten years ahead. */
    readonly expiresAt?: string | undefined
    /** The machines on which a license may be active. */
    readonly maxActivations?: number | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    /** The license. */
    readonly license: License
    /** The signed license key, which a panel is started with. */
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
      expiresAt: { type: 'string', format: 'date-time', description: 'In the future, at most ten years ahead.' },
      maxActivations: { type: 'integer', minimum: 1, maximum: 1000000 },
    },
    required: ['subscriptionId'],
    additionalProperties: false,
  },
})

/** Read a license. */
export const getAdminLicensesById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: License
}>('GET /api/admin/licenses/{id}', { openTo: ['staff', 'token'], permission: 'licenses:view' })

/** Read the signed license key. Every read is recorded in the audit trail before the key is returned. */
export const getAdminLicensesByIdKey = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    /** The id of the license key, which is no secret. */
    readonly keyId: string
    /** The signed license key, which a panel is started with. */
    readonly licenseKey: string
    /** When it ends. */
    readonly expiresAt: string
  }
}>('GET /api/admin/licenses/{id}/key', { openTo: ['staff', 'token'], permission: 'licenses:view' })

/** Create a lease file from the request of a panel without a network. It takes an activation slot and cannot be revoked early. */
export const postAdminLicensesByIdOfflineLease = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The request that a panel without a network shows. */
    readonly request: string
    /** For how many days the lease holds. */
    readonly days: number
  }
  readonly key?: string | undefined
  readonly from: { readonly effectiveStatus: unknown }
  readonly data: {
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
}>('POST /api/admin/licenses/{id}/offline-lease', {
  openTo: ['staff'],
  permission: 'licenses:manage',
  from: { effectiveStatus: ['ACTIVE', 'GRACE'] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** Stored in plain text in the audit trail. Do not put personal data in it. */
    readonly reason: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: License
}>('POST /api/admin/licenses/{id}/revoke', {
  openTo: ['staff', 'token'],
  permission: 'licenses:manage',
  from: { status: ['ACTIVE', 'SUSPENDED'] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** Stored in plain text in the audit trail. Do not put personal data in it. */
    readonly reason: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: License
}>('POST /api/admin/licenses/{id}/suspend', {
  openTo: ['staff', 'token'],
  permission: 'licenses:manage',
  from: { status: ['ACTIVE'] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: LicenseAndKey
}>('POST /api/admin/licenses/{id}/resume', {
  openTo: ['staff', 'token'],
  permission: 'licenses:manage',
  from: { status: ['SUSPENDED'] },
  shownOnce: ['licenseKey'],
})

/** Extend a license, also an expired one. The key id stays; machines get the newly signed key at their next heartbeat. */
export const postAdminLicensesByIdExtend = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** In the future, at most ten years ahead. */
    readonly expiresAt?: string | undefined
    /** Counted from the present end, or from now if the license has ended. */
    readonly days?: number | undefined
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: LicenseAndKey
}>('POST /api/admin/licenses/{id}/extend', {
  openTo: ['staff', 'token'],
  permission: 'licenses:manage',
  from: { status: ['ACTIVE', 'SUSPENDED'] },
  shownOnce: ['licenseKey'],
  body: {
    type: 'object',
    properties: {
      expiresAt: { type: 'string', format: 'date-time', description: 'In the future, at most ten years ahead.' },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** leaked: the old key and all earlier ones are refused at once; routine: for 72 hours the old key leads a panel to the new one. */
    readonly mode: 'leaked' | 'routine'
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: LicenseAndKey
}>('POST /api/admin/licenses/{id}/reissue', {
  openTo: ['staff', 'token'],
  permission: 'licenses:manage',
  from: { status: ['ACTIVE', 'SUSPENDED'] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
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
    | undefined
  readonly data:
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

/** List the charges and credits of all customers, newest first, each with its refunds. */
export const getAdminPayments = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The customer. */
        readonly customerId?: string | undefined
        /** The subscription. */
        readonly subscriptionId?: string | undefined
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
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly CustomerPayment[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly CustomerPayment[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/payments', {
  openTo: ['staff', 'token'],
  permission: 'payments:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      customerId: { type: 'string', format: 'uuid', 'x-names': 'customers' },
      subscriptionId: { type: 'string', format: 'uuid', 'x-names': 'subscriptions' },
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

/** Refund a payment, whole or in part, in minor units. Its provider returns the money; the refund is PENDING until then. */
export const postAdminPaymentsByIdRefund = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The amount. */
    readonly amount?: number | undefined
    /** Why, for readers of the audit trail. */
    readonly reason: string
    /** Only record a refund that is made by hand, for example if the provider can no longer reach the account. */
    readonly byHand?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly from: { readonly type: unknown; readonly status: unknown }
  readonly data: Payment
}>('POST /api/admin/payments/{id}/refund', {
  openTo: ['staff'],
  permission: 'payments:manage',
  stepUp: true,
  from: { type: ['CHARGE'], status: ['PAID', 'PARTIALLY_REFUNDED'] },
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
    /** The payment provider. `manual` is a payment by hand. */
    readonly provider: string
  }
  readonly body: unknown
  readonly data: {
    /** The message was stored. */
    readonly received: true
  }
}>('POST /api/webhooks/payments/{provider}', { openTo: [], body: {} })

/** List the invoices and credit notes of all customers, newest first. `number` is a whole number. */
export const getAdminInvoices = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The customer. */
        readonly customerId?: string | undefined
        /** The subscription. */
        readonly subscriptionId?: string | undefined
        /** The kind of the record. */
        readonly kind?: 'INVOICE' | 'CREDIT_NOTE' | undefined
        /** The number of the invoice. */
        readonly number?: string | undefined
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'issuedAt' | '-issuedAt' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly CustomerInvoice[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly CustomerInvoice[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/invoices', {
  openTo: ['staff', 'token'],
  permission: 'payments:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      customerId: { type: 'string', format: 'uuid', 'x-names': 'customers' },
      subscriptionId: { type: 'string', format: 'uuid', 'x-names': 'subscriptions' },
      kind: { type: 'string', enum: ['INVOICE', 'CREDIT_NOTE'] },
      number: { type: 'string', maxLength: 64 },
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

/** Get an invoice or credit note as a PDF. It names the buyer. */
export const getAdminInvoicesByIdPdf = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Response
}>('GET /api/admin/invoices/{id}/pdf', { openTo: ['staff'], permission: 'payments:view', answers: 'stream' })

/** Create or reuse a customer, create a subscription and issue a license, all or nothing. A `reference` makes the call repeatable. */
export const postAdminProvisioning = /*#__PURE__*/ operation<{
  readonly body: {
    /** The end customer. An existing account with this address, in any spelling, is reused and never modified. */
    readonly email: string
    /** The plan, by its slug. */
    readonly planSlug: string
    /** The number of seats. */
    readonly seats?: number | undefined
    /** How often the subscription is billed. */
    readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
    /** The state of the record. */
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
    /** The e-mail address of the account. */
    readonly email: string
    /** The name that people read in lists. */
    readonly name?: string | undefined
    /** The company of the customer. */
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
    /** The token of the mailed link. */
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
        format: 'password',
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
    /** The e-mail address of the account. */
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
    /** The token of the mailed link. */
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
        format: 'password',
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
    /** The e-mail address of the account. */
    readonly email: string
    /** The password of the account. */
    readonly password: string
    /** A code of the authenticator app, or a backup code, if the account has a second factor. */
    readonly totp?: string | undefined
  }
  readonly data: {
    /** The bearer token of the session, valid for 15 minutes. */
    readonly accessToken: string
    /** The account that has signed in. */
    readonly user: CustomerProfile
  }
}>('POST /api/shop/auth/login', {
  openTo: [],
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', minLength: 1, maxLength: 320 },
      password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
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
    /** The bearer token of the session, valid for 15 minutes. */
    readonly accessToken: string
    /** The account that has signed in. */
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
    /** The password of today. */
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
      current: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
      new: {
        type: 'string',
        minLength: 8,
        maxLength: 256,
        format: 'password',
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
        /** A code of the authenticator app, or a backup code. */
        readonly code: string
      }
    | {
        /** The password of the account. */
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
        properties: { password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' } },
        required: ['password'],
        additionalProperties: false,
      },
    ],
  },
})

/** Start to set up a second factor. Needs the password. Only this session can enable the secret, within ten minutes. */
export const postShopAuth2faSetup = /*#__PURE__*/ operation<{
  readonly body: {
    /** The password of the account. */
    readonly password: string
  }
  readonly key?: string | undefined
  readonly data: {
    /** The secret. It is shown only here. */
    readonly secret: string
    /** The address that an authenticator app reads from a QR code. */
    readonly otpauthUrl: string
  }
}>('POST /api/shop/auth/2fa/setup', {
  openTo: ['customer'],
  shownOnce: ['secret', 'otpauthUrl'],
  body: {
    type: 'object',
    properties: { password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' } },
    required: ['password'],
    additionalProperties: false,
  },
})

/** Enable the second factor by the password and a first code. Returns ten backup codes once and ends the other sessions. */
export const postShopAuth2faEnable = /*#__PURE__*/ operation<{
  readonly body: {
    /** The password of the account. */
    readonly password: string
    /** A code of the authenticator app, or a backup code. */
    readonly code: string
  }
  readonly key?: string | undefined
  readonly data: {
    /** Codes that replace a code of the second factor, each once. They are shown only here. */
    readonly backupCodes: readonly string[]
  }
}>('POST /api/shop/auth/2fa/enable', {
  openTo: ['customer'],
  shownOnce: ['backupCodes'],
  body: {
    type: 'object',
    properties: {
      password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
      code: { type: 'string', maxLength: 64 },
    },
    required: ['password', 'code'],
    additionalProperties: false,
  },
})

/** Disable the second factor by the password, which must satisfy the policy without it, and a new code. Ends other sessions. */
export const postShopAuth2faDisable = /*#__PURE__*/ operation<{
  readonly body: {
    /** The password of the account. */
    readonly password: string
    /** A code of the authenticator app, or a backup code. */
    readonly code: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/shop/auth/2fa/disable', {
  openTo: ['customer'],
  body: {
    type: 'object',
    properties: {
      password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
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
    /** The name that people read in lists. */
    readonly name?: string | null | undefined
    /** The company of the customer. */
    readonly company?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
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
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly ShopPlan[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly ShopPlan[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
        /** The state of the record. */
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
        /** The plan, by its slug. */
        readonly planSlug?: string | undefined
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'createdAt' | '-createdAt' | 'currentPeriodEnd' | '-currentPeriodEnd' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly OwnSubscription[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly OwnSubscription[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: OwnSubscription
}>('GET /api/shop/subscriptions/{id}', { openTo: ['customer'] })

/** Change plan, seats or billing cycle, now or at the end of the period. A previewToken keeps the previewed price. */
export const patchShopSubscriptionsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The plan, by its slug. */
    readonly planSlug?: string | undefined
    /** The number of seats. */
    readonly seats?: number | undefined
    /** How often the subscription is billed. */
    readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
    /** When the change takes effect. */
    readonly effective?: 'now' | 'period_end' | undefined
    /** Holds the price of a preview for ten minutes. */
    readonly previewToken?: string | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly from: { readonly status: unknown; readonly cancelAtPeriodEnd: unknown }
  readonly data: OwnSubscription
}>('PATCH /api/shop/subscriptions/{id}', {
  openTo: ['customer'],
  from: { status: ['TRIALING', 'ACTIVE', 'PAST_DUE'], cancelAtPeriodEnd: [false] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
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
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly OwnPayment[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly OwnPayment[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The plan, by its slug. */
    readonly planSlug?: string | undefined
    /** The number of seats. */
    readonly seats?: number | undefined
    /** How often the subscription is billed. */
    readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
    /** When the change takes effect. */
    readonly effective?: 'now' | 'period_end' | undefined
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown; readonly cancelAtPeriodEnd: unknown }
  readonly data: SubscriptionPreview
}>('POST /api/shop/subscriptions/{id}/change-preview', {
  openTo: ['customer'],
  from: { status: ['TRIALING', 'ACTIVE', 'PAST_DUE'], cancelAtPeriodEnd: [false] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** Only show what would happen. */
        readonly dryRun?: 'true' | 'false' | undefined
      }
    | undefined
  readonly body: {
    /** `now` ends the subscription at once, `period_end` with its paid period. */
    readonly mode: 'now' | 'period_end'
    /** Why, for readers of the audit trail. */
    readonly reason?: 'TOO_EXPENSIVE' | 'MISSING_FEATURES' | 'UNUSED' | 'SWITCHED' | 'OTHER' | undefined
    /** The customer’s own words. They are erased with the customer. */
    readonly comment?: string | undefined
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: OwnSubscription
}>('POST /api/shop/subscriptions/{id}/cancel', {
  openTo: ['customer'],
  from: { status: ['INCOMPLETE', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'UNPAID', 'PAUSED'] },
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
        /** The state of the record. */
        readonly status?: 'REVOKED' | 'SUSPENDED' | 'EXPIRED' | 'GRACE' | 'ACTIVE' | undefined
        /** The subscription. */
        readonly subscriptionId?: string | undefined
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'issuedAt' | '-issuedAt' | 'expiresAt' | '-expiresAt' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly OwnLicense[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly OwnLicense[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: OwnLicense
}>('GET /api/shop/licenses/{id}', { openTo: ['customer'] })

/** Read the signed key of my license. Needs a proof of identity from the last five minutes. The read is recorded first. */
export const getShopLicensesByIdKey = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    /** The id of the license key, which is no secret. */
    readonly keyId: string
    /** The signed license key, which a panel is started with. */
    readonly licenseKey: string
    /** When it ends. */
    readonly expiresAt: string
  }
}>('GET /api/shop/licenses/{id}/key', { openTo: ['customer'], stepUp: true })

/** Create a lease file for a machine without a network: at most 31 days, 20 times a day. Needs a recent proof of identity. */
export const postShopLicensesByIdOfflineActivation = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The request that a panel without a network shows. */
    readonly request: string
    /** For how many days the lease holds. */
    readonly days: number
  }
  readonly key?: string | undefined
  readonly from: { readonly effectiveStatus: unknown }
  readonly data: {
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
}>('POST /api/shop/licenses/{id}/offline-activation', {
  openTo: ['customer'],
  stepUp: true,
  from: { effectiveStatus: ['ACTIVE', 'GRACE'] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** leaked: the old key and all earlier ones are refused at once; routine: for 72 hours the old key leads a panel to the new one. */
    readonly mode: 'leaked' | 'routine'
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: {
    /** The license. */
    readonly license: OwnLicense
    /** The signed license key, which a panel is started with. */
    readonly licenseKey: string
  }
}>('POST /api/shop/licenses/{id}/rotate', {
  openTo: ['customer'],
  stepUp: true,
  from: { status: ['ACTIVE', 'SUSPENDED'] },
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
        /** The license. */
        readonly licenseId?: string | undefined
        /** The state of the record. */
        readonly status?: 'ACTIVE' | 'STALE' | 'DEACTIVATED' | undefined
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'activatedAt' | '-activatedAt' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly OwnInstance[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly OwnInstance[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: OwnInstance
}>('POST /api/shop/instances/{id}/deactivate', { openTo: ['customer'], from: { status: ['ACTIVE', 'STALE'] } })

/** List my invoices and credit notes. */
export const getShopInvoices = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'issuedAt' | '-issuedAt' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Invoice[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Invoice[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Response
}>('GET /api/shop/invoices/{id}/pdf', { openTo: ['customer'], answers: 'stream' })

/** Buy a plan. Returns the payment page; the license follows the payment. Free plans start at once. Unpaid checkouts end after 23 hours. */
export const postShopCheckout = /*#__PURE__*/ operation<{
  readonly body: {
    /** The plan, by its slug. */
    readonly planSlug: string
    /** The number of seats. */
    readonly seats?: number | undefined
    /** How often the subscription is billed. */
    readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    /** The id of the record. */
    readonly id: string
    /** The page of the payment provider. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    /** The id of the record. */
    readonly id: string
    /** The state of the record. */
    readonly status: 'OPEN' | 'PAID' | 'EXPIRED'
    /** The subscription. */
    readonly subscriptionId: string
  }
}>('GET /api/shop/checkout/{id}', { openTo: ['customer'] })

/** List the versions that my licenses entitle me to, newest first, with links to their files. A link is valid for 15 minutes. */
export const getShopDownloads = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The channel of the release: `stable`, or `beta` for early ones. */
        readonly channel?: 'stable' | 'beta' | undefined
      }
    | undefined
  readonly data: {
    /** The records of this page. */
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
    /** The customer’s address, to confirm an erasure that cannot be undone. */
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
        /** The state of the record. */
        readonly status?: 'DRAFT' | 'PUBLISHED' | 'YANKED' | undefined
        /** The channel of the release: `stable`, or `beta` for early ones. */
        readonly channel?: 'stable' | 'beta' | undefined
        /** The version. */
        readonly version?: string | undefined
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'createdAt' | '-createdAt' | 'version' | '-version' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Version[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Version[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** The version. */
    readonly version: string
    /** The channel of the release: `stable`, or `beta` for early ones. */
    readonly channel?: 'stable' | 'beta' | undefined
    /** What is new, for readers of the release. */
    readonly notes?: string | undefined
    /** The plan that a license needs for this release. Null: any. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Version
}>('GET /api/admin/versions/{id}', { openTo: ['staff'], permission: 'versions:manage' })

/** Add a file to a draft, at most 2 GiB. The body is the file; it is signed with the current key. The same file again returns 200. */
export const postAdminVersionsByIdArtifacts = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query: {
    /** The name that people read in lists. */
    readonly name: string
    /** The SHA-256 of the file: a file that was damaged during the upload is refused. */
    readonly sha256?: string | undefined
  }
  readonly body: Blob
  readonly from: { readonly status: unknown }
  readonly data: Artifact
}>('POST /api/admin/versions/{id}/artifacts', {
  openTo: ['staff', 'token'],
  permission: 'versions:manage',
  from: { status: ['DRAFT'] },
  sends: 'bytes',
  query: {
    type: 'object',
    properties: {
      name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$' },
      sha256: {
        type: 'string',
        description: 'The SHA-256 of the file: a file that was damaged during the upload is refused.',
        pattern: '^[0-9a-f]{64}$',
      },
    },
    required: ['name'],
  },
})

/** Publish a version: panels and customers that may have it see it. Its files can no longer change. */
export const postAdminVersionsByIdPublish = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Version
}>('POST /api/admin/versions/{id}/publish', {
  openTo: ['staff'],
  permission: 'versions:manage',
  from: { status: ['DRAFT'] },
})

/** Withdraw a version: it is no longer offered. Do not put personal data in the reason. */
export const postAdminVersionsByIdYank = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** Why, for readers of the audit trail. */
    readonly reason: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Version
}>('POST /api/admin/versions/{id}/yank', {
  openTo: ['staff'],
  permission: 'versions:manage',
  from: { status: ['DRAFT', 'PUBLISHED'] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly query: {
    /** When the signed address ends, in seconds since 1970. */
    readonly until: number
    /** The signature. */
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
    /** The records of this page. */
    readonly items: readonly {
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
    }[]
  }
}>('GET /api/admin/settings', { openTo: ['staff'], permission: 'settings:view' })

/** Change settings. Changes take effect on the next request. */
export const patchAdminSettingsByKey = /*#__PURE__*/ operation<{
  readonly params: {
    /** The name of the setting. */
    readonly key: 'shopRegistration' | 'requireSecondFactor'
  }
  readonly body: {
    /** The value. */
    readonly value: boolean | number | string
  }
  readonly key?: string | undefined
  readonly data: {
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
    /** The records of this page. */
    readonly items: readonly SigningKey[]
    /** The root key, which panels are built with. */
    readonly root: {
      /** The id of the signing key. */
      readonly kid: string
      /** The public key as a JWK. */
      readonly publicJwk: {
        /** The type of the key. */
        readonly kty: 'OKP'
        /** The curve of the key. */
        readonly crv: 'Ed25519'
        /** The public key, in base64url. */
        readonly x: string
      }
      /** HERE: sealed in this database. ELSEWHERE: its keeper signs manifests with it. */
      readonly kept: 'HERE' | 'ELSEWHERE'
    }
    /** The signed list of keys that verify leases. */
    readonly manifest: {
      /** The number of the manifest, which never goes down. */
      readonly serial: number
      /** When it was issued. */
      readonly issuedAt: string
      /** When it ends. */
      readonly expiresAt: string
      /** False: the keys have changed since, and the root key should sign another manifest. */
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
    /** The id of the signing key. */
    readonly kid: string
  }
  readonly key?: string | undefined
  readonly from: { readonly state: unknown }
  readonly data: SigningKey
}>('POST /api/admin/settings/signing-keys/{kid}/promote', {
  openTo: ['staff'],
  permission: 'settings:manage',
  stepUp: true,
  from: { state: ['next'] },
})

/** Retire a key that signs no more, or withdraw one that never signed. Refused while panels may still use its signatures. */
export const postAdminSettingsSigningKeysByKidRetire = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the signing key. */
    readonly kid: string
  }
  readonly key?: string | undefined
  readonly from: { readonly state: unknown }
  readonly data: SigningKey
}>('POST /api/admin/settings/signing-keys/{kid}/retire', {
  openTo: ['staff'],
  permission: 'settings:manage',
  stepUp: true,
  from: { state: ['next', 'retiring'] },
})

/** Declare a key compromised. Its signatures become invalid; another key signs its licenses again. */
export const postAdminSettingsSigningKeysByKidCompromise = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the signing key. */
    readonly kid: string
  }
  readonly body: {
    /** Why, for readers of the audit trail. */
    readonly reason: string
  }
  readonly key?: string | undefined
  readonly from: { readonly state: unknown }
  readonly data: SigningKey
}>('POST /api/admin/settings/signing-keys/{kid}/compromise', {
  openTo: ['staff'],
  permission: 'settings:manage',
  stepUp: true,
  from: { state: ['next', 'current', 'retiring', 'retired'] },
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
    | undefined
  readonly data:
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Announcement
}>('GET /api/admin/announcements/{id}', { openTo: ['staff'], permission: 'settings:view' })

/** Change an announcement or its period. At most 20 are visible at once. */
export const patchAdminAnnouncementsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The heading. */
    readonly title?: string | undefined
    /** The text, of one or more lines. */
    readonly body?: string | undefined
    /** How important the notice is. */
    readonly level?: 'INFO' | 'WARNING' | 'CRITICAL' | undefined
    /** From when on the notice is shown. */
    readonly visibleFrom?: string | undefined
    /** Until when the notice is shown. */
    readonly visibleUntil?: string | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
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
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/announcements/{id}', { openTo: ['staff'], permission: 'settings:manage' })

/** List the announcements that are visible now, newest first. */
export const getShopAnnouncements = /*#__PURE__*/ operation<{
  readonly query?:
    | {
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
    | undefined
  readonly data:
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
    /** What happens to each target. */
    readonly action:
      | 'customers.suspend'
      | 'customers.activate'
      | 'licenses.suspend'
      | 'licenses.resume'
      | 'licenses.revoke'
      | 'licenses.extend'
      | 'subscriptions.cancel'
    /** The targets by their ids. */
    readonly ids?: readonly string[] | undefined
    /** Instead of ids: every target that matches all of it now, at most 10,000. */
    readonly filter?:
      | {
          /** Only targets in this state. */
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
          /** The plan, by its slug. */
          readonly planSlug?: string | undefined
          /** The customer. */
          readonly customerId?: string | undefined
          /** Only licenses that end before this. */
          readonly expiresBefore?: string | undefined
          /** Only records that were created later than this. */
          readonly createdAfter?: string | undefined
          /** Only records that were created earlier than this. */
          readonly createdBefore?: string | undefined
        }
      | undefined
    /** Why, for readers of the audit trail. */
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
        /** What happens to each target. */
        readonly action?:
          | 'customers.suspend'
          | 'customers.activate'
          | 'licenses.suspend'
          | 'licenses.resume'
          | 'licenses.revoke'
          | 'licenses.extend'
          | 'subscriptions.cancel'
          | undefined
        /** Only targets in this state. */
        readonly status?: 'RUNNING' | 'COMPLETED' | undefined
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
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly {
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
        }[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly {
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
        }[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Bulk
}>('GET /api/admin/bulk/{id}', { openTo: ['staff'] })

/** Export all customers, subscriptions, licenses, plans or features, oldest first, as NDJSON or CSV. Each export is recorded first. */
export const getAdminExportsByResource = /*#__PURE__*/ operation<{
  readonly params: {
    /** The kind of the records. */
    readonly resource: 'customers' | 'subscriptions' | 'licenses' | 'plans' | 'features'
  }
  readonly query?:
    | {
        /** The format of the file. */
        readonly format?: 'ndjson' | 'csv' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
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
    /** When it happened. */
    readonly at: string
    /** Customers by state. */
    readonly customers: {
      /** The number in this state. */
      readonly ACTIVE: number
      /** The number in this state. */
      readonly SUSPENDED: number
      /** The number in this state. */
      readonly ERASED: number
    }
    /** Customers that were created in the last 30 days. */
    readonly newCustomers30Days: number
    /** The subscriptions. */
    readonly subscriptions: {
      /** The number in this state. */
      readonly INCOMPLETE: number
      /** The number in this state. */
      readonly TRIALING: number
      /** The number in this state. */
      readonly ACTIVE: number
      /** The number in this state. */
      readonly PAST_DUE: number
      /** The number in this state. */
      readonly UNPAID: number
      /** The number in this state. */
      readonly PAUSED: number
      /** The number in this state. */
      readonly CANCELLED: number
      /** The number in this state. */
      readonly EXPIRED: number
    }
    /** The licenses. */
    readonly licenses: {
      /** The number in this state. */
      readonly REVOKED: number
      /** The number in this state. */
      readonly SUSPENDED: number
      /** The number in this state. */
      readonly EXPIRED: number
      /** The number in this state. */
      readonly GRACE: number
      /** The number in this state. */
      readonly ACTIVE: number
    }
    /** Revenue of a month by currency. Yearly prices count a twelfth. */
    readonly monthlyRecurring: readonly {
      /** The currency, as a code of ISO 4217. */
      readonly currency: string
      /** The amount. */
      readonly amount: number
      /** The subscriptions. */
      readonly subscriptions: number
      /** The number of seats. */
      readonly seats: number
    }[]
    readonly configured: {
      readonly mail: boolean
      /** The payments of the customer. */
      readonly payments: boolean
    }
  }
}>('GET /api/admin/metrics/summary', { openTo: ['staff'], permission: 'settings:view' })

/** Read business figures over time: licenses, subscriptions, panels, recurring revenue, and what was new. */
export const getAdminMetricsSeries = /*#__PURE__*/ operation<{
  readonly query: {
    /** licenses by effective status, subscriptions by status, panels heard of or silent, recurring revenue of a month by currency, or what was new. A license that another one replaced is not among the revocations. */
    readonly of: 'licenses' | 'subscriptions' | 'panels' | 'recurring' | 'new'
    /** The first day, in UTC. Default: 90 days before the last one. */
    readonly from?: string | undefined
    /** The last day, in UTC. Default: today, as it is so far. */
    readonly to?: string | undefined
    /** Days, weeks from Monday, or months; the first one is whole. At most 400. */
    readonly step?: 'day' | 'week' | 'month' | undefined
  }
  readonly data: Series
}>('GET /api/admin/metrics/series', {
  openTo: ['staff'],
  permission: 'settings:view',
  query: {
    type: 'object',
    properties: {
      of: {
        type: 'string',
        enum: ['licenses', 'subscriptions', 'panels', 'recurring', 'new'],
        description:
          'licenses by effective status, subscriptions by status, panels heard of or silent, recurring revenue of a month by currency, or what was new. A license that another one replaced is not among the revocations.',
      },
      from: {
        type: 'string',
        format: 'date',
        description: 'The first day, in UTC. Default: 90 days before the last one.',
      },
      to: { type: 'string', format: 'date', description: 'The last day, in UTC. Default: today, as it is so far.' },
      step: {
        default: 'day',
        type: 'string',
        enum: ['day', 'week', 'month'],
        description: 'Days, weeks from Monday, or months; the first one is whole. At most 400.',
      },
    },
    required: ['of'],
  },
})

/** Stream changes `{position, kind, ids}` that my permissions show. Resumes after `lastEventId`; ends when my permissions change. */
export const getAdminEventsStream = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The position after which the feed goes on. */
        readonly lastEventId?: string | undefined
      }
    | undefined
  readonly data: Response
}>('GET /api/admin/events/stream', {
  openTo: ['staff'],
  answers: 'stream',
  query: {
    type: 'object',
    properties: { lastEventId: { type: 'string', pattern: '^(?:0|[1-9]\\d{0,15})$' } },
    required: [],
  },
})

/** Get health counters: lag of read models, waiting and failing jobs, database size and process memory. */
export const getAdminHealth = /*#__PURE__*/ operation<{
  readonly data: Health
}>('GET /api/admin/health', { openTo: ['staff'], permission: 'settings:view' })

/** Find what the caller may view by a whole id, key id, e-mail address, reference, or the id or invoice number of a payment. */
export const getAdminSearch = /*#__PURE__*/ operation<{
  readonly query: {
    /** A search text: part of a name, or a whole id, address or key id. */
    readonly q: string
  }
  readonly data: {
    /** The records of this page. */
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
        /** The license. */
        readonly licenseId?: string | undefined
        /** The customer. */
        readonly customerId?: string | undefined
        /** The state of the record. */
        readonly status?: 'ACTIVE' | 'STALE' | 'DEACTIVATED' | undefined
        /** The version. */
        readonly version?: string | undefined
        /** A search text: part of a name, or a whole id, address or key id. */
        readonly q?: string | undefined
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'activatedAt' | '-activatedAt' | 'version' | '-version' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Instance[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Instance[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Instance
}>('GET /api/admin/instances/{id}', { openTo: ['staff', 'token'], permission: 'instances:view' })

/** Free an instance’s activation slot. Its panel learns this at its next heartbeat. Do not put personal data in the reason. */
export const postAdminInstancesByIdDeactivate = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body?:
    | {
        /** Why, for readers of the audit trail. */
        readonly reason?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Instance
}>('POST /api/admin/instances/{id}/deactivate', {
  openTo: ['staff', 'token'],
  permission: 'instances:manage',
  from: { status: ['ACTIVE', 'STALE'] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body?:
    | {
        /** Why, for readers of the audit trail. */
        readonly reason?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Instance
}>('POST /api/admin/instances/{id}/reactivate', {
  openTo: ['staff', 'token'],
  permission: 'instances:manage',
  from: { status: ['DEACTIVATED'] },
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
    /** Public keys as JWKs. */
    readonly keys: readonly {
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
    }[]
    /** The signed list of keys that verify leases. */
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
        /** The id of an actor, or a type such as TOKEN. */
        readonly actor?: string | undefined
        /** Only events of this kind. */
        readonly action?: string | undefined
        /** An id that the entries name. A customer’s id also finds events of the customer’s licenses. */
        readonly subject?: string | undefined
        /** Only what this request has caused, the work of jobs included. */
        readonly requestId?: string | undefined
        /** Only entries at this moment or later. */
        readonly from?: string | undefined
        /** Only entries before this moment. */
        readonly to?: string | undefined
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
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly AuditEntry[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly AuditEntry[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** The kinds of events that occur. */
    readonly actions: readonly {
      /** Only events of this kind. */
      readonly action: string
      /** The kind of record that the event is about. */
      readonly subjectType: string
    }[]
  }
}>('GET /api/admin/audit/actions', { openTo: ['staff'], permission: 'audit:view' })

/** Verify the history against its hash chain and signed checkpoints, and name the first event that was altered. */
export const getAdminAuditVerify = /*#__PURE__*/ operation<{
  readonly data: {
    /** Whether the whole chain holds. */
    readonly valid: boolean
    /** The number of events in the log. */
    readonly events: number
    /** The position of the newest event. */
    readonly head: number
    /** The hash of the chain at its end. */
    readonly hash: string | null
    /** Only events after this position were verified. 0: all. */
    readonly after: number
    /** The last signed checkpoint of the chain. */
    readonly checkpoint?:
      | {
          /** The place of the event in the history of this installation. */
          readonly position: number
          /** The hash of the chain at its end. */
          readonly hash: string
          /** When it happened. */
          readonly at: string
          /** The id of the signing key. */
          readonly kid: string
          /** The signature of the checkpoint. */
          readonly jws: string
        }
      | undefined
    /** The first place where the log does not match its chain. Absent: there is none. */
    readonly firstBad?:
      | {
          /** The place of the event in the history of this installation. */
          readonly position: number
          /** The last position of the place. */
          readonly through: number
          /** What is wrong there. */
          readonly problem: 'missing' | 'inserted' | 'altered' | 'rewritten' | 'truncated' | 'forged'
          /** The event that was written later than its neighbours. */
          readonly suspect?: number | undefined
          /** The event in a sentence. */
          readonly sentence: string
        }
      | undefined
  }
}>('GET /api/admin/audit/verify', { openTo: ['staff'], permission: 'audit:view' })

/** Export the audit trail, oldest first, as NDJSON or CSV. Takes the filters of the search. Each export is recorded. */
export const getAdminAuditExport = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The id of an actor, or a type such as TOKEN. */
        readonly actor?: string | undefined
        /** Only events of this kind. */
        readonly action?: string | undefined
        /** An id that the entries name. A customer’s id also finds events of the customer’s licenses. */
        readonly subject?: string | undefined
        /** Only what this request has caused, the work of jobs included. */
        readonly requestId?: string | undefined
        /** Only entries at this moment or later. */
        readonly from?: string | undefined
        /** Only entries before this moment. */
        readonly to?: string | undefined
        /** The format of the file. */
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
    /** The names of the events that are sent; `*` is all of them. */
    readonly events: readonly {
      /** Only messages about events of this kind. */
      readonly type: string
      /** The kind of record that the event is about. */
      readonly subjectType: string
      /** The fields of the event’s data. */
      readonly fields: readonly string[]
    }[]
  }
}>('GET /api/admin/webhooks/events', { openTo: ['staff'], permission: 'settings:view' })

/** List webhooks. Their secrets are never returned. */
export const getAdminWebhooks = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The state of the record. */
        readonly status?: 'PENDING' | 'ACTIVE' | 'DISABLED' | undefined
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
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Webhook[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Webhook[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** Where messages are sent. */
    readonly url: string
    /** The names of the events that are sent; `*` is all of them. */
    readonly events: readonly string[]
    /** Whether messages about one record arrive in their order: `subject`, or `none` to be faster. */
    readonly ordering?: 'subject' | 'none' | undefined
    /** Whether messages are also signed with an Ed25519 key. */
    readonly ed25519?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    /** The webhook. */
    readonly webhook: Webhook
    /** The secret. It is shown only here. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Webhook
}>('GET /api/admin/webhooks/{id}', { openTo: ['staff'], permission: 'settings:view' })

/** Change, disable or enable a webhook. A new URL or an enabled webhook must answer a ping before its deliveries continue. */
export const patchAdminWebhooksById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** Where messages are sent. */
    readonly url?: string | undefined
    /** The names of the events that are sent; `*` is all of them. */
    readonly events?: readonly string[] | undefined
    /** Whether messages about one record arrive in their order: `subject`, or `none` to be faster. */
    readonly ordering?: 'subject' | 'none' | undefined
    /** Whether messages are also signed with an Ed25519 key. */
    readonly ed25519?: boolean | undefined
    /** Whether messages are sent. */
    readonly active?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
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
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/webhooks/{id}', { openTo: ['staff'], permission: 'settings:manage' })

/** Send one ping to a webhook. The result is listed among its deliveries. */
export const postAdminWebhooksByIdPing = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: {
    /** The delivery of the test message. */
    readonly deliveryId: string
  }
}>('POST /api/admin/webhooks/{id}/ping', {
  openTo: ['staff'],
  permission: 'settings:manage',
  from: { status: ['PENDING', 'ACTIVE'] },
})

/** Create a new secret, returned only in this reply. The old one also signs for a day, or for overlapMinutes. */
export const postAdminWebhooksByIdRotateSecret = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body?:
    | {
        /** For how many minutes the old secret still works. */
        readonly overlapMinutes?: number | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: {
    /** The webhook. */
    readonly webhook: Webhook
    /** The secret. It is shown only here. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** The state of the record. */
        readonly status?: 'WAITING' | 'DELIVERED' | 'FAILED' | undefined
        /** Only messages about events of this kind. */
        readonly type?: string | undefined
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
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly WebhookDelivery[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly WebhookDelivery[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: WebhookDelivery
}>('POST /api/admin/webhooks/deliveries/{id}/redeliver', { openTo: ['staff'], permission: 'settings:manage' })

/** Read the public key that verifies v1a signatures of a webhook, as a JWK set (RFC 7517). */
export const getWebhooksByIdKeys = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    /** Public keys as JWKs. */
    readonly keys: readonly {
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
    }[]
  }
}>('GET /api/webhooks/{id}/keys', { openTo: [] })

/** Report whether the process answers. */
export const getHealth = /*#__PURE__*/ operation<{
  readonly data: {
    /** The state of the record. */
    readonly status: 'ok'
  }
}>('GET /api/health', { openTo: [] })

/** Report whether the process is ready to work. `degraded`: events are parked or some requests get 503; the rest works. */
export const getHealthReady = /*#__PURE__*/ operation<{
  readonly data: {
    /** The state of the record. */
    readonly status: 'ok' | 'degraded' | 'failing'
    /** The parts of the service that were checked, each with its result. */
    readonly checks: { readonly [name: string]: 'ok' | 'degraded' | 'failing' }
    /** What an operator should know, without being an error. */
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
