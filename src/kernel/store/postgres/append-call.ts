/** Encodes appends as calls of store.append or store.append_one, and decodes the result row. */
import type { QueryArrayConfig } from 'pg'
import { UniqueConstraintViolation, WrongExpectedRevision } from '../../events/store-port.ts'
import type {
  Append,
  AppendResult,
  EventToAppend,
  HeldConstraint,
  AppendPart,
  Position,
  Revision,
} from '../../events/store-port.ts'
import { eventIdOf } from '../validate-append.ts'

/**
 * Encoded as text, so that the caller cannot change it while it waits.
 * Lists are PostgreSQL array literals without braces.
 */
export interface EncodedAppend {
  readonly parts: readonly EncodedPart[]
  readonly events: number
  readonly ids: string
  readonly types: string
  readonly schemaVersions: string
  readonly data: string
  readonly metadata: string
  readonly take: readonly HeldConstraint[]
  readonly release: readonly HeldConstraint[]
  /** The approximate memory that it takes. */
  readonly bytes: number
}

export interface EncodedPart extends Pick<AppendPart, 'stream' | 'expected'> {
  readonly events: number
}

/**
 * The head before the batch, the revision of each part before it, and the appends that were not written;
 * as PostgreSQL texts.
 */
type AnswerColumns = readonly [head: string, revisions: string, verdicts: string | null]
/** The result row. store.append_one returns the three columns as one record. */
export type AppendAnswer = AnswerColumns | readonly [record: string]

/** The outcome of one append of a batch; an Error is thrown to its caller. */
export type AppendOutcome = AppendResult | Error

/** JSON text has no raw control characters, so this separator is unambiguous. */
const SEPARATOR = '\u001F'
const FIXED_BYTES = 500

/** The append must have passed `validateAppend`. */
export function encodeAppend({ parts, take = [], release = [] }: Append): EncodedAppend {
  const events = parts.length === 1 ? parts[0]!.events : parts.flatMap((part) => part.events)
  const data = joined(events, (event) => JSON.stringify(event.data), SEPARATOR)
  const metadata = joined(events, (event) => JSON.stringify(event.metadata), SEPARATOR)
  return {
    parts: parts.map((part) => ({ stream: part.stream, expected: part.expected, events: part.events.length })),
    events: events.length,
    ids: joined(events, eventIdOf),
    types: joined(events, (event) => quoteElement(event.type)),
    schemaVersions: joined(events, (event) => String(event.schemaVersion)),
    data,
    metadata,
    take: take.map(copyConstraint),
    release: release.map(copyConstraint),
    bytes: data.length + metadata.length + FIXED_BYTES * Math.max(events.length, parts.length),
  }
}

/** Avoids the join for one event, the usual case. */
function joined(events: readonly EventToAppend[], spelled: (event: EventToAppend) => string, separator = ','): string {
  return events.length === 1 ? spelled(events[0]!) : events.map(spelled).join(separator)
}

const copyConstraint = ({ scope, key, holder }: HeldConstraint): HeldConstraint => ({ scope, key, holder })

/** Array literals are made here, because the driver is slower. Validated names have no control characters. */
const quoteElement = (name: string): string =>
  `"${/["\\]/.test(name) ? name.replaceAll(/["\\]/g, String.raw`\$&`) : name}"`
const array = (elements: readonly (string | number)[]): string => `{${elements.join(',')}}`

/** Returns rows as arrays of texts, which `outcomesOf` parses. */
const RAW = { rowMode: 'array', types: { getTypeParser: () => (text: string) => text } } as const

/** Returns a record: expanded to columns by the database, a single append takes 5 % longer. */
const ONE = 'SELECT store.append_one($1, $2, $3, $4, $5, $6, $7)'
const BATCH = `SELECT o_head, o_revisions, o_verdicts FROM store.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`

/** For the usual append: one event in one stream without unique constraints. */
export function appendOneQuery(batch: readonly EncodedAppend[]): QueryArrayConfig | undefined {
  const [append] = batch
  const [part, ...more] = append?.parts ?? []
  if (batch.length !== 1 || !append || !part || more.length > 0 || append.events !== 1) return undefined
  if (append.take.length > 0 || append.release.length > 0) return undefined
  const type = append.types.slice(1, -1).replaceAll(/\\(.)/g, '$1')
  const { ids, schemaVersions, data, metadata } = append
  const values = [part.stream, revision(part), ids, type, schemaVersions, data, metadata]
  return { ...RAW, name: 'store.append_one', text: ONE, values }
}

