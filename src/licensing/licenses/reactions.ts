import { timer } from '#kernel/jobs/timer'
import { endsDue } from '#projections/licensing/licenses'
import { decideOn } from '../workflows/subscriptions/decide.ts'

/** Writes down that a license has entered its grace, and that it has expired. Answers never wait for it: they look at the dates. */
export const noteExpiries = timer('note-expiries', {
  due: ({ read, until, limit }) => endsDue(read, until, limit),
  run: async ({ key }, { run }) => {
    const [subscriptionId = '', licenseId = ''] = key.split('/')
    await run((unit) => decideOn(unit, subscriptionId, 'NoteExpiry', { licenseId }))
  },
})
