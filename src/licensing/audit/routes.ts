import type { Pool } from 'pg'
import { z } from 'zod'
import type { Stream } from '#kernel/events/event'
import type { SignedCheckpoint } from '#kernel/history/checkpoint-key'
import { coveringCheckpoints } from '#kernel/history/covering-checkpoints'
import { brokenHistoryText, verifyHistory } from '#kernel/history/verify-history'
import { pagination, listReply } from '#kernel/http/pagination'
import { answer, route, textReply } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { csv } from '#kernel/lib/csv'
import { reject } from '#kernel/lib/rejection'
import { timestamp } from '#kernel/lib/timestamps'
import { normalizeUuid } from '#kernel/lib/uuid'
import { patientRead } from '#kernel/projections/wide-reads'
import type { Vault } from '#kernel/vault/vault'
import { auditEntryOf, auditFilters, auditTrail } from '#projections/audit-trail'
import type { AuditRow } from '#projections/audit-trail'
import { actorLabels } from '#projections/licensing/audit'
import { staff } from '../access/access.ts'
import { recordExport } from './audited-read.ts'

const Entry = z
  .object({
    position: z.int(),
    at: z.iso.datetime(),
    actor: z.object({ type: z.string(), id: z.string(), label: z.string().nullable(), ip: z.string().nullable() }),
    action: z.string(),
    subject: z.object({ type: z.string(), id: z.string() }),
    requestId: z.string(),
    sentence: z.string(),
    meta: z.record(z.string(), z.json()),
    checkpoint: z
      .object({ position: z.int(), at: z.iso.datetime() })
      .nullable()
      .describe('The signed checkpoint that covers the entry: the first one at its position or later. null: none yet.'),
  })
  .meta({ id: 'AuditEntry' })
type Entry = z.input<typeof Entry>

const word = z.string().max(100).overwrite(normalizeUuid).optional()

const filters = {
  /** An actor's id, or a type such as TOKEN. */
  actor: word,
  action: z.string().max(100).optional(),
  /** Any id that an entry names: a customer's id also finds events of the customer's licenses. */
  subject: word,
  /** Finds everything that one request has caused, the work of jobs included. */
  requestId: word,
  from: timestamp.optional(),
  to: timestamp.optional(),
}

const auditList = pagination({ filters, sort: ['position'], tie: 'position', created: 'at' })

type Reading = Pick<HandlerContext, 'read' | 'telemetry' | 'vault'>

async function entries({ read, telemetry, vault }: Reading, rows: readonly AuditRow[]): Promise<Entry[]> {
  const opened = await auditTrail.open(vault, rows)
  const labels = await actorLabels(read, vault, opened)
  const checkpoints = await coveringCheckpoints(
    telemetry,
    vault,
    rows.map(({ position }) => position),
  )
  return opened.map((row) => ({ ...auditEntryOf(row, labels), checkpoint: shown(checkpoints.get(row.position)) }))
}

const shown = (checkpoint: SignedCheckpoint | undefined): Entry['checkpoint'] =>
  checkpoint ? { position: checkpoint.position, at: checkpoint.at } : null

const CSV_COLUMNS = [
  'position',
  'at',
  'actorType',
  'actorId',
  'actorLabel',
  'ip',
  'action',
  'subjectType',
  'subjectId',
  'requestId',
  'sentence',
  'meta',
]

const csvRow = ({ actor, subject, meta, ...entry }: Entry): unknown[] => [
  entry.position,
  entry.at,
  actor.type,
  actor.id,
  actor.label,
  actor.ip,
  entry.action,
  subject.type,
  subject.id,
  entry.requestId,
  entry.sentence,
  meta,
]

const FORMATS = {
  ndjson: {
    type: 'application/x-ndjson',
    head: '',
    piece: (some: readonly Entry[]) => some.map((each) => `${JSON.stringify(each)}\n`).join(''),
  },
  csv: {
    type: 'text/csv; charset=utf-8',
    head: csv([CSV_COLUMNS]),
    piece: (some: readonly Entry[]) => csv(some.map(csvRow)),
  },
}

const EXPORT_ROWS = 100
const Export = z.strictObject({ ...filters, format: z.enum(['ndjson', 'csv']).default('ndjson') })

/** Oldest first, one page of rows at a time, so that memory does not depend on the length. */
async function* exportLines(reading: Reading, asked: z.output<typeof Export>): AsyncIterable<string> {
  const { format, ...ask } = asked
  yield FORMATS[format].head
  let cursor: string | null | undefined
  do {
    const query = auditList.query.parse({ ...ask, sort: 'position', limit: EXPORT_ROWS, ...(cursor ? { cursor } : {}) })
    const page = await patientRead(() =>
      auditList.list(auditTrail.queryIn(reading.read).selectAll(), query, auditFilters),
    )
    yield FORMATS[format].piece(await entries(reading, page.items))
    cursor = 'nextCursor' in page ? page.nextCursor : null
  } while (cursor)
}

