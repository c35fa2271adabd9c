import { z } from 'zod'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { timestamp } from '#kernel/lib/timestamps'
import { normalizeUuid } from '#kernel/lib/uuid'
import { wideRead } from '#kernel/projections/wide-reads'
import { arrayLists } from '#kernel/resource/array-lists'
import { listRoute } from '#kernel/resource/list-route'
import { auditEntryOf, auditFilters, auditTrail } from '#projections/audit-trail'
import type { AuditRow, AuditRows } from '#projections/audit-trail'
import { labelsIn } from '#projections/panel/audit-logs'
import { platform } from '../access/access.ts'

const Entry = z
  .object({
    position: z.int(),
    at: z.iso.datetime(),
    /** `label`: an account's address or a key's name; null without either, and for an erased account. */
    actor: z.object({ type: z.string(), id: z.string(), label: z.string().nullable(), ip: z.string().nullable() }),
    action: z.string(),
    subject: z.object({ type: z.string(), id: z.string(), label: z.string().nullable() }),
    requestId: z.string(),
    sentence: z.string(),
    meta: z.record(z.string(), z.json()),
  })
  .meta({ id: 'AuditEntry' })

const word = z.string().min(1).max(100).overwrite(normalizeUuid).optional()

const auditLists = arrayLists(
  {
    /** Id of an actor, or an actor type such as API_KEY. */
    actor: word,
    action: word,
    /** Id of any object that an entry names. */
    subject: word,
    project: word,
    from: timestamp.optional(),
    to: timestamp.optional(),
    /** A position: only entries before it. */
    before: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  },
  ['position'],
)

type AuditLogQuery = z.output<typeof auditLists.query>

/** By the parameter. */
const FILTERS = {
  ...auditFilters,
  project: auditFilters.subject,
  action: (rows: AuditRows, value: string) => rows.where('action', '=', value),
  before: (rows: AuditRows, value: number) => rows.where('position', '<', value),
}
const NAMES = Object.keys(FILTERS) as (keyof typeof FILTERS)[]

const matchingEntries = (all: AuditRows, query: AuditLogQuery): AuditRows =>
  NAMES.reduce((rows, name) => (query[name] === undefined ? rows : FILTERS[name](rows, query[name] as never)), all)

async function entries(rows: readonly AuditRow[], call: HandlerContext): Promise<z.input<typeof Entry>[]> {
  const opened = await auditTrail.open(call.vault, rows)
  const labels = await labelsIn(call, opened)
  return opened.map((row) => {
    const { subject, ...entry } = auditEntryOf(row, labels)
    return { ...entry, subject: { ...subject, label: labels.get(subject.id) ?? null } }
  })
}

export const auditLogRoutes = [
  listRoute('GET /api/admin/audit-logs', auditTrail, auditLists, {
    does: 'Search the audit trail, newest first. `subject` and `project` match any id; `before` takes a position.',
    access: platform('audit:view'),
    item: Entry,
    only: (rows, { query }) => matchingEntries(rows, query),
    shown: entries,
  }),

  route('GET /api/admin/audit-logs/actions', {
    does: 'List the actions in the audit trail, each once, in alphabetical order.',
    access: platform('audit:view'),
    reply: z.array(z.string()),
    handle: async ({ read }) => {
      const actions = auditTrail.queryIn(read).select('action').distinct().orderBy('action')
      const rows = await wideRead(() => actions.execute())
      return rows.map(({ action }) => action)
    },
  }),
]
