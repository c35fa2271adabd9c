import { timer } from '#kernel/work/timer'
import { silentInstances } from '#projections/licensing/instances'
import { licenseSlots } from './decider.ts'

/** Writes down, once, that an instance is silent; that it is so, answers say by themselves. */
export const staleInstances = timer('stale-instances', {
  due: async (asking) =>
    (await silentInstances(asking.read, asking)).map(({ id, subscriptionId, staleAt }) => ({
      key: `${subscriptionId}/${id}`,
      at: staleAt,
    })),
  async run({ key }, { read, run }) {
    const [subscriptionId = '', instanceId = ''] = key.split('/')
    await run(async (unit) => {
      const silent = await silentInstances(read, { until: unit.at, limit: 1, instanceId })
      for (const { lastHeartbeatAt } of silent)
        await unit.decide(licenseSlots, subscriptionId, 'MarkStale', { instanceId, lastHeartbeatAt })
    })
  },
})
