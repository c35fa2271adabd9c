import { timer } from '#kernel/jobs/timer'
import { licenseEndsDue } from '#projections/licensing/licenses'
import { decideSubscription } from '../workflows/subscriptions/decide.ts'

/** Writes down that a license has entered its grace, and that it has expired. Answers never wait for it: they look at the dates. */
export const noteExpiries = timer('note-expiries', {
  due: ({ read, until, limit }) => licenseEndsDue(read, until, limit),
  run: async ({ key }, { run }) => {
    const [subscriptionId = '', licenseId = ''] = key.split('/')
    await run((unit) => decideSubscription(unit, subscriptionId, 'NoteExpiry', { licenseId }))
  },
})
