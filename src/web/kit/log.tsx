/** Lines of a log: with their times and colours, those that are looked for marked. */
import { memo, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { ToneText } from './controls.tsx'
import type { LogLine } from './log-line.ts'
import './log.css'
import { plainText, styledParts } from './sgr.ts'
import { LineTime } from './time.tsx'

interface LogLinesProps {
  readonly label: string
  readonly lines: readonly LogLine[]
}

/** As long as its lines. New ones are read aloud. */
export const LogLines = ({ label, lines }: LogLinesProps) => (
  <pre role="log" aria-label={label}>
    {lines.map((line) => (
      <OneLine key={line.key} of={line} />
    ))}
  </pre>
)

/** The last line counts as shown this near to it, in pixels. */
const NEAR = 24

/** The keyboard scrolls it. */
export const SCROLLED = { tabIndex: 0 }

interface LogWindowProps extends LogLinesProps {
  /** What the lines are searched for. */
  readonly find: string
}

/**
 * As high as the window at most. It follows the newest line while that one is shown. Lines may come by the hundred, so they
 * are read when the person goes there, and not aloud.
 */
export function LogWindow({ label, lines, find }: LogWindowProps) {
  const place = useRef<HTMLPreElement>(null)
  const isAtEnd = useRef(true)
  useLayoutEffect(() => {
    if (place.current && isAtEnd.current) place.current.scrollTop = place.current.scrollHeight
  })
  return (
    <pre
      ref={place}
      className="log"
      role="log"
      aria-label={label}
      aria-live="off"
      {...SCROLLED}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR
      }}
    >
      {lines.map((line) => (
        <OneLine key={line.key} of={line} find={find} />
      ))}
    </pre>
  )
}

export const isFound = ({ text, by }: LogLine, find: string): boolean =>
  `${by ?? ''} ${plainText(text)}`.toLowerCase().includes(find.toLowerCase())

interface OneLineProps {
  readonly of: LogLine
  readonly find?: string
}

const OneLine = memo(function OneLine({ of: { at, of, by, text }, find = '' }: OneLineProps) {
  return (
    <div>
      {at !== undefined && (
        <span className="soft">
          <LineTime at={at} /> {by && `${by} `}
        </span>
      )}
      <LineText of={of} text={text} find={find} />
    </div>
  )
})

interface LineTextProps extends Pick<LogLine, 'of' | 'text'> {
  readonly find: string
}

function LineText({ of, text, find }: LineTextProps) {
  if (of === 'GAP') return <ToneText tone="warn">{text}</ToneText>
  const parts = styledParts(text).map(({ text: part, style, at }) => (
    <span key={at} className={style || undefined}>
      {marked(part, find)}
    </span>
  ))
  if (of === 'STEP') return <strong>{parts}</strong>
  return of === 'ERR' ? <ToneText tone="warn">{parts}</ToneText> : parts
}

function marked(text: string, find: string): ReactNode {
  const at = find === '' ? -1 : text.toLowerCase().indexOf(find.toLowerCase())
  if (at === -1) return text
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + find.length)}</mark>
      {marked(text.slice(at + find.length), find)}
    </>
  )
}
