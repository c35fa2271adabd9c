/** The licensing service: one line per section. */
import type { Section } from '#kernel/section'
import { auditTrail } from '#projections/audit-trail'
import { staffSessionTable } from '#projections/licensing/auth'
import { customerTable } from '#projections/licensing/customers'
import { licenseTable } from '#projections/licensing/licenses'
import { machineTokenTable } from '#projections/licensing/machine-tokens'
import { revocationTable } from '#projections/licensing/license-api'
import { billingTable, invoiceTable, paymentTable } from '#projections/licensing/payments'
import { planTable } from '#projections/licensing/plans'
import { staffTable } from '#projections/licensing/staff'
import { subscriptionTable } from '#projections/licensing/subscriptions'
import { webhookTable } from '#projections/licensing/webhooks'
import { secondFactorRoutes } from './auth/2fa/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { staffSessions } from './auth/decider.ts'
import { staffLoginEvents, staffSessionEvents } from './auth/events.ts'
import { authRoutes } from './auth/routes.ts'
import { sessionRoutes } from './auth/sessions/routes.ts'
import { creditRoutes } from './customers/credits/routes.ts'
import { customers } from './customers/decider.ts'
import { customerEvents, customerExports } from './customers/events.ts'
import { customerRoutes } from './customers/routes.ts'
import { licenseApiRoutes } from './license-api/routes.ts'
import { licenseReads } from './licenses/events.ts'
import { noteExpiries } from './licenses/reactions.ts'
import { licenseRoutes } from './licenses/routes.ts'
import { machineTokens } from './machine-tokens/decider.ts'
import { machineTokenEvents } from './machine-tokens/events.ts'
import { machineTokenRoutes } from './machine-tokens/routes.ts'
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
import { signingKeys } from './signing-keys/decider.ts'
import { signingKeyEvents } from './signing-keys/events.ts'
import { resignLicenses, tendSigningKeys } from './signing-keys/reactions.ts'
import { signingKeyRoutes } from './settings/signing-keys/routes.ts'
import { staff } from './staff/decider.ts'
import { staffEvents } from './staff/events.ts'
import { subscriptions } from './subscriptions/decider.ts'
import { subscriptionEvents } from './subscriptions/events.ts'
import { applyChanges, endSubscriptions } from './subscriptions/reactions.ts'
import { subscriptionPaymentRoutes } from './subscriptions/payments/routes.ts'
import { subscriptionRoutes } from './subscriptions/routes.ts'
import { webhookChecks, webhookFigures } from './webhook-figures.ts'
import { webhooks } from './webhooks/decider.ts'
import { webhookAsks, webhookEvents } from './webhooks/events.ts'
import { webhookReactions, webhookTimers } from './webhooks/reactions.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** Asked when they are needed: what spans all sections spans its own as well. */
const allStreams = () => sections.flatMap(({ streams }) => streams)

export const sections: readonly Section[] = [
  { name: 'plans', streams: [planEvents], deciders: [plans], readModels: [planTable], routes: planRoutes },
  { name: 'staff', streams: [staffEvents], deciders: [staff], readModels: [staffTable], routes: [] },
  {
    name: 'auth',
    streams: [staffSessionEvents, staffLoginEvents],
    deciders: [staffSessions],
    readModels: [staffSessionTable],
    routes: [...authRoutes, ...sessionRoutes, ...secondFactorRoutes],
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
    readModels: [paymentTable, invoiceTable, billingTable],
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
    name: 'signing-keys',
    streams: [signingKeyEvents],
    deciders: [signingKeys],
    readModels: [],
    routes: [],
    reactions: [resignLicenses],
    timers: [tendSigningKeys],
  },
  { name: 'settings', streams: [], deciders: [], readModels: [], routes: signingKeyRoutes },
  { name: 'license-api', streams: [], deciders: [], readModels: [revocationTable], routes: licenseApiRoutes },
  {
    name: 'audit',
    streams: [],
    deciders: [],
    readModels: [auditTrail],
    routes: auditRoutes(allStreams),
  },
  {
    name: 'webhooks',
    streams: [webhookEvents, webhookAsks],
    deciders: [webhooks],
    readModels: [webhookTable],
    routes: webhookRoutes(allStreams),
    reactions: webhookReactions(allStreams),
    timers: webhookTimers,
    figures: webhookFigures,
    checks: webhookChecks,
  },
]