export function appendQuery(batch: readonly EncodedAppend[]): QueryArrayConfig {
  const [lastPart, lastEvent, appendOfPart, partOfEvent, nth]: number[][] = [[], [], [], [], []]
  for (const [index, append] of batch.entries()) {
    for (const part of append.parts) {
      appendOfPart!.push(index + 1)
      for (let event = 1; event <= part.events; event += 1) {
        partOfEvent!.push(appendOfPart!.length)
        nth!.push(event)
      }
    }
    lastPart!.push(appendOfPart!.length)
    lastEvent!.push(partOfEvent!.length)
  }
  const parts = batch.flatMap((append) => append.parts)
  const writing = batch.filter((append) => append.events > 0)
  const values = [
    ...[lastPart, lastEvent, appendOfPart].map((numbers) => array(numbers!)),
    array(parts.map((part) => quoteElement(part.stream))),
    array(parts.map(revision)),
    ...[partOfEvent, nth].map((numbers) => array(numbers!)),
    ...(['ids', 'types', 'schemaVersions'] as const).map((name) => array(writing.map((append) => append[name]))),
    writing.map((append) => append.data).join(SEPARATOR),
    writing.map((append) => append.metadata).join(SEPARATOR),
    constraintsJson(batch),
  ]
  return { ...RAW, name: 'store.append', text: BATCH, values }
}

const revision = ({ expected }: EncodedPart): number => (expected === 'any' ? -1 : expected)

function constraintsJson(batch: readonly EncodedAppend[]): string | null {
  const all = batch.flatMap(({ take, release }, index) =>
    take.length + release.length > 0
      ? [{ append: index + 1, ...memberUnlessEmpty('take', take), ...memberUnlessEmpty('release', release) }]
      : [],
  )
  return all.length > 0 ? JSON.stringify(all) : null
}

function memberUnlessEmpty(name: string, held: readonly HeldConstraint[]): object {
  return held.length > 0 ? { [name]: held.map(({ scope, key, holder }) => ({ scope, key, holder })) } : {}
}

interface Verdict {
  readonly outcome: 'appended' | 'revision' | 'claim' | 'id'
  readonly position: Position
  readonly revisions: readonly Revision[]
  /** The number of the refused part or unique constraint, from 1. */
  readonly place: number
  readonly found: string
}

/** The outcomes of the appends, in the order of the batch. */
export function outcomesOf(batch: readonly EncodedAppend[], row: AppendAnswer): AppendOutcome[] {
  const [head, revisions, verdicts] = row.length === 1 ? parseRecord(row[0]) : row
  const before = revisions.slice(1, -1).split(',').map(Number)
  const unwritten = parseVerdicts(verdicts)
  let [position, part] = [Number(head), 0]
  return batch.map((append, index) => {
    const found = before.slice(part, (part += append.parts.length))
    const verdict = unwritten.get(index + 1)
    if (verdict) return outcomeOfVerdict(append, verdict)
    position += append.events
    return { position, revisions: append.parts.map(({ events }, nth) => found[nth]! + events) }
  })
}

/** Only the verdicts are ever quoted in the record. */
function parseRecord(record: string): AnswerColumns {
  const [, head = '', revisions = '', verdicts = ''] = /^\((\d+),(\{\d+\}),(.*)\)$/s.exec(record) ?? []
  return [head, revisions, verdicts === '' ? null : verdicts.slice(1, -1).replaceAll(/(["\\])\1/g, '$1')]
}

function parseVerdicts(json: string | null): ReadonlyMap<number, Verdict> {
  const verdicts = json === null ? [] : (JSON.parse(json) as { append: number; verdict: Verdict }[])
  return new Map(verdicts.map(({ append, verdict }) => [append, verdict]))
}

function outcomeOfVerdict(
  { parts, take }: EncodedAppend,
  { outcome, position, revisions, place, found }: Verdict,
): AppendOutcome {
  const [part, claim] = [parts[place - 1], take[place - 1]]
  if (outcome === 'appended') return { position, revisions }
  if (outcome === 'revision' && part) return new WrongExpectedRevision(part.stream, part.expected, Number(found))
  if (outcome === 'claim' && claim) return new UniqueConstraintViolation({ scope: claim.scope, key: claim.key }, found)
  return new Error(`The event id ${found} is already in use`)
}
