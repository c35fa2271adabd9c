import { timer } from '#kernel/jobs/timer'
import { scheduledDeployTable } from '#projections/panel/scheduled-deploys'
import { runDueSchedule } from '../workflows/scheduled-deploys.ts'

export const runSchedules = timer('scheduled-deploys', {
  async due({ read, until, limit }) {
    const rows = await scheduledDeployTable
      .queryIn(read)
      .select(['id', 'nextAt'])
      .where('nextAt', '<=', until.toISOString())
      .orderBy('nextAt')
      .limit(limit)
      .execute()
    return rows.map(({ id, nextAt }) => ({ key: id, at: nextAt! }))
  },
  run: ({ key, at }, { run }) => runDueSchedule(run, key, at.toISOString()),
})
