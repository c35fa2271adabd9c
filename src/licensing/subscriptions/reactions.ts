import { timer } from '#kernel/jobs/timer'
import { cancellationsDue, changesDue } from '#projections/licensing/subscriptions'
import { applyScheduledChange } from '../workflows/subscriptions/change.ts'
import { decideSubscription } from '../workflows/subscriptions/decide.ts'

/** Ends subscriptions that were cancelled for the end of their period. Their licenses have ended by then. */
export const endSubscriptions = timer('end-subscriptions', {
  due: ({ read, until, limit }) => cancellationsDue(read, until, limit),
  run: async ({ key }, { run }) => void (await run((unit) => decideSubscription(unit, key, 'EndSubscription', {}))),
})

/** Applies changes that were scheduled for the end of a period. */
export const applyChanges = timer('apply-changes', {
  due: ({ read, until, limit }) => changesDue(read, until, limit),
  run: ({ key }, { run, baseUrl }) => run((unit) => applyScheduledChange(unit, key, baseUrl)),
})
