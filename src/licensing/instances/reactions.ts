import type { Kysely } from 'kysely'
import { reaction } from '#kernel/jobs/reaction'
import { timer } from '#kernel/jobs/timer'
import { silentInstance, silentInstances } from '#projections/licensing/instances'
import { customerEmail, mailStaff } from '../staff/notify.ts'
import { licenseSlots } from './decider.ts'
import { InstanceFlagged } from './events.ts'

/** Where each process looks next: whoever begins anew has only looked at some of them once more. */
const scanPositions = new WeakMap<Kysely<any>, string | undefined>()

/** Writes down, once, that an instance is silent; that it is so, answers say by themselves. */
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

/** People decide what it means: nothing else follows from the suspicion, and the panel goes on. */
export const tellOfClones = reaction('tell-of-clones', {
  on: [InstanceFlagged],
  async run({ data: { instanceId, subscriptionId, customerId, flag } }, work) {
    if (flag !== 'CLONE_SUSPECTED' || !(await work.canMail())) return
    const staffText = [
      `A second panel goes on from the leases of instance ${instanceId} of subscription ${subscriptionId}, or has asked for its slot from what looks like the same machine.`,
      'The instance keeps its slot and goes on. Was the machine copied or set up anew? Then deactivate the instance that is gone. Did the license key leak? Then reissue the license, mode leaked.',
      `GET ${work.baseUrl}/api/admin/instances/${instanceId}`,
    ]
    await mailStaff(work, 'licenses:manage', {
      subject: 'A license may be in use twice',
      text: `${staffText.join('\n\n')}\n`,
    })
    const to = await customerEmail(work, customerId)
    if (to === undefined) return
    const text = [
      `A second panel goes on as one of your machines (instance ${instanceId}), or has asked for its place under your license. Your panel goes on.`,
      'Was the machine copied or set up anew? Then free the place of the one that is gone, among your machines. If it was not, your license key may be known to others: change it, and tell us.',
    ]
    await work.mail({ to, subject: 'Your license may be in use twice', text: `${text.join('\n\n')}\n` }, 'customer')
  },
})
