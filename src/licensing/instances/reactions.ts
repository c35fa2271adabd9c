import type { Kysely } from 'kysely'
import { timer } from '#kernel/work/timer'
import { silentInstance, silentInstances } from '#projections/licensing/instances'
import { licenseSlots } from './decider.ts'

/** Where each process looks next: whoever begins anew has only looked at some of them once more. */
const lookedTo = new WeakMap<Kysely<any>, string | undefined>()

/** Writes down, once, that an instance is silent; that it is so, answers say by themselves. */
export const staleInstances = timer('stale-instances', {
  async due({ read, until, limit }) {
    const { silent, next } = await silentInstances(read, { until, limit, after: lookedTo.get(read) })
    if (silent.length < limit) lookedTo.set(read, next)
    return silent.map(({ id, subscriptionId, staleAt }) => ({ key: `${subscriptionId}/${id}`, at: staleAt }))
  },
  async run({ key }, { read, run }) {
    const [subscriptionId = '', instanceId = ''] = key.split('/')
    await run(async (unit) => {
      const silent = await silentInstance(read, instanceId, unit.at)
      if (!silent) return
      const { lastHeartbeatAt } = silent
      await unit.decide(licenseSlots, subscriptionId, 'MarkStale', { instanceId, lastHeartbeatAt })
    })
  },
})
