import { section } from '#kernel/resource/section'
import { subscriptionTable } from '#projections/licensing/subscriptions'
import { subscriptions } from './decider.ts'
import { subscriptionEvents } from './events.ts'
import { subscriptionPaymentRoutes } from './payments/routes.ts'
import { applyChanges, endSubscriptions } from './reactions.ts'
import { subscriptionRoutes } from './routes.ts'

export const subscriptionsSection = section({
  name: 'subscriptions',
  streams: [subscriptionEvents],
  deciders: [subscriptions],
  readModels: [subscriptionTable],
  routes: [...subscriptionRoutes, ...subscriptionPaymentRoutes],
  timers: [endSubscriptions, applyChanges],
})
