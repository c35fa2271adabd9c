import { ToneText } from '../../kit/controls.tsx'
import { LineTime } from '../../kit/time.tsx'
import { LINES_SHOWN_MAX } from './followed.ts'
import type { Line } from './followed.ts'

interface TaskLogProps {
  /** What says it. */
  readonly of: 'task' | 'deployment'
  readonly lines: readonly Line[]
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
      <pre role="log" aria-label={`Log of the ${of}`}>
        {lines.map((line) => (
          <div key={line.seq}>
            <span className="soft">
              <LineTime at={line.at} />{' '}
            </span>
            <LineText of={line} />
          </div>
        ))}
      </pre>
    </>
  )
}

function LineText({ of: { of, text } }: { readonly of: Line }) {
  if (of === 'STEP') return <strong>{text}</strong>
  return of === 'ERR' ? <ToneText tone="warn">{text}</ToneText> : text
}
