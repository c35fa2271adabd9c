/** Runs, changes, disables and deletes a schedule. */
import { useLocation } from 'wouter'
import {
  deleteScheduledDeploysById,
  patchScheduledDeploysById,
  postScheduledDeploysByIdRun,
} from '#api-client/panel/scheduled-deploys'
import type { ScheduledDeploy } from '#api-client/panel/schemas'
import { Actions } from '../../kit/actions.tsx'
import { ProjectAction } from '../projects/rights.tsx'
import { BY_CRON, LABELS, ONCE, scheduleInputs } from './schedule-inputs.tsx'

export function ScheduleActions({ of: schedule }: { readonly of: ScheduledDeploy }) {
  const { id, applicationId, cron, enabled } = schedule
  const input = { params: { id } }
  const [, go] = useLocation()
  const fields = cron === null ? ONCE : BY_CRON
  return (
    <div className="row">
      <Actions
        more={
          <>
            <ProjectAction
              operation={patchScheduledDeploysById}
              input={input}
              label="Change"
              title="Change the schedule"
              only={fields}
              order={fields}
              initial={schedule}
              labels={LABELS}
              inputs={scheduleInputs}
              done="The schedule is changed"
            />
            <ProjectAction
              operation={patchScheduledDeploysById}
              input={input}
              label={enabled ? 'Disable' : 'Enable'}
              title={enabled ? 'Disable the schedule' : 'Enable the schedule'}
              about={<p>{enabled ? 'It does not deploy at its times any more.' : 'It deploys at its times again.'}</p>}
              only={[]}
              fixed={{ enabled: !enabled }}
              done={enabled ? 'The schedule is disabled' : 'The schedule is enabled'}
            />
            <ProjectAction
              operation={deleteScheduledDeploysById}
              input={input}
              label="Delete"
              title="Delete the schedule"
              tone="bad"
              about={<p>What it has deployed stays.</p>}
              done="The schedule is deleted"
            />
          </>
        }
      >
        <ProjectAction
          operation={postScheduledDeploysByIdRun}
          input={input}
          label="Run now"
          title="Deploy now"
          about={<p>The application is deployed now. When the schedule is due does not change.</p>}
          onDone={(made) => go(`/applications/${applicationId}/deployments/${made.id}`)}
          done="The deployment is asked for"
        />
      </Actions>
    </div>
  )
}
