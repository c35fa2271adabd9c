/** When an application is deployed by itself. */
import { Link } from 'wouter'
import { getApplicationsByIdDeployments } from '#api-client/panel/applications'
import { getScheduledDeploys } from '#api-client/panel/scheduled-deploys'
import type { ScheduledDeploy } from '#api-client/panel/schemas'
import { Empty, Part, ToneText } from '../../kit/controls.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { exactTime, Time } from '../../kit/time.tsx'
import { AddSchedule } from './add-schedule.tsx'
import { ApplicationPage } from './application-page.tsx'
import { ScheduleActions } from './schedule-actions.tsx'

export default function ApplicationSchedules() {
  return <ApplicationPage needs={getApplicationsByIdDeployments}>{({ id }) => <Schedules id={id} />}</ApplicationPage>
}

const Schedules = ({ id }: { readonly id: string }) => (
  <Part title="Schedules" actions={<AddSchedule applicationId={id} />}>
    <RecordTable
      operation={getScheduledDeploys}
      caption="Schedules of the application"
      input={{ query: { applicationId: id } }}
      keyOf={(schedule) => schedule.id}
      columns={[
        { label: 'Deploys', of: (schedule) => <When of={schedule} /> },
        { label: 'Next', of: (schedule) => <Next of={schedule} /> },
        { label: 'Last', of: (schedule) => <Last of={schedule} /> },
        { label: 'If the panel was down', of: ({ missed }) => (missed === 'ONE' ? 'once, later' : 'not') },
        { label: 'Actions', of: (schedule) => <ScheduleActions of={schedule} /> },
      ]}
      empty={<Empty>A schedule deploys by cron, such as each night, or once at a time.</Empty>}
    />
  </Part>
)

function When({ of: { cron, timezone, runAt } }: { readonly of: ScheduledDeploy }) {
  if (cron === null) return <>once, {runAt === null ? 'never' : exactTime(runAt)}</>
  return (
    <>
      <code>{cron}</code> <span className="soft">{timezone ?? 'UTC'}</span>
    </>
  )
}

function Next({ of: { enabled, nextAt } }: { readonly of: ScheduledDeploy }) {
  if (!enabled) return <ToneText tone="quiet">disabled</ToneText>
  return <Time at={nextAt} absent="never again" />
}

function Last({ of: { applicationId, lastRun, missedFor } }: { readonly of: ScheduledDeploy }) {
  if (!lastRun)
    return missedFor === null ? (
      <span className="soft">not yet</span>
    ) : (
      <>
        missed, <Time at={missedFor} />
      </>
    )
  if (lastRun.deploymentId === null)
    return (
      <>
        <ToneText tone="bad">refused</ToneText> {lastRun.refusal}
      </>
    )
  return (
    <Link href={`/applications/${applicationId}/deployments/${lastRun.deploymentId}`}>
      <Time at={lastRun.at} />
    </Link>
  )
}
