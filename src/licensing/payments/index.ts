import { section } from '#kernel/resource/section'
import { billingTable, creditTable, disputeTable, invoiceTable, paymentTable } from '#projections/licensing/payments'
import { billings } from './billing/decider.ts'
import { billingEvents } from './billing/events.ts'
import { credits } from './credits/decider.ts'
import { creditEvents } from './credits/events.ts'
import { payments } from './decider.ts'
import { paymentEvents, paymentNotices } from './events.ts'
import { invoiceNumbers } from './invoices/decider.ts'
import { invoiceEvents, invoiceNumberEvents } from './invoices/events.ts'
import { paymentReactions, paymentTimers } from './reactions.ts'
import { paymentRoutes } from './routes.ts'

export const paymentsSection = section({
  name: 'payments',
  streams: [paymentEvents, paymentNotices, creditEvents, billingEvents, invoiceNumberEvents, invoiceEvents],
  deciders: [payments, credits, billings, invoiceNumbers],
  readModels: [paymentTable, creditTable, disputeTable, invoiceTable, billingTable],
  routes: paymentRoutes,
  reactions: paymentReactions,
  timers: paymentTimers,
})
