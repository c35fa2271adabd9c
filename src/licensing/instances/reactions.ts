import { reaction } from '#kernel/jobs/reaction'
import { timer } from '#kernel/jobs/timer'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { silentInstance, silentInstances } from '#projections/licensing/instances'
import { customerEmail, mailStaff } from '../staff/notify.ts'
import { licenseSlots } from './decider.ts'
import { InstanceFlagged } from './events.ts'

/** The scan position of each process. A restarted process only scans some instances again. */
const scanPositions = new WeakMap<ReadDatabase, string | undefined>()

/** Records once that an instance is stale. Replies compute the status themselves. */
export const staleInstances = timer('stale-instances', {
  async due({ read, until, limit }) {
    const { silent, next } = await silentInstances(read, { until, limit, after: scanPositions.get(read) })
    if (silent.length < limit) scanPositions.set(read, next)
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

/** Staff decide what the suspicion means: it has no other effect, and the panel keeps running. */
export const tellOfClones = reaction('tell-of-clones', {
  on: [InstanceFlagged],
  async run({ data: { instanceId, subscriptionId, customerId, flag } }, work) {
    if (flag !== 'CLONE_SUSPECTED' || !(await work.canMail())) return
    const staffText = [
      `A second panel continues the leases of instance ${instanceId} of subscription ${subscriptionId}, or has requested its slot from what appears to be the same machine.`,
      'The instance keeps its slot and keeps running. If the machine was copied or rebuilt, deactivate the instance that no longer exists. If the license key leaked, reissue the license with mode leaked.',
      `GET ${work.baseUrl}/api/admin/instances/${instanceId}`,
    ]
    await mailStaff(work, 'licenses:manage', {
      subject: 'A license may be in use twice',
      text: `${staffText.join('\n\n')}\n`,
    })
    const to = await customerEmail(work, customerId)
    if (to === undefined) return
    const text = [
      `A second panel runs as one of your machines (instance ${instanceId}), or has requested its slot under your license. Your panel keeps running.`,
      'If you copied or rebuilt the machine, free the slot of the old one in your list of machines. If you did not, your license key may be known to others: replace the key and tell us.',
    ]
    await work.mail({ to, subject: 'Your license may be in use twice', text: `${text.join('\n\n')}\n` }, 'customer')
  },
})
