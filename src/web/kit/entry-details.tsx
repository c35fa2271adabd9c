/** What an entry changed, of which record, and by which request. */
import { Link } from 'wouter'
import type { AuditEntry } from './audit-entry.ts'
import { changesOf } from './diff.ts'
import type { EventFacts } from './diff.ts'
import { EntryValue } from './erased.tsx'
import { labelOf } from './words.ts'

interface EntryDetailsProps {
  readonly entry: AuditEntry
  /** The list that it stands in. */
  readonly all: readonly AuditEntry[]
  readonly auditPath: string | undefined
  readonly facts: EventFacts | undefined
}

export function EntryDetails({ entry, all, auditPath, facts }: EntryDetailsProps) {
  const { subject, requestId } = entry
  const changes = changesOf(
    entry,
    all.filter((other) => other.subject?.id === subject?.id),
    facts,
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
                    <EntryValue of={before} />
                  </del>{' '}
                  →{' '}
                </>
              )}
              <ins>
                <EntryValue of={after} />
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
