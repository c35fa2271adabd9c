/** One view of the log of an application: it can be narrowed, searched, paused and saved. */
import { useMemo, useState } from 'react'
import type { Application } from '#api-client/panel/schemas'
import { Button, Empty, Notice, Part, ToneText } from '../../kit/controls.tsx'
import type { LogLine } from '../../kit/log-line.ts'
import { isFound, LogWindow } from '../../kit/log.tsx'
import { RefusalNotice, textOf } from '../../kit/refusal.tsx'
import { useSeen } from '../../live/seen.ts'
import { LINES_SHOWN_MAX } from '../agent/followed.ts'
import { LogFilters } from './log-filters.tsx'
import type { LogGiven } from './log-filters.tsx'
import { useLogStream } from './log-stream.tsx'
import type { StreamedLog } from './log-stream.tsx'
import { SaveLog } from './save-log.tsx'

interface FollowedLogProps {
  readonly of: Application
  readonly given: LogGiven
  readonly find: string
  readonly set: (name: keyof LogGiven | 'find', value: string) => void
}

export function FollowedLog({ of: application, given, find, set }: FollowedLogProps) {
  const { service, deploymentId, tail } = given
  const query = useMemo(
    () => ({ tail: Number(tail), service: service || undefined, deploymentId: deploymentId || undefined }),
    [tail, service, deploymentId],
  )
  const [isPaused, setPaused] = useState(false)
  const isSeen = useSeen()
  const streamed = useLogStream(application.id, query, !isPaused && isSeen)
  const { lines, services, state, reason } = streamed
  const found = useMemo(
    () => (find === '' ? lines : lines.filter((line) => line.of === 'GAP' || isFound(line, find))),
    [lines, find],
  )
  return (
    <Part
      title="Log"
      actions={
        <>
          {state !== 'REFUSED' && <Button onClick={() => setPaused(!isPaused)}>{isPaused ? 'Go on' : 'Pause'}</Button>}
          <SaveLog id={application.id} query={query} name={application.slug} />
        </>
      }
    >
      <LogFilters of={application} services={services} given={given} find={find} set={set} />
      {state === 'REFUSED' && <RefusalNotice of={reason as Error} />}
      {state === 'LOST' && (
        <Notice tone="warn">
          <p>
            {reason instanceof Error ? textOf(reason) : 'The connection was lost.'} It is tried again, and goes on where
            it was.
          </p>
        </Notice>
      )}
      {lines.length === 0 ? (
        <Silence of={application} state={state} isOne={deploymentId !== ''} />
      ) : (
        <LogWindow label={`Log of ${application.name}`} lines={found} find={find} />
      )}
      <p className="row small">
        <output>
          <Following state={state} isPaused={isPaused} />
        </output>
        <span className="soft">
          {find !== '' && `${count(found)} of `}
          {count(lines) === 1 ? '1 line' : `${count(lines)} lines`}
          {lines.length === LINES_SHOWN_MAX && ': the page keeps no more, and leaves out the oldest'}
        </span>
      </p>
    </Part>
  )
}

const count = (lines: readonly LogLine[]): number => lines.filter(({ of }) => of !== 'GAP').length

interface FollowingProps extends Pick<StreamedLog, 'state'> {
  readonly isPaused: boolean
}

function Following({ state, isPaused }: FollowingProps) {
  if (state === 'REFUSED') return <ToneText tone="bad">Not followed</ToneText>
  if (isPaused) return <ToneText tone="quiet">Paused: what is said meanwhile comes when you go on</ToneText>
  if (state === 'OPEN') return <ToneText tone="good">Followed</ToneText>
  return <ToneText tone="warn">{state === 'LOST' ? 'Connection lost' : 'Connecting'}</ToneText>
}

interface SilenceProps extends Pick<StreamedLog, 'state'> {
  readonly of: Application
  /** Whether the log of one deployment is shown. */
  readonly isOne: boolean
}

function Silence({ of: { deploymentId }, state, isOne }: SilenceProps) {
  if (state !== 'OPEN') return null
  if (isOne) return <Empty>Nothing was said by this deployment, or nothing was kept of it.</Empty>
  return (
    <Empty>
      {deploymentId === null
        ? 'Nothing runs. Deploy the application, or choose an earlier deployment to see what was kept of it.'
        : 'Nothing was said yet. What its containers write to their standard output is shown here.'}
    </Empty>
  )
}
