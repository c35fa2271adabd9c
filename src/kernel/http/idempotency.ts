/**
 * `Idempotency-Key`: a change that is asked for again is made once, and answered as it was the first time (in the spirit of
 * draft-ietf-httpapi-idempotency-key-header-07). A key is its actor's own and holds for 24 hours. Only answers of success are kept:
 * what was refused has changed nothing, so the key is free again. What names somebody who is erased is lost with him.
 *
 * A repeated answer passes what a first call passes: the gate, the rule of its path and the route's `guard` come before this
 * file. Secrets are not kept. What of them may be shown again at that moment, the route's `showAgain` says, and records it.
 */
import type { Pool } from 'pg'
import type { UnitOutcome } from '../commands/command-runner.ts'
import { reject } from '../lib/rejection.ts'
import type { Vault } from '../vault/vault.ts'
import { recurringJob } from '../jobs/recurring-job.ts'
import type { ParsedInput } from './handler-context.ts'
import type { RequestContext } from './request-context.ts'
import type { OutgoingResponse } from './reply.ts'
import type { Caller, Route } from './route.ts'

export interface IdempotencyDependencies {
  readonly telemetry: Pool
  readonly vault: Vault
  /** Whether a request has recorded anything since; undefined while nobody can say. Absent: nobody ever can. */
  readonly hasRecorded?: (requestId: string, since: Date) => Promise<boolean | undefined>
}

/** What is answered, and what that answer rests on. */
export interface IdempotentResult {
  readonly ready: OutgoingResponse
  readonly recorded: readonly UnitOutcome[]
}

export interface IdempotentRequest {
  readonly route: Route
  readonly exchange: RequestContext
  readonly parsed: ParsedInput
  /** All values of the header. */
  readonly keys: readonly string[] | undefined
}

/** What a route does about one call. */
export interface IdempotentHandler {
  /** Makes the change and its answer. */
  readonly handle: () => Promise<OutgoingResponse>
  /** The whole answer, of what was kept of its reply. Absent: as it was kept. @throws Rejection where nothing may be repeated */
  readonly replay?: (kept: object) => Promise<OutgoingResponse>
}

const KEY = /^[\x21-\x7e]{1,255}$/
const HOLDS_MS = 24 * 60 * 60_000
/** No request takes as long, so whoever has been at it for longer has died. */
const ABANDONED_MS = 2 * 60_000
const FORGET_EVERY_MS = 60 * 60_000
const HMAC = 'idempotency'
const SEALED = { subject: 'installation', type: 'IdempotentCall', field: 'answer' }
/** A cookie is nothing that is shown twice. */
const HEADERS_KEPT = ['Content-Type', 'Cache-Control', 'Content-Disposition', 'Location']

const TAKE = `INSERT INTO telemetry.idempotent_call AS known (id, request, request_id, at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (id) DO UPDATE SET request = $2, request_id = $3, at = $4, answer = NULL, lost = false WHERE known.at <= $5`
const TAKE_OVER = `UPDATE telemetry.idempotent_call SET request_id = $2, at = $3
  WHERE id = $1 AND request_id = $4 AND answer IS NULL AND NOT lost`
const FIND = 'SELECT request, request_id AS "requestId", at, answer, lost FROM telemetry.idempotent_call WHERE id = $1'
const KEEP = 'UPDATE telemetry.idempotent_call SET answer = $3, names = $4 WHERE id = $1 AND request_id = $2'
const LOSE = 'UPDATE telemetry.idempotent_call SET lost = true WHERE id = $1 AND request_id = $2 AND answer IS NULL'
const RELEASE = 'DELETE FROM telemetry.idempotent_call WHERE id = $1 AND request_id = $2'
const FORGET = 'DELETE FROM telemetry.idempotent_call WHERE at <= $1'

interface StoredCall {
  readonly request: string
  readonly requestId: string
  readonly at: string | Date
  readonly answer: string | null
  readonly lost: boolean
}

