import type { LogLine } from '../../kit/log-line.ts'
import { LogLines } from '../../kit/log.tsx'
import { LINES_SHOWN_MAX } from './followed.ts'

interface TaskLogProps {
  /** What says it. */
  readonly of: 'task' | 'deployment'
  readonly lines: readonly LogLine[]
  /** How many lines the panel has not kept. */
  readonly cut: number
  readonly isOver: boolean
}

export function TaskLog({ of, lines, cut, isOver }: TaskLogProps) {
  if (lines.length === 0) return <p className="soft">{`The ${of} has said nothing${isOver ? '' : ' yet'}.`}</p>
  return (
    <>
      {cut > 0 && <p className="soft">{cut} lines were cut.</p>}
      {lines.length === LINES_SHOWN_MAX && <p className="soft">The newest {LINES_SHOWN_MAX} lines are shown.</p>}
      <LogLines label={`Log of the ${of}`} lines={lines} />
    </>
  )
}
