/** What each container of an application uses. It is measured for the page, again and again. */
import { Link } from 'wouter'
import { getApplicationsByIdStatsLive } from '#api-client/panel/applications'
import type { Application, ContainerStats } from '#api-client/panel/schemas'
import { bytes, gibibytes, MIB } from '../../kit/bytes.ts'
import { Empty, Notice, Part, State } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { textOf } from '../../kit/refusal.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { exactTime } from '../../kit/time.tsx'
import { useAnswerIf } from '../../session/context.tsx'
import { usePreviewChoice } from './preview-choice.tsx'

const EVERY_MS = 5_000

export function LiveUse({ of: application }: { readonly of: Application }) {
  const { id, deploymentId } = application
  const { previewId, choice } = usePreviewChoice(application)
  const query = previewId === null ? {} : { previewId }
  const answer = useAnswerIf(true, getApplicationsByIdStatsLive, { params: { id }, query }, () => true, EVERY_MS)
  const isStale = answer.data !== undefined && (answer.failureCount > 0 || answer.error !== null)
  const why = answer.failureReason ?? answer.error
  return (
    <Part title="What its containers use">
      {choice && <search className="filters">{choice}</search>}
      {isStale && (
        <Notice tone="warn">
          {why && <p>{textOf(why)}</p>}
          <p>These figures are of {exactTime(new Date(answer.dataUpdatedAt).toISOString())}.</p>
        </Notice>
      )}
      <Shown answer={answer}>
        {(containers) =>
          containers.length === 0 ? (
            <Empty>No container runs. What the containers use is shown here when some do.</Empty>
          ) : (
            <Containers
              of={containers}
              id={id}
              runningId={previewId === null ? deploymentId : null}
              isStale={isStale}
            />
          )
        }
      </Shown>
    </Part>
  )
}

interface ContainersProps {
  readonly of: readonly ContainerStats[]
  readonly id: string
  readonly runningId: string | null
  readonly isStale: boolean
}

const Containers = ({ of, id, runningId, isStale }: ContainersProps) => (
  <RowsTable
    rows={of}
    caption="Containers of the application"
    keyOf={({ deploymentId, service, replica }) => `${deploymentId} ${service} ${replica}`}
    columns={[
      { label: 'Container', of: (container) => <Named of={container} isStale={isStale} /> },
      {
        label: 'Deployment',
        of: ({ deploymentId }) => <Of id={id} deploymentId={deploymentId} runningId={runningId} />,
      },
      { label: 'CPU', isNumber: true, of: ({ cpuPercent }) => `${cpuPercent.toFixed(1)} %` },
      { label: 'Memory', isNumber: true, of: memoryText },
      { label: 'Network', of: (each) => `${bytes(each.netRxBytes)} in, ${bytes(each.netTxBytes)} out` },
      {
        label: 'Disk',
        of: (each) => `${bytes(each.blockReadBytes)} read, ${bytes(each.blockWriteBytes)} written`,
      },
      { label: 'Processes', isNumber: true, of: ({ pids }) => pids },
    ]}
  />
)

interface NamedProps {
  readonly of: ContainerStats
  readonly isStale: boolean
}

const Named = ({ of: { service, replica }, isStale }: NamedProps) => (
  <span className="row">
    {`${service}.${replica}`} {isStale && <State of="STALE" />}
  </span>
)

interface OfProps {
  readonly id: string
  readonly deploymentId: string | null
  readonly runningId: string | null
}

function Of({ id, deploymentId, runningId }: OfProps) {
  if (deploymentId === null) return <span className="soft">–</span>
  const words = deploymentId === runningId ? 'the one that runs' : 'another one'
  return (
    <Link href={`/applications/${id}/deployments/${deploymentId}`}>
      {runningId === null ? 'its deployment' : words}
    </Link>
  )
}

function memoryText({ memoryBytes, limitBytes }: ContainerStats): string {
  const used = gibibytes(memoryBytes / MIB)
  if (limitBytes === 0) return used
  return `${used} of ${gibibytes(limitBytes / MIB)} (${Math.round((memoryBytes * 100) / limitBytes)} %)`
}
