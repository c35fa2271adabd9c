/** The licensing service: one line per section. */
import type { Section } from '#kernel/resource/section'
import { auditTrail } from '#projections/audit-trail'
import { staffSessionTable } from '#projections/licensing/auth'
import { bulkTable } from '#projections/licensing/bulk'
import { customerTable } from '#projections/licensing/customers'
import { featureTable } from '#projections/licensing/features'
import { instanceTable, offlineLeaseTable } from '#projections/licensing/instances'
import { leaseTermTable, licenseKeyTable } from '#projections/licensing/license-api/keys'
import { licenseTable } from '#projections/licensing/licenses'
import { machineTokenTable } from '#projections/licensing/machine-tokens'
import { licenseEndTable, revocationTable } from '#projections/licensing/license-api'
import { billingTable, disputeTable, invoiceTable, paymentTable } from '#projections/licensing/payments'
import { planTable } from '#projections/licensing/plans'
import { shopSessionTable } from '#projections/licensing/shop'
import { settingTable } from '#projections/licensing/settings'
import { staffTable } from '#projections/licensing/staff'
import { subscriptionTable } from '#projections/licensing/subscriptions'
import { webhookTable } from '#projections/licensing/webhooks'
import { artifactTable, versionTable } from '#projections/licensing/versions'
import { auditRoutes } from './audit/routes.ts'
import { staffSessions } from './auth/decider.ts'
import { staffLoginEvents, staffSessionEvents } from './auth/events.ts'
import { authRoutes } from './auth/routes.ts'
import { sessionRoutes } from './auth/sessions/routes.ts'
import { creditRoutes } from './customers/credits/routes.ts'
import { bulk } from './bulk/decider.ts'
import { bulkEvents } from './bulk/events.ts'
import { bulkReactions, bulkTimers } from './bulk/reactions.ts'
import { bulkRoutes } from './bulk/routes.ts'
import { customers } from './customers/decider.ts'
import { customerEvents, customerExports } from './customers/events.ts'
import { customerRoutes } from './customers/routes.ts'
import { exportEvents } from './exports/events.ts'
import { exportRoutes } from './exports/routes.ts'
import { features } from './features/decider.ts'
import { featureEvents } from './features/events.ts'
import { featureRoutes } from './features/routes.ts'
import { licenseSlots } from './instances/decider.ts'
import { licenseSlotEvents } from './instances/events.ts'
import { staleInstances, tellOfClones } from './instances/reactions.ts'
import { instanceRoutes } from './instances/routes.ts'
import { activationRoutes } from './license-api/activations/routes.ts'
import { heartbeatRoutes } from './license-api/heartbeats/routes.ts'
import { licenseApiRoutes } from './license-api/routes.ts'
import { entitledVersionRoutes } from './license-api/versions/routes.ts'
import { licenseReads } from './licenses/events.ts'
import { noteExpiries } from './licenses/reactions.ts'
import { licenseRoutes } from './licenses/routes.ts'
import { machineTokens } from './machine-tokens/decider.ts'
import { machineTokenEvents } from './machine-tokens/events.ts'
import { machineTokenRoutes } from './machine-tokens/routes.ts'
import { metricRoutes } from './metrics/routes.ts'
import { billings } from './payments/billing/decider.ts'
import { billingEvents } from './payments/billing/events.ts'
import { credits } from './payments/credits/decider.ts'
import { creditEvents } from './payments/credits/events.ts'
import { payments } from './payments/decider.ts'
import { paymentEvents, paymentNotices } from './payments/events.ts'
import { invoiceNumbers } from './payments/invoices/decider.ts'
import { invoiceEvents, invoiceNumberEvents } from './payments/invoices/events.ts'
import { paymentReactions, paymentTimers } from './payments/reactions.ts'
import { paymentRoutes } from './payments/routes.ts'
import { plans } from './plans/decider.ts'
import { planEvents } from './plans/events.ts'
import { planRoutes } from './plans/routes.ts'
import { provisioningReplays } from './provisioning/events.ts'
import { provisioningRoutes } from './provisioning/routes.ts'
import { settings } from './settings/decider.ts'
import { settingEvents } from './settings/events.ts'
import { settingRoutes } from './settings/routes.ts'
import { accountRoutes } from './shop/account/routes.ts'
import { shopAccounts } from './shop/accounts/decider.ts'
import { shopAccountEvents, shopLoginEvents } from './shop/accounts/events.ts'
import { shopLinks, shopNotices } from './shop/accounts/reactions.ts'
import { shopAuthRoutes } from './shop/auth/routes.ts'
import { checkoutRoutes } from './shop/checkout/routes.ts'
import { downloadRoutes } from './shop/downloads/routes.ts'
import { shopInstanceRoutes } from './shop/instances/routes.ts'
import { shopInvoiceRoutes } from './shop/invoices/routes.ts'
import { shopLicenseRoutes } from './shop/licenses/routes.ts'
import { meRoutes } from './shop/me/routes.ts'
import { shopPlanRoutes } from './shop/plans/routes.ts'
import { shopSessions } from './shop/sessions/decider.ts'
import { shopSessionEvents } from './shop/sessions/events.ts'
import { shopSubscriptionRoutes } from './shop/subscriptions/routes.ts'
import { signingKeys } from './signing-keys/decider.ts'
import { signingKeyEvents } from './signing-keys/events.ts'
import { resignLicenses, tendSigningKeys } from './signing-keys/reactions.ts'
import { signingKeyRoutes } from './signing-keys/routes.ts'
import { staffAccounts, staffRoster } from './staff/decider.ts'
import { staffEvents, staffRosterEvents } from './staff/events.ts'
import { staffReactions } from './staff/reactions.ts'
import { staffRoutes } from './staff/routes.ts'
import { subscriptions } from './subscriptions/decider.ts'
import { subscriptionEvents } from './subscriptions/events.ts'
import { applyChanges, endSubscriptions } from './subscriptions/reactions.ts'
import { subscriptionPaymentRoutes } from './subscriptions/payments/routes.ts'
import { subscriptionRoutes } from './subscriptions/routes.ts'
import { versions } from './versions/decider.ts'
import { versionEvents } from './versions/events.ts'
import { versionRoutes } from './versions/routes.ts'
import { webhookChecks, webhookMetrics } from './workflows/webhook-delivery/metrics.ts'
import { webhooks } from './webhooks/decider.ts'
import { webhookRequests, webhookEvents } from './webhooks/events.ts'
import { webhookReactions, webhookTimers } from './webhooks/reactions.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** Asked when they are needed: what spans all sections spans its own as well. */
const allStreams = () => sections.flatMap(({ streams }) => streams)