interface StoredAnswer {
  readonly ready: OutgoingResponse & { readonly body?: string }
  readonly recorded: readonly UnitOutcome[]
}

/**
 * Whether a key that is sent means anything: a known caller asks for a change. Uploads are told apart by what they are. A signed
 * request is answered anew each time, and a header that is not signed asks for nothing.
 */
export const acceptsIdempotencyKey = ({
  method,
  access,
  upload,
}: Pick<Route, 'method' | 'access' | 'upload'>): boolean =>
  method !== 'GET' && access.kinds.length > 0 && access.scheme === undefined && !upload

/** @throws Rejection 400 for what is no key · 409 for a key that another request has, is under way, or whose answer is lost */
export async function runIdempotently(
  parts: IdempotencyDependencies,
  asked: IdempotentRequest,
  doing: IdempotentHandler,
): Promise<IdempotentResult> {
  const { route, exchange, keys } = asked
  const { caller, recorded } = exchange
  if (keys === undefined || !caller || !acceptsIdempotencyKey(route)) return { ready: await doing.handle(), recorded }
  const call = await keyedCallOf(parts, asked, caller, keys)
  return (await reserveKey(parts, call)) ? runFirst(parts, call, asked, doing) : answerAgain(parts, call, asked, doing)
}

/** Once an hour, so that no answer lies about for longer than it is good for. */
export const forgetIdempotentCalls = recurringJob(
  'forget-idempotent-calls',
  FORGET_EVERY_MS,
  async ({ telemetry, now }) => {
    await telemetry.query(FORGET, [before(now, HOLDS_MS)])
  },
)

interface KeyedCall {
  readonly id: string
  readonly request: string
  readonly requestId: string
  readonly now: Date
}

async function keyedCallOf(
  { vault }: IdempotencyDependencies,
  { route, exchange, parsed }: IdempotentRequest,
  { actor }: Caller,
  keys: readonly string[],
): Promise<KeyedCall> {
  const [key = '', ...others] = keys
  if (others.length > 0 || !KEY.test(key))
    reject('invalid', 'Idempotency-Key takes 1 to 255 visible ASCII characters, once', 'IDEMPOTENCY_KEY_INVALID')
  const { params, query, body } = parsed
  return {
    id: await vault.hmac(HMAC, JSON.stringify([actor.type, actor.id, key])),
    request: await vault.hmac(HMAC, JSON.stringify([route.line, params, query, body])),
    requestId: exchange.requestId,
    now: exchange.requestHead.now,
  }
}

async function reserveKey(
  { telemetry }: IdempotencyDependencies,
  { id, request, requestId, now }: KeyedCall,
): Promise<boolean> {
  const { rowCount } = await telemetry.query(TAKE, [id, request, requestId, now, before(now, HOLDS_MS)])
  return rowCount === 1
}

async function runFirst(
  parts: IdempotencyDependencies,
  call: KeyedCall,
  asked: IdempotentRequest,
  { handle }: IdempotentHandler,
): Promise<IdempotentResult> {
  const { route, exchange } = asked
  const { recorded } = exchange
  const { telemetry } = parts
  const mine = [call.id, call.requestId]
  // What is done is answered, and what failed is told, even when this cannot be written down.
  const note = (statement: string, more: readonly (string | readonly string[])[] = []) =>
    telemetry.query(statement, [...mine, ...more]).catch(() => {})
  let ready: OutgoingResponse
  try {
    ready = await handle()
  } catch (error) {
    await note(recorded.length === 0 ? RELEASE : LOSE)
    throw error
  }
  if (ready.body === undefined || typeof ready.body === 'string')
    await note(KEEP, [
      await sealAnswer(parts.vault, { ready: storedResponseOf(route, ready), recorded }),
      mentionedIds(asked, ready),
    ])
  else await note(LOSE)
  return { ready, recorded }
}

