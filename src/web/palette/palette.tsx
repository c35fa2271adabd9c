/**
 * Goes to a page or a record, or begins an action of the page, by what the person types. Pages and records are links, and
 * the arrow keys move the focus among them: so a screen reader reads them, and a link can be opened in another tab.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { Link, useLocation } from 'wouter'
import { Dialog } from '../kit/overlay.tsx'
import { pageActions } from '../kit/page-actions.ts'
import { RefusalNotice } from '../kit/refusal.tsx'
import { isSingleKey } from './key-presses.ts'
import { actionEntry, grouped, matching } from './matching.ts'
import type { Entry } from './matching.ts'
import type { RecordSource } from './record-source.ts'
import { useRecords } from './records.ts'
import type { FoundRecords } from './records.ts'

interface PaletteProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly pages: readonly Entry[]
  readonly sources: readonly RecordSource[]
}

export const Palette = ({ isOpen, onClose, ...more }: PaletteProps) => (
  <Dialog title="Go to" isOpen={isOpen} onClose={onClose}>
    <Choice {...more} onChosen={onClose} />
  </Dialog>
)

interface ChoiceProps extends Pick<PaletteProps, 'pages' | 'sources'> {
  readonly onChosen: () => void
}

function Choice({ pages, sources, onChosen }: ChoiceProps) {
  const [, go] = useLocation()
  const [text, setText] = useState('')
  const parts = useRef<HTMLDivElement>(null)
  const found = useRecords(sources, text.trim())
  // As the page was when the palette opened over it.
  const [actions] = useState(() => pageActions().map(actionEntry))
  const entries = [...matching([...pages, ...actions], text), ...found.entries]
  const groups = grouped(entries)
  const first = groups[0]?.[1][0]
  // An id that is pasted and entered at once is opened when the service has found it.
  const [isAwaited, setAwaited] = useState(false)
  const open = ({ to }: Entry): void => {
    onChosen()
    if (typeof to === 'string') go(to)
    else to()
  }
  const openAwaited = useEffectEvent(open)
  useEffect(() => {
    if (isAwaited && first) openAwaited(first)
  }, [isAwaited, first])
  const steer = (event: KeyboardEvent): void => {
    if (moveFocus(parts.current!, event)) event.preventDefault()
  }
  return (
    <div ref={parts} className="stack">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (first) open(first)
          else setAwaited(found.isLooking)
        }}
      >
        <input
          className="input"
          aria-label="Page, record or action"
          value={text}
          autoComplete="off"
          spellCheck={false}
          onKeyDown={steer}
          onChange={({ target }) => {
            setText(target.value)
            setAwaited(false)
          }}
        />
      </form>
      {found.error && <RefusalNotice of={found.error} />}
      <Outcome text={text.trim()} first={first} found={found} />
      <div className="palette">
        {groups.map(([heading, of]) => (
          <section key={heading} aria-label={heading}>
            <h3 className="small soft">{heading}</h3>
            <ul>
              {of.map((entry) => (
                <li key={`${entry.title} ${entry.detail}`}>
                  <Choosable entry={entry} isFirst={entry === first} onKeyDown={steer} onChosen={onChosen} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  )
}

interface ChoosableProps {
  readonly entry: Entry
  readonly isFirst: boolean
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onChosen: () => void
}

function Choosable({ entry: { title, detail, to }, isFirst, onKeyDown, onChosen }: ChoosableProps) {
  const look = { className: 'menu-item', 'data-highlighted': isFirst || undefined, onKeyDown }
  const text = (
    <>
      {title} {detail && <span className="small soft">{detail}</span>}
    </>
  )
  return typeof to === 'string' ? (
    <Link href={to} {...look} onClick={onChosen}>
      {text}
    </Link>
  ) : (
    <button
      type="button"
      {...look}
      onClick={() => {
        onChosen()
        to()
      }}
    >
      {text}
    </button>
  )
}

/**
 * Arrow keys move among the field and the links below it; a letter goes to the field.
 * @returns whether the key has done all that it does
 */
function moveFocus(parts: HTMLElement, { key, nativeEvent }: KeyboardEvent): boolean {
  const places = [...parts.querySelectorAll<HTMLElement>('input, a, button.menu-item')]
  const now = places.indexOf(document.activeElement as HTMLElement)
  if (key === 'ArrowDown') places[Math.min(now + 1, places.length - 1)]?.focus()
  else if (key === 'ArrowUp') places[Math.max(now - 1, 0)]?.focus()
  else {
    // The letter itself is still to come: it arrives where the focus is then.
    if (now > 0 && isSingleKey(nativeEvent)) places[0]?.focus()
    return false
  }
  return true
}

interface OutcomeProps {
  readonly text: string
  /** Undefined: nothing is found. */
  readonly first: Entry | undefined
  readonly found: FoundRecords
}

/** What Enter opens, read aloud while the person types; and by what records are found. */
function Outcome({ text, first, found: { isLooking, error, notes } }: OutcomeProps) {
  const said = first
    ? `Enter opens ${[...new Set([first.title, first.detail])].filter(Boolean).join(', ')}.`
    : 'Nothing is found by this.'
  const rest = isLooking ? 'Looking for records.' : error ? 'Records could not be looked through.' : ''
  return (
    <div className="small soft">
      <output>{text === '' ? '' : [isLooking && !first ? '' : said, rest].filter(Boolean).join(' ')}</output>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  )
}
