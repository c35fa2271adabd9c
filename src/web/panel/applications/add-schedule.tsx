/** A new schedule: again and again by cron, or once at a time. */
import { postScheduledDeploys } from '#api-client/panel/scheduled-deploys'
import { ProjectAction } from '../projects/rights.tsx'
import { BY_CRON, LABELS, ONCE, scheduleInputs } from './schedule-inputs.tsx'

/** Such as Europe/Berlin: what the browser of the person uses. */
const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

export function AddSchedule({ applicationId }: { readonly applicationId: string }) {
  const of = { operation: postScheduledDeploys, fixed: { applicationId }, done: 'The schedule is added' }
  return (
    <>
      <ProjectAction
        {...of}
        label="Deploy by cron"
        tone="main"
        only={BY_CRON}
        order={BY_CRON}
        required={['cron']}
        initial={{ cron: '0 3 * * *', timezone: zoneHere() }}
        labels={LABELS}
        inputs={scheduleInputs}
      />
      <ProjectAction
        {...of}
        label="Deploy once"
        only={ONCE}
        order={ONCE}
        required={['runAt']}
        labels={LABELS}
        inputs={scheduleInputs}
      />
    </>
  )
}
