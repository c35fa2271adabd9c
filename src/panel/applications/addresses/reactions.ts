/** What leads to an application follows its addresses at once. */
import type { JobContext } from '#kernel/jobs/job-context'
import { reaction } from '#kernel/jobs/reaction'
import { applicationTable } from '#projections/panel/applications'
import { settingEvents } from '../../settings/events.ts'
import { deployingFor } from '../../workflows/deploying.ts'
import { putRelease } from '../../workflows/put-proxy.ts'
import { applications } from '../decider.ts'
import { applicationEvents } from '../events.ts'
import { placeOf } from '../place.ts'

async function tellProxy(work: JobContext, applicationId: string, eventId: string): Promise<void> {
  const deploying = await deployingFor(work)
  const cause = { type: 'event', id: `${eventId}/${applicationId}` }
  await work.run(async (unit) => {
    const application = await unit.look(applications, applicationId)
    if (application) await putRelease({ unit, ...deploying }, placeOf(application), cause)
  })
}

export const proxyFollowsAddresses = reaction('application-addresses', {
  on: [
    applicationEvents.ApplicationAddressed,
    applicationEvents.ApplicationPortOpened,
    applicationEvents.ApplicationPortClosed,
  ],
  run: ({ id, data: { applicationId } }, work) => tellProxy(work, applicationId, id),
})

/** The domain of all clean URLs. */
export const proxyFollowsDomain = reaction('applications-domain', {
  on: [settingEvents.SettingChanged],
  async run({ id, data: { settingId } }, work) {
    if (settingId !== 'appsDomain') return
    const clean = await applicationTable.queryIn(work.read).select('id').where('urlMode', '=', 'CLEAN').execute()
    for (const each of clean) await tellProxy(work, each.id, id)
  },
})
