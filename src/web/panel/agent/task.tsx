import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { getServersById } from '#api-client/panel/servers'
import { Fact, Facts, Notice, Part, State, Value } from '../../kit/controls.tsx'
import { Failed, Loading, Page } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswerIf } from '../../session/context.tsx'
import { TaskLog } from './log.tsx'
import { isOver, useTaskLog } from './task-log.ts'
import type { Task } from './task-log.ts'

export default function TaskPage() {
  const { id } = useParams<{ id: string }>()
  const [round, setRound] = useState(0)
  return <FollowedTask key={`${id} ${round}`} id={id} again={() => setRound(round + 1)} />
}

interface FollowedTaskProps {
  readonly id: string
  readonly again: () => void
}

function FollowedTask({ id, again }: FollowedTaskProps) {
  const { told: task, lines, refused } = useTaskLog(id)
  if (!task)
    return (
      <Page title="Task">
        {refused ? (
          <Failed of={refused} gone="This task is gone, or it is not yours to see." again={again} />
        ) : (
          <Loading />
        )}
      </Page>
    )
  return (
    <Page title={`Task ${task.kind}`} parent={{ to: '/servers', title: 'Servers' }} state={<State of={task.state} />}>
      {task.error && (
        <Notice tone="bad">
          <p>{task.error.message}</p>
          <p className="soft">{task.error.code}</p>
        </Notice>
      )}
      <TaskFacts task={task} />
      <Contents title="What was asked" of={task.payload} />
      <Contents title="Result" of={task.result} />
      {task.log && (
        <Part title="Log">
          <TaskLog of="task" lines={lines} cut={task.log.cut} isOver={isOver(task)} />
        </Part>
      )}
      {refused && <Failed of={refused} again={again} />}
    </Page>
  )
}

function TaskFacts({ task }: { readonly task: Task }) {
  const server = useAnswerIf(true, getServersById, { params: { id: task.serverId } })
  const { serverId, projectId, attempt, cause, percent } = task
  return (
    <Facts>
      <Fact label="Server">
        <Link href={`/servers/${serverId}`}>{server.data?.name ?? serverId}</Link>
      </Fact>
      {projectId && (
        <Fact label="Project">
          <Link href={`/projects/${projectId}`}>{projectId}</Link>
        </Fact>
      )}
      <Fact label="Caused by">
        {wordOf(cause.type)} {cause.id}
      </Fact>
      <Fact label="Attempt">{attempt}</Fact>
      <Fact label="Asked">
        <Time at={task.createdAt} />
      </Fact>
      <Fact label="Began">
        <Time at={task.startedAt} absent="not yet" />
      </Fact>
      <Fact label="Ended">
        <Time at={task.endedAt} absent="not yet" />
      </Fact>
      {!isOver(task) && (
        <Fact label="Given up">
          <Time at={task.expiresAt} />
        </Fact>
      )}
      {percent !== null && (
        <Fact label="Done">
          {Math.round(percent)} % <progress className="progress" max={100} value={percent} aria-label="Done" />
        </Fact>
      )}
    </Facts>
  )
}

function Contents({ title, of }: { readonly title: string; readonly of: Task['payload'] }) {
  if (of === null || Object.keys(of).length === 0) return null
  return (
    <Part title={title}>
      <Value of={of} />
    </Part>
  )
}
