/** The audit trail of a record or of everything: who did what, when, from where, and what changed. */
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import { Button, Value } from './controls.tsx'
import { changesOf } from './diff.ts'
import type { Meta } from './diff.ts'
import { useLongList } from './long-list.ts'
import { ClockTime, dayOf, useUtc, ZoneSwitch } from './time.tsx'
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
  /** The signed checkpoint that covers the entry; absent where the list does not tell. */
  readonly checkpoint?: Checkpoint | null
}

interface Checkpoint {
  readonly position: number
  readonly at: string
}

/** What the service answers in place of text whose subject was erased. */
const ERASED = 'ERASED'

interface TimelineProps {
  readonly entries: readonly AuditEntry[]
  /** The page of the audit trail, with filters in its query; absent where the person may not open it. */
  readonly auditPath?: string | undefined
  /** The page of a subject or actor. */
  readonly pathOf?: (type: string, id: string) => string | undefined
}

/** In pixels: an entry of one line. The real height is measured. */
const ENTRY_HEIGHT = 62

export function Timeline({ entries, auditPath, pathOf }: TimelineProps) {
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
              <Entry nth={index} all={entries} auditPath={auditPath} pathOf={pathOf} />
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

interface EntryProps extends Omit<TimelineProps, 'entries'> {
  readonly nth: number
  readonly all: readonly AuditEntry[]
}

function Entry({ nth, all, auditPath, pathOf }: EntryProps) {
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
        {isOpen && <Details entry={entry} all={all} auditPath={auditPath} />}
      </div>
    </div>
  )
}

interface DetailsProps extends Pick<EntryProps, 'all' | 'auditPath'> {
  readonly entry: AuditEntry
}

function Details({ entry, all, auditPath }: DetailsProps) {
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
                    <Shown of={before} />
                  </del>{' '}
                  →{' '}
                </>
              )}
              <ins>
                <Shown of={after} />
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

interface Knot {
  readonly place?: 'first' | 'inside'
  /** The number of entries, counted at the first one. */
  readonly size: number
}

/** Entries of one request hang together, such as the four of a provisioning. */
function knotAt(nth: number, all: readonly AuditEntry[]): Knot {
  const { requestId } = all[nth]!
  const isSame = (other: number): boolean => requestId !== undefined && all[other]?.requestId === requestId
  if (isSame(nth - 1)) return { place: 'inside', size: 0 }
  let size = 1
  while (isSame(nth + size)) size += 1
  return size > 1 ? { place: 'first', size } : { size }
}

/** Whether the log has entries between this one and the next that the list does not show. */
function isGapBelow(nth: number, all: readonly AuditEntry[]): boolean {
  const next = all[nth + 1]
  return next !== undefined && Math.abs(all[nth]!.position - next.position) > 1
}

/** @returns the checkpoint whose cover begins with this entry, in a list of the newest first */
function sealAt(nth: number, all: readonly AuditEntry[]): Checkpoint | undefined {
  const { checkpoint, position } = all[nth]!
  const newer = all[nth - 1]
  if (!checkpoint || (newer && newer.position < position)) return undefined
  return newer?.checkpoint?.position === checkpoint.position ? undefined : checkpoint
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

/** In place of what cannot be read any more: the key that sealed it is destroyed. */
const Erased = () => <span className="erased">erased</span>

const Shown = ({ of }: { readonly of: unknown }) => (of === ERASED ? <Erased /> : <Value of={of} />)

function Actor({ actor: { type, label, id }, pathOf }: Pick<AuditEntry, 'actor'> & Pick<TimelineProps, 'pathOf'>) {
  if (label === ERASED)
    return (
      <strong>
        {wordOf(type)} <Erased />
      </strong>
    )
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
