/** Who an entry is of. */
import type { AuditEntry } from './audit-entry.ts'
import { ERASED, Erased } from './erased.tsx'
import { RecordId } from './record-id.tsx'
import type { PathOf } from './record-id.tsx'
import { UUID } from './sentence.tsx'
import { wordOf } from './words.ts'

interface ActorProps extends Pick<AuditEntry, 'actor'> {
  readonly pathOf: PathOf | undefined
}

export function Actor({ actor: { type, label, id }, pathOf }: ActorProps) {
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
