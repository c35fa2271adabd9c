import { reaction } from '#kernel/jobs/reaction'
import { timer } from '#kernel/jobs/timer'
import { panelUpdate } from '../../tasks/panel-update.ts'
import type { PanelReplaced } from '../../tasks/panel-update.ts'
import type { Task } from '../agent/decider.ts'
import type { AskedKind } from '../agent/kinds.ts'
import { panelLicenseEvents } from '../license/events.ts'
import { panelUpdates } from './decider.ts'
import { panelUpdateEvents } from './events.ts'
import { dropFile, fetchFile } from './install.ts'
import { runningRelease } from './running-release.ts'
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

/** The file of the image, for the task that waits for it. */
export const fetchPanelImage = reaction('panel-image', {
  outside: true,
  on: [panelUpdateEvents.PanelUpdateAsked],
  run: ({ data: { panelUpdateId: version, taskId, sha256, size } }, work) =>
    fetchFile(work, { taskId, version, sha256, size }),
})

/** The agent tells the panel that serves then: the new version, or the former one. */
export const askedPanelUpdate: AskedKind = {
  kind: panelUpdate,
  async onEnd(task, work) {
    const { taskId } = task
    await dropFile(work, taskId)
    const { version: running } = work.service(runningRelease)
    await work.run(async (unit) => {
      await unit.decide(panelUpdates, undefined, 'NoteEnd', { taskId, code: codeOf(task) })
      await unit.decide(panelUpdates, undefined, 'NoteVersions', { running, offered: null })
    })
  },
}

/** Null: the version serves. */
function codeOf({ state, errorCode, result }: Task): string | null {
  if (state !== 'SUCCEEDED') return errorCode ?? state
  const { step, rolledBack } = JSON.parse(result!) as PanelReplaced
  if (step === 'READY') return null
  return rolledBack ? 'TAKEN_BACK' : 'NOT_TAKEN_BACK'
}