export const sections: readonly Section[] = [
  { name: 'plans', streams: [planEvents], deciders: [plans], readModels: [planTable], routes: planRoutes },
  {
    name: 'features',
    streams: [featureEvents],
    deciders: [features],
    readModels: [featureTable],
    routes: featureRoutes,
  },
  {
    name: 'staff',
    streams: [staffEvents, staffRosterEvents],
    deciders: [staffAccounts, staffRoster],
    readModels: [staffTable],
    routes: staffRoutes,
    reactions: staffReactions,
  },
  {
    name: 'auth',
    streams: [staffSessionEvents, staffLoginEvents],
    deciders: [staffSessions],
    readModels: [staffSessionTable],
    routes: [...authRoutes, ...sessionRoutes],
  },
  {
    name: 'machine-tokens',
    streams: [machineTokenEvents],
    deciders: [machineTokens],
    readModels: [machineTokenTable],
    routes: machineTokenRoutes,
  },
  {
    name: 'customers',
    streams: [customerEvents, customerExports],
    deciders: [customers],
    readModels: [customerTable],
    routes: [...customerRoutes, ...creditRoutes],
  },
  {
    name: 'subscriptions',
    streams: [subscriptionEvents],
    deciders: [subscriptions],
    readModels: [subscriptionTable],
    routes: [...subscriptionRoutes, ...subscriptionPaymentRoutes],
    timers: [endSubscriptions, applyChanges],
  },
  {
    name: 'licenses',
    streams: [licenseReads],
    deciders: [],
    readModels: [licenseTable],
    routes: licenseRoutes,
    timers: [noteExpiries],
  },
  {
    name: 'payments',
    streams: [paymentEvents, paymentNotices, creditEvents, billingEvents, invoiceNumberEvents, invoiceEvents],
    deciders: [payments, credits, billings, invoiceNumbers],
    readModels: [paymentTable, disputeTable, invoiceTable, billingTable],
    routes: paymentRoutes,
    reactions: paymentReactions,
    timers: paymentTimers,
  },
  {
    name: 'provisioning',
    streams: [provisioningReplays],
    deciders: [],
    readModels: [],
    routes: provisioningRoutes,
  },
  {
    name: 'shop',
    streams: [shopAccountEvents, shopLoginEvents, shopSessionEvents],
    deciders: [shopAccounts, shopSessions],
    readModels: [shopSessionTable],
    routes: [
      ...shopAuthRoutes,
      ...meRoutes,
      ...shopPlanRoutes,
      ...shopSubscriptionRoutes,
      ...shopLicenseRoutes,
      ...shopInstanceRoutes,
      ...shopInvoiceRoutes,
      ...checkoutRoutes,
      ...downloadRoutes,
      ...accountRoutes,
    ],
    reactions: [shopLinks, shopNotices],
  },
  {
    name: 'signing-keys',
    streams: [signingKeyEvents],
    deciders: [signingKeys],
    readModels: [],
    routes: [],
    reactions: [resignLicenses],
    timers: [tendSigningKeys],
  },
  {
    name: 'versions',
    streams: [versionEvents],
    deciders: [versions],
    readModels: [versionTable, artifactTable],
    routes: versionRoutes,
  },
  {
    name: 'settings',
    streams: [settingEvents],
    deciders: [settings],
    readModels: [settingTable],
    routes: [...settingRoutes, ...signingKeyRoutes],
  },
  {
    name: 'bulk',
    streams: [bulkEvents],
    deciders: [bulk],
    readModels: [bulkTable],
    routes: bulkRoutes,
    reactions: bulkReactions,
    timers: bulkTimers,
  },
  { name: 'exports', streams: [exportEvents], deciders: [], readModels: [], routes: exportRoutes },
  { name: 'metrics', streams: [], deciders: [], readModels: [], routes: metricRoutes },
  {
    name: 'instances',
    streams: [licenseSlotEvents],
    deciders: [licenseSlots],
    readModels: [instanceTable, offlineLeaseTable],
    routes: instanceRoutes,
    reactions: [tellOfClones],
    timers: [staleInstances],
  },
  {
    name: 'license-api',
    streams: [],
    deciders: [],
    readModels: [revocationTable, licenseEndTable, licenseKeyTable, leaseTermTable],
    routes: [...licenseApiRoutes, ...activationRoutes, ...heartbeatRoutes, ...entitledVersionRoutes],
  },
  {
    name: 'audit',
    streams: [],
    deciders: [],
    readModels: [auditTrail],
    routes: auditRoutes(allStreams),
  },
  {
    name: 'webhooks',
    streams: [webhookEvents, webhookRequests],
    deciders: [webhooks],
    readModels: [webhookTable],
    routes: webhookRoutes(allStreams),
    reactions: webhookReactions(allStreams),
    timers: webhookTimers,
    metrics: webhookMetrics,
    checks: webhookChecks,
  },
]
