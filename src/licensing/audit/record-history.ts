/** The history of one record, for callers who may read the record but not the audit trail. */
import { z } from 'zod'
import { listReply, pagination } from '#kernel/http/pagination'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { sql } from '#kernel/projections/read-model'
import type { Vault } from '#kernel/vault/vault'
import { auditTrail } from '#projections/audit-trail'
import type { AuditRow } from '#projections/audit-trail'
import { actorLabels } from '#projections/licensing/audit'

/** Without the address of the caller. Only members of staff are named: other names are data of other records. */
const Entry = z
  .object({
    position: z.int(),
    at: z.iso.datetime(),
    actor: z.object({ type: z.string(), id: z.string(), label: z.string().nullable() }),
    action: z.string(),
    requestId: z.string(),
    sentence: z.string(),
    meta: z.record(z.string(), z.json()),
  })
  .meta({ id: 'HistoryEntry' })

const entries = pagination({ filters: {}, sort: ['position'], tie: 'position', created: 'at' })

export const historyQuery = entries.query
export const HistoryReply = listReply(Entry)

interface HistoryContext {
  readonly read: ReadDatabase
  readonly vault: Vault
  readonly params: { readonly id: string }
  readonly query: z.output<typeof historyQuery>
}

/** The events about the record of the path. The caller of this function has checked that the record exists. */
export async function recordHistory({ read, vault, params: { id }, query }: HistoryContext) {
  const naming = auditTrail
    .queryIn(read)
    .selectAll()
    .where(sql<boolean>`ids && ARRAY[${id}]::text[]`)
  const page = await entries.list(naming.where('subjectId', '=', id), query)
  const labels = await actorLabels(
    read,
    vault,
    page.items.filter(({ actorType }) => actorType === 'STAFF'),
  )
  return { ...page, items: page.items.map((row) => entryOf(row, labels)) }
}

const entryOf = (row: AuditRow, labels: ReadonlyMap<string, string>) => ({
  position: row.position,
  at: row.at,
  actor: { type: row.actorType, id: row.actorId, label: labels.get(row.actorId) ?? null },
  action: row.action,
  requestId: row.requestId,
  sentence: row.sentence,
  meta: row.details,
})
