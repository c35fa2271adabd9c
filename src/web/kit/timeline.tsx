/** The audit trail of a record or of everything: who did what, when, from where, and what changed. */
import { useRef } from 'react'
import type { AuditEntry, Checkpoint } from './audit-entry.ts'
import type { EventFacts } from './diff.ts'
import { sealAt } from './entry-neighbours.ts'
import { Entry } from './entry.tsx'
import { useLongList } from './long-list.ts'
import type { PathOf } from './record-id.tsx'
import { ClockTime, dayOf, useUtc, ZoneSwitch } from './time.tsx'

interface TimelineProps {
  readonly entries: readonly AuditEntry[]
  /** The page of the audit trail, with filters in its query; absent where the person may not open it. */
  readonly auditPath?: string | undefined
  readonly pathOf?: PathOf
  /** What the document says of events. */
  readonly facts?: EventFacts | undefined
}

/** In pixels: an entry of one line. The real height is measured. */
const ENTRY_HEIGHT = 62

export function Timeline({ entries, auditPath, pathOf, facts }: TimelineProps) {
  const place = useRef<HTMLOListElement>(null)
  const { rows, offset } = useLongList<HTMLLIElement>(place, {
    count: entries.length,
    rowHeight: ENTRY_HEIGHT,
    keyOf: (nth) => entries[nth]!.position,
  })
  useUtc()
  if (entries.length === 0) return null
  return (
    <div>
      <div className="timeline-times">
        <ZoneSwitch />
      </div>
      <ol ref={place} className="timeline" style={{ blockSize: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const entry = entries[index]!
          const day = dayOf(entry.at)
          const isFirst = index === 0 || dayOf(entries[index - 1]!.at) !== day
          const seal = sealAt(index, entries)
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              aria-setsize={entries.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - offset}px)` }}
            >
              {isFirst && <p className="timeline-day">{day}</p>}
              {seal && <Seal of={seal} />}
              <Entry nth={index} all={entries} auditPath={auditPath} pathOf={pathOf} facts={facts} />
            </li>
          )
        })}
      </ol>
    </div>
  )
}

/** A signed checkpoint covers all entries below it, up to the next one. */
const Seal = ({ of: { position, at } }: { readonly of: Checkpoint }) => (
  <p className="entry seal">
    <span className="entry-folio">#{position}</span>
    <span className="entry-text">
      <span>
        Signed up to here, <ClockTime at={at} />
      </span>
    </span>
  </p>
)
