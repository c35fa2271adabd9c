import { timer } from '#kernel/work/timer'
import { cancellationsDue } from '#projections/licensing/subscriptions'
import { subscriptions } from './decider.ts'

/** Those that were cancelled for the end of their period, when it has come. Their licenses have ended with it by then. */
export const endSubscriptions = timer('end-subscriptions', {
  due: ({ read, until, limit }) => cancellationsDue(read, until, limit),
  run: async ({ key }, { run }) => void (await run((unit) => unit.decide(subscriptions, key, 'EndSubscription', {}))),
})
