/** The audit trail of a record or of everything: who did what, when, from where, and what changed. */
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { Button, Value } from './controls.tsx'
import { changesOf } from './diff.ts'
import type { Meta } from './diff.ts'
import { ClockTime, dayOf } from './time.tsx'
import { labelOf, wordOf } from './words.ts'

export interface AuditEntry {
  readonly position: number
  readonly at: string
  readonly actor: {
    readonly type: string
    readonly id: string
    readonly label?: string | null
    readonly ip?: string | null
  }
  readonly action: string
  /** Absent in the history of one record. */
  readonly subject?: { readonly type: string; readonly id: string }
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

/** In pixels: an entry of one line. The real height is measured. */
const ENTRY_HEIGHT = 62

/** Only the rows near the screen are in the document, however long the trail is. */
export function Timeline({ entries, auditPath, pathOf }: TimelineProps) {
  const place = useRef<HTMLOListElement>(null)
  const [offset, setOffset] = useState(0)
  // What stands above may arrive later, or grow.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setOffset(place.current?.offsetTop ?? 0))
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  const rows = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => ENTRY_HEIGHT,
    getItemKey: (nth) => entries[nth]!.position,
    scrollMargin: offset,
    overscan: 8,
  })
  return (
    <ol ref={place} className="timeline" style={{ blockSize: rows.getTotalSize() }}>
      {rows.getVirtualItems().map(({ key, index, start }) => {
        const entry = entries[index]!
        const day = dayOf(entry.at)
        const isFirst = index === 0 || dayOf(entries[index - 1]!.at) !== day
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
            <Entry entry={entry} all={entries} auditPath={auditPath} pathOf={pathOf} />
          </li>
        )
      })}
    </ol>
  )
}

interface EntryProps extends Omit<TimelineProps, 'entries'> {
  readonly entry: AuditEntry
  readonly all: readonly AuditEntry[]
}

function Entry({ entry, all, auditPath, pathOf }: EntryProps) {
  const [isOpen, setOpen] = useState(false)
  const { position, at, actor, requestId, sentence, meta } = entry
  const knot = knotOf(entry, all)
  return (
    <div className="entry" data-knot={knot}>
      <span className="entry-folio">#{position}</span>
      <div className="entry-text">
        <span>
          <Actor actor={actor} pathOf={pathOf} /> <Sentence of={sentence} pathOf={pathOf} />
        </span>
        <span className="entry-about">
          <ClockTime at={at} />
          {actor.ip && <span>from {actor.ip}</span>}
          {(Object.keys(meta).length > 0 || requestId) && (
            <Button tone="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Less' : 'Details'}
            </Button>
          )}
        </span>
        {isOpen && <Details entry={entry} all={all} auditPath={auditPath} />}
      </div>
    </div>
  )
}

function Details({ entry, all, auditPath }: Pick<EntryProps, 'entry' | 'all' | 'auditPath'>) {
  const { subject, requestId } = entry
  const changes = changesOf(
    entry,
    all.filter((other) => other.subject?.id === subject?.id),
  )
  return (
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
        {subject && (
          <>
            <dt>Record</dt>
            <dd>
              {labelOf(subject.type)} <code>{subject.id}</code>
            </dd>
          </>
        )}
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
  )
}

/** Entries of one request hang together, such as the four of a provisioning. */
function knotOf(entry: AuditEntry, all: readonly AuditEntry[]): 'first' | 'inside' | undefined {
  const nth = all.indexOf(entry)
  const isSame = (other: AuditEntry | undefined): boolean =>
    other?.requestId !== undefined && other.requestId === entry.requestId
  if (isSame(all[nth - 1])) return 'inside'
  return isSame(all[nth + 1]) ? 'first' : undefined
}

const UUID = /([\w-]+) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/

/** The sentence of the service; an id leads to the page of its record, which the word before it names. */
function Sentence({ of, pathOf }: { readonly of: string; readonly pathOf: TimelineProps['pathOf'] }) {
  const [before, kind, id, ...rest] = of.split(UUID)
  if (kind === undefined || id === undefined) return of
  return (
    <>
      {before}
      {kind} <RecordId id={id} path={pathOf?.(kind, id)} />
      <Sentence of={rest.join(' ')} pathOf={pathOf} />
    </>
  )
}

/** The end of an id tells records apart: its beginning is the time. */
const ID_END = 8

function RecordId({ id, path }: { readonly id: string; readonly path: string | undefined }) {
  const end = (
    <code className="id" title={id}>
      …{id.slice(-ID_END)}
    </code>
  )
  return path === undefined ? end : <Link href={path}>{end}</Link>
}

/** An account that was erased has no name any more. */
function Actor({ actor: { type, label, id }, pathOf }: Pick<AuditEntry, 'actor'> & Pick<TimelineProps, 'pathOf'>) {
  if (label) return <strong>{label}</strong>
  if (!UUID.test(`x ${id}`)) return <strong>{type === 'SYSTEM' ? 'Daybook' : `${wordOf(type)} ${id}`}</strong>
  return (
    <strong>
      {wordOf(type)} <RecordId id={id} path={pathOf?.(type.toLowerCase(), id)} />
    </strong>
  )
}

function AuditLinks({ entry, auditPath }: { readonly entry: AuditEntry; readonly auditPath: string }) {
  const to = (filter: Record<string, string>): string => `${auditPath}?${new URLSearchParams(filter).toString()}`
  return (
    <span className="row small">
      <Link href={to({ actor: entry.actor.id })}>All by this actor</Link>
      {entry.subject && <Link href={to({ subject: entry.subject.id })}>All about this record</Link>}
      {entry.requestId && <Link href={to({ requestId: entry.requestId })}>All of this request</Link>}
      <Link href={to({ action: entry.action })}>All of this kind</Link>
    </span>
  )
}
