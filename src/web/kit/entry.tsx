/** An entry of the audit trail, with its details when they are asked for. */
import { useState } from 'react'
import { Actor } from './actor.tsx'
import type { AuditEntry } from './audit-entry.ts'
import { Button } from './controls.tsx'
import type { EventFacts } from './diff.ts'
import { EntryDetails } from './entry-details.tsx'
import { isGapBelow, knotAt } from './entry-neighbours.ts'
import { ERASED, Erased } from './erased.tsx'
import type { PathOf } from './record-id.tsx'
import { Sentence } from './sentence.tsx'
import { ClockTime } from './time.tsx'

interface EntryProps {
  readonly nth: number
  readonly all: readonly AuditEntry[]
  readonly auditPath: string | undefined
  readonly pathOf: PathOf | undefined
  readonly facts: EventFacts | undefined
}

export function Entry({ nth, all, auditPath, pathOf, facts }: EntryProps) {
  const [isOpen, setOpen] = useState(false)
  const entry = all[nth]!
  const { position, at, actor, requestId, sentence, meta } = entry
  const knot = knotAt(nth, all)
  return (
    <div className="entry" data-knot={knot.place} data-is-gap={isGapBelow(nth, all) || undefined}>
      <span className="entry-folio">#{position}</span>
      <div className="entry-text">
        <span>
          <Actor actor={actor} pathOf={pathOf} /> <Sentence of={sentence} pathOf={pathOf} />
        </span>
        <span className="entry-about">
          <ClockTime at={at} />
          {actor.ip && <span>from {actor.ip === ERASED ? <Erased /> : actor.ip}</span>}
          {knot.place === 'first' && <span>{knot.size} entries of one request</span>}
          {(Object.keys(meta).length > 0 || requestId) && (
            <Button tone="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Less' : 'Details'}
            </Button>
          )}
        </span>
        {isOpen && <EntryDetails entry={entry} all={all} auditPath={auditPath} facts={facts} />}
      </div>
    </div>
  )
}
