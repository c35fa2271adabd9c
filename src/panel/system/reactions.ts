import { reaction } from '#kernel/jobs/reaction'
import { timer } from '#kernel/jobs/timer'
import { panelLicenseEvents } from '../license/events.ts'
import { checkForUpdates, scheduleCheck } from './update-checks.ts'

const DUE = 'SELECT next_at AS at FROM telemetry.panel_update WHERE next_at <= $1'

/** Once a key is set, there is a service to ask. */
export const beginUpdateChecks = reaction('panel-update-start', {
  on: [panelLicenseEvents.LicenseKeySet],
  run: (_happened, { telemetry, now }) => scheduleCheck(telemetry, now),
})

/** Hourly, by one of all workers. */
export const updateChecks = timer('panel-updates', {
  outside: true,
  async due({ telemetry, until }) {
    const { rows } = await telemetry.query<{ at: string }>(DUE, [until.toISOString()])
    return rows.map(({ at }) => ({ key: 'panel', at }))
  },
  run: (_due, work) => checkForUpdates(work),
})
