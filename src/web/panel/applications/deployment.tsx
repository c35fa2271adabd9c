/** One deployment: its steps beside its log, as it happens. */
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import {
  getApplicationsByIdDeployments,
  postApplicationsByIdDeploymentsByDepIdCancel,
} from '#api-client/panel/applications'
import type { Application, DeploymentWithLog } from '#api-client/panel/schemas'
import { Fact, Facts, Notice, Part, State } from '../../kit/controls.tsx'
import { Failed, Loading } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { TaskLog } from '../agent/log.tsx'
import { ProjectAction } from '../projects/rights.tsx'
import { ApplicationPage } from './application-page.tsx'
import { useDeploymentLog } from './deployment-log.tsx'
import { stepsOf } from './deployment-steps.ts'
import { CAUSE_WORDS, contentOf, durationBetween, isOver, KIND_WORDS, stillness } from './deployment-words.ts'
import { LogLink } from './log-link.tsx'
import { Steps } from './steps.tsx'

export default function DeploymentPage() {
  return <ApplicationPage needs={getApplicationsByIdDeployments}>{(of) => <Followed of={of} />}</ApplicationPage>
}

function Followed({ of: { id } }: { readonly of: Application }) {
  const { depId } = useParams<{ depId: string }>()
  const [round, setRound] = useState(0)
  return <OneDeployment key={`${depId} ${round}`} id={id} depId={depId} again={() => setRound(round + 1)} />
}

interface OneDeploymentProps {
  readonly id: string
  readonly depId: string
  readonly again: () => void
}

function OneDeployment({ id, depId, again }: OneDeploymentProps) {
  const { told, lines, refused } = useDeploymentLog(id, depId)
  if (!told)
    return refused ? (
      <Failed of={refused} gone="This deployment is gone, or it is not yours to see." again={again} />
    ) : (
      <Loading />
    )
  const still = stillness(told)
  return (
    <Part
      title={`${KIND_WORDS[told.kind]}: ${contentOf(told) ?? 'its images'}`}
      actions={
        <>
          <State of={told.status} />
          <LogLink of={told} />
          <Cancel of={told} />
        </>
      }
    >
      {told.failure && (
        <Notice tone="bad">
          <p>{told.failure.message}</p>
          <p className="soft">{told.failure.code}</p>
          {!told.switchingAt && <p>It has replaced nothing that ran before.</p>}
        </Notice>
      )}
      {still && (
        <Notice>
          <p>{still}</p>
        </Notice>
      )}
      <DeploymentFacts of={told} />
      <div className="columns">
        <Part title="Steps">
          <Steps of={stepsOf(told)} />
        </Part>
        <Part title="Log">
          {told.log ? (
            <TaskLog of="deployment" lines={lines} cut={told.log.cut} isOver={isOver(told)} />
          ) : (
            <p className="soft">Your role in this environment does not include its log.</p>
          )}
        </Part>
      </div>
      {refused && <Failed of={refused} again={again} />}
    </Part>
  )
}

const Cancel = ({ of }: { readonly of: DeploymentWithLog }) => (
  <ProjectAction
    operation={postApplicationsByIdDeploymentsByDepIdCancel}
    input={{ params: { id: of.applicationId, depId: of.id } }}
    record={of}
    isOffered={!isOver(of) && of.status !== 'CANCELLING'}
    label="Cancel it"
    title="Cancel the deployment"
    tone="bad"
    about={<p>What it has made is removed. What ran before runs on.</p>}
    cancel="Let it go on"
    done="The deployment is being cancelled"
  />
)

const DeploymentFacts = ({ of }: { readonly of: DeploymentWithLog }) => (
  <Facts>
    <Fact label="Caused by">{CAUSE_WORDS[of.cause.type]}</Fact>
    {of.branch !== null && <Fact label="Branch">{of.branch}</Fact>}
    {of.fromId !== null && (
      <Fact label="Images of">
        <Link href={`/applications/${of.applicationId}/deployments/${of.fromId}`}>an earlier deployment</Link>
      </Fact>
    )}
    <Fact label="Asked">
      <Time at={of.createdAt} />
    </Fact>
    {of.endedAt !== null && <Fact label="Took">{durationBetween(of.createdAt, of.endedAt)}</Fact>}
  </Facts>
)
