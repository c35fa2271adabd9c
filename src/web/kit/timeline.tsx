/** The audit trail of a record or of everything: who did what, when, from where, and what changed. */
import { useState } from 'react'
import { Link } from 'wouter'
import { Button } from './controls.tsx'
import { Value } from './controls.tsx'
import { changesOf } from './diff.ts'
import type { Meta } from './diff.ts'
import { ClockTime, dayOf } from './time.tsx'
import { labelOf, wordOf } from './words.ts'

export interface AuditEntry {
  readonly position: number
  readonly at: string
  readonly actor: { readonly type: string; readonly id: string; readonly label?: string | null; readonly ip?: string | null }
  readonly action: string
  readonly subject: { readonly type: string; readonly id: string }
  readonly requestId?: string
  readonly sentence: string
  readonly meta: Meta
}

interface TimelineProps {
  readonly entries: readonly AuditEntry[]
  /** The page of the audit trail, with filters in its query; absent where the person may not open it. */
  readonly auditPath?: string | undefined
  /** The page of a subject or actor. */
  readonly pathOf?: (type: string, id: string) => string | undefined
}

export function Timeline({ entries, auditPath, pathOf }: TimelineProps) {
  const days = Object.entries(Object.groupBy(entries, ({ at }) => dayOf(at)))
  return (
    <div className="timeline">
      {days.map(([day, ofDay = []]) => (
        <section key={day} aria-label={day}>
          <h3 className="timeline-day">{day}</h3>
          <ol>
            {ofDay.map((entry) => (
              <Entry key={entry.position} entry={entry} all={entries} auditPath={auditPath} pathOf={pathOf} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

interface EntryProps extends Omit<TimelineProps, 'entries'> {
  readonly entry: AuditEntry
  readonly all: readonly AuditEntry[]
}

function Entry({ entry, all, auditPath, pathOf }: EntryProps) {
  const [isOpen, setOpen] = useState(false)
  const { position, at, actor, requestId, sentence, meta, subject } = entry
  const isJoined = requestId !== undefined && all.some((other) => other !== entry && other.requestId === requestId)
  const ofSubject = all.filter((other) => other.subject.type === subject.type && other.subject.id === subject.id)
  const changes = changesOf(entry, ofSubject)
  const path = pathOf?.(subject.type, subject.id)
  return (
    <li className="entry" data-is-joined={isJoined || undefined}>
      <span className="entry-folio">#{position}</span>
      <div className="entry-text">
        <span>{sentence}</span>
        <span className="entry-about">
          <ClockTime at={at} />
          <Actor actor={actor} />
          {actor.ip && <span>from {actor.ip}</span>}
          {path && <Link href={path}>{labelOf(subject.type)}</Link>}
          {(Object.keys(meta).length > 0 || requestId) && (
            <Button tone="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Less' : 'Details'}
            </Button>
          )}
        </span>
        {isOpen && (
          <>
            <dl className="diff">
              {changes.map(({ field, before, after }) => (
                <div key={field} style={{ display: 'contents' }}>
                  <dt>{labelOf(field)}</dt>
                  <dd>
                    {before !== undefined && (
                      <>
                        <del>
                          <Value of={before} />
                        </del>{' '}
                        →{' '}
                      </>
                    )}
                    <ins>
                      <Value of={after} />
                    </ins>
                  </dd>
                </div>
              ))}
              <dt>Subject</dt>
              <dd>
                {subject.type} <code>{subject.id}</code>
              </dd>
              {requestId && (
                <>
                  <dt>Request</dt>
                  <dd>
                    <code>{requestId}</code>
                  </dd>
                </>
              )}
            </dl>
            {auditPath && <AuditLinks entry={entry} auditPath={auditPath} />}
          </>
        )}
      </div>
    </li>
  )
}

/** A person whose account was erased has no name any more. */
function Actor({ actor: { type, label, id } }: { readonly actor: AuditEntry['actor'] }) {
  const kind = wordOf(type)
  if (label) return <span>{label}</span>
  if (label === null && /^[0-9a-f-]{36}$/.test(id))
    return (
      <span>
        {kind} <code className="small">{id.slice(0, 8)}</code>
      </span>
    )
  return <span>{kind === labelOf(id) ? kind : `${kind} ${id}`}</span>
}

function AuditLinks({ entry, auditPath }: { readonly entry: AuditEntry; readonly auditPath: string }) {
  const to = (filter: Record<string, string>): string => `${auditPath}?${new URLSearchParams(filter).toString()}`
  return (
    <span className="row small">
      <Link href={to({ actor: entry.actor.id })}>All by this actor</Link>
      <Link href={to({ subject: entry.subject.id })}>All about this record</Link>
      {entry.requestId && <Link href={to({ requestId: entry.requestId })}>All of this request</Link>}
      <Link href={to({ action: entry.action })}>All of this kind</Link>
    </span>
  )
}