const Hash = z.string().regex(/^[0-9a-f]{64}$/)

const VerificationReport = z.object({
  valid: z.boolean(),
  /** The number of events in the log. */
  events: z.int(),
  head: z.int(),
  hash: Hash.nullable(),
  /**
   * Only events after this position were verified: 0 is the whole log; in a long log it is the
   * newest checkpoint.
   */
  after: z.int(),
  checkpoint: z
    .object({ position: z.int(), hash: Hash, at: z.iso.datetime(), kid: z.string(), jws: z.string() })
    .optional(),
  firstBad: z
    .object({
      position: z.int(),
      through: z.int(),
      problem: z.enum(['missing', 'inserted', 'altered', 'rewritten', 'truncated', 'forged']),
      suspect: z.int().optional(),
      sentence: z.string(),
    })
    .optional(),
})

/**
 * About one second of work; `daybook audit verify` verifies a log of any length from its first
 * event.
 */
const VERIFIED_WHOLE_MAX = 100_000
/** Below the usual timeout of clients. */
const VERIFIED_WITHIN_MS = 8_000

type Report = z.input<typeof VerificationReport>
const runningVerifications = new WeakMap<Pool, Promise<Report>>()

/** One verification at a time per process; concurrent callers share its result. */
function verifyShared(pool: Pool, vault: Vault): Promise<Report> {
  const already = runningVerifications.get(pool)
  if (already) return already
  const signal = AbortSignal.timeout(VERIFIED_WITHIN_MS)
  const answered = report(pool, vault, signal)
    .catch((error: unknown) => {
      if (!signal.aborted) throw error
      return reject(
        'unavailable',
        'The log is too long to verify by this route: run "daybook audit verify"',
        'LOG_TOO_LONG',
      )
    })
    .finally(() => runningVerifications.delete(pool))
  runningVerifications.set(pool, answered)
  return answered
}

async function report(pool: Pool, vault: Vault, signal: AbortSignal): Promise<Report> {
  const history = await verifyHistory(pool, vault, { eventsMax: VERIFIED_WHOLE_MAX, signal })
  if (!('problem' in history)) return { valid: true, ...history }
  const { rows } = await pool.query<{ events: number; head: number }>(
    'SELECT count(*) AS events, least(coalesce(max(pos), 0), 9007199254740991) AS head FROM store.event',
  )
  const firstBad = { through: history.position, ...history, sentence: brokenHistoryText(history) }
  return { valid: false, ...rows[0]!, hash: null, after: 0, firstBad }
}

/** `streams` is a function because the audit trail spans all sections, this one included. */
export const auditRoutes = (streams: () => readonly Stream[]) => [
  route('GET /api/admin/audit', {
    does: 'Search the audit trail: every change and every read of a license key, newest first.',
    access: staff('audit:view'),
    query: auditList.query,
    reply: listReply(Entry),
    async handle({ read, telemetry, vault, query }) {
      const page = await auditList.list(auditTrail.queryIn(read).selectAll(), query, auditFilters)
      return { ...page, items: await entries({ read, telemetry, vault }, page.items) }
    },
  }),

  route('GET /api/admin/audit/actions', {
    does: 'List every action that the audit trail can contain.',
    access: staff('audit:view'),
    reply: z.object({ actions: z.array(z.object({ action: z.string(), subjectType: z.string() })) }),
    async handle() {
      const types = [...new Set(streams().flatMap(({ types }) => types))]
      const actions = types.map(({ action, subjectType }) => ({ action, subjectType }))
      return { actions: actions.toSorted((one, other) => (one.action < other.action ? -1 : 1)) }
    },
  }),

  route('GET /api/admin/audit/verify', {
    does: 'Verify the history against its hash chain and signed checkpoints, and name the first event that was altered.',
    access: staff('audit:view'),
    refuses: [409],
    reply: VerificationReport,
    handle: ({ telemetry, vault }) => verifyShared(telemetry, vault),
  }),

  route('GET /api/admin/audit/export', {
    does: 'Export the audit trail, oldest first, as NDJSON or CSV. Takes the filters of the search. Each export is recorded.',
    access: staff('audit:view'),
    query: Export,
    reply: textReply('application/x-ndjson', 'text/csv; charset=utf-8'),
    async handle({ run, waitForReadModels, read, telemetry, vault, query }) {
      const { format } = query
      await recordExport(run, { resource: 'audit entries', format })
      await waitForReadModels()
      return answer(exportLines({ read, telemetry, vault }, query), 200, {
        'Content-Type': FORMATS[format].type,
        'Content-Disposition': `attachment; filename="audit.${format}"`,
      })
    },
  }),
]
