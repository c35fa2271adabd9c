/** Previews follow what their application is, and go when they have no new commits for a time. */
import { reaction } from '#kernel/jobs/reaction'
import { timer } from '#kernel/jobs/timer'
import { applicationTable } from '#projections/panel/applications'
import { previewTable } from '#projections/panel/applications/previews'
import { deployingFor } from '../../workflows/deploying.ts'
import { closeIdlePreview, closeUnfounded, idleAt } from '../../workflows/previews.ts'
import { putRelease } from '../../workflows/put-proxy.ts'
import { applications } from '../decider.ts'
import { applicationEvents } from '../events.ts'
import { previewPlace } from '../place.ts'
import { previews } from './decider.ts'

/** They are turned off, have another domain, or their repository is no longer that of the application. */
export const previewsFollow = reaction('application-previews', {
  on: [applicationEvents.ApplicationPreviewsConfigured, applicationEvents.ApplicationChanged],
  async run({ id, type, data: { applicationId } }, work) {
    const deploying = await deployingFor(work)
    await work.run(async (unit) => {
      const application = await unit.look(applications, applicationId)
      if (!application) return
      await closeUnfounded({ unit, ...deploying }, application)
      if (type !== applicationEvents.ApplicationPreviewsConfigured.type) return
      const { open } = await unit.load(previews, applicationId)
      for (const preview of Object.values(open)) {
        const cause = { type: 'event', id: `${id}/${preview.id}` }
        await putRelease({ unit, ...deploying }, previewPlace(application, preview), cause)
      }
    })
  },
})

const DAY_MS = 86_400_000

/** How many days they stay is a matter of each application, and at least one. */
export const endIdlePreviews = timer('idle-previews', {
  async due({ read, until, limit }) {
    const rows = await previewTable
      .queryIn(read)
      .innerJoin(applicationTable.as('application'), 'application.id', 'previews.applicationId')
      .where('previews.updatedAt', '<=', new Date(until.getTime() - DAY_MS).toISOString())
      .select(['previews.id', 'previews.applicationId', 'previews.updatedAt', 'application.previewIdleDays'])
      .orderBy('previews.updatedAt')
      .execute()
    const due = rows.flatMap(({ id, applicationId, updatedAt: activeAt, previewIdleDays }) => {
      const at = idleAt({ activeAt }, previewIdleDays)
      return at <= until ? [{ key: `${applicationId}/${id}`, at }] : []
    })
    return due.slice(0, limit)
  },
  async run({ key }, work) {
    const [applicationId, previewId] = key.split('/') as [string, string]
    const deploying = await deployingFor(work)
    await work.run((unit) => closeIdlePreview({ unit, ...deploying }, applicationId, previewId))
  },
})