async function answerAgain(
  parts: IdempotencyDependencies,
  call: KeyedCall,
  asked: IdempotentRequest,
  doing: IdempotentHandler,
): Promise<IdempotentResult> {
  const { rows } = await parts.telemetry.query<StoredCall>(FIND, [call.id])
  const [known] = rows
  if (!known) return rejectInProgress()
  if (known.request !== call.request)
    return reject('conflict', 'The Idempotency-Key was used for another request', 'IDEMPOTENCY_KEY_REUSED')
  if (known.answer !== null) return replayAnswer(parts.vault, known.answer, asked, doing)
  if (known.lost || (await phaseOfDeath(parts, known, call.now)) === 'after') return rejectAnswerLost()
  return (await takeOverKey(parts, known, call)) ? runFirst(parts, call, asked, doing) : rejectInProgress()
}

/** A request whose process has died: before it did anything, or after. */
async function phaseOfDeath({ hasRecorded }: IdempotencyDependencies, { requestId, at }: StoredCall, now: Date) {
  const since = new Date(at)
  if (now.getTime() - since.getTime() < ABANDONED_MS) return rejectInProgress()
  const isDone = await hasRecorded?.(requestId, since)
  if (isDone === undefined) return rejectInProgress()
  return isDone ? 'after' : 'before'
}

async function takeOverKey(
  { telemetry }: IdempotencyDependencies,
  known: StoredCall,
  { id, requestId, now }: KeyedCall,
) {
  const { rowCount } = await telemetry.query(TAKE_OVER, [id, requestId, now, known.requestId])
  return rowCount === 1
}

async function replayAnswer(
  vault: Vault,
  answer: string,
  { route, exchange }: IdempotentRequest,
  { replay }: IdempotentHandler,
): Promise<IdempotentResult> {
  const { ready, recorded } = JSON.parse(await vault.open(answer, SEALED)) as StoredAnswer
  const headers = { ...ready.headers, 'Idempotent-Replayed': 'true' }
  if (ready.body === undefined) return { ready: { ...ready, headers }, recorded }
  // A former version has kept more.
  const kept = withoutFields(ready.body, route.shownOnce)
  const body = replay ? (await replay(JSON.parse(kept) as object)).body : kept
  return { ready: { ...ready, headers, body }, recorded: [...recorded, ...exchange.recorded] }
}

const sealAnswer = (vault: Vault, kept: StoredAnswer): Promise<string> => vault.seal(JSON.stringify(kept), SEALED)

function storedResponseOf({ shownOnce }: Route, { status, headers, body }: OutgoingResponse): StoredAnswer['ready'] {
  const kept = Object.entries(headers).filter(([name]) => HEADERS_KEPT.includes(name))
  return {
    status,
    headers: Object.fromEntries(kept),
    ...(typeof body === 'string' ? { body: withoutFields(body, shownOnce) } : {}),
  }
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** All ids that it may be about: with one of them, vault.erase drops the answer. */
function mentionedIds({ parsed, exchange: { caller } }: IdempotentRequest, { body }: OutgoingResponse): string[] {
  const said = JSON.stringify([caller?.actor.id, parsed.params, typeof body === 'string' ? body : ''])
  return [...new Set(said.match(UUID) ?? [])]
}

/** A reply that is no JSON has no fields. */
function withoutFields(body: string, fields: readonly string[] = []): string {
  if (fields.length === 0) return body
  return JSON.stringify(JSON.parse(body, (name, value) => (fields.includes(name) ? undefined : (value as unknown))))
}

function rejectInProgress(): never {
  return reject('conflict', 'A request with this Idempotency-Key is under way', 'IDEMPOTENCY_IN_PROGRESS', {
    'Retry-After': '1',
  })
}

function rejectAnswerLost(): never {
  return reject(
    'conflict',
    'The request with this Idempotency-Key was carried out, but its answer is lost: look at what it changed',
    'IDEMPOTENCY_ANSWER_LOST',
  )
}

const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms)
