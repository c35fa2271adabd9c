import { timer } from '#kernel/jobs/timer'
import { licenseEndsDue } from '#projections/licensing/licenses'
import { decideSubscription } from '../workflows/subscriptions/decide.ts'

/** Records that a license entered its grace or expired. Replies do not depend on it: they use the dates. */
export const noteExpiries = timer('note-expiries', {
  due: ({ read, until, limit }) => licenseEndsDue(read, until, limit),
  run: async ({ key }, { run }) => {
    const [subscriptionId = '', licenseId = ''] = key.split('/')
    await run((unit) => decideSubscription(unit, subscriptionId, 'NoteExpiry', { licenseId }))
  },
})
