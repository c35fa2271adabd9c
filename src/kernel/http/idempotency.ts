/**
 * `Idempotency-Key` (modelled on draft-ietf-httpapi-idempotency-key-header-07): a repeated change is
 * made once and gets the first response again. A key belongs to its actor and is valid for 24 hours.
 * Only successful responses are stored; a rejected request has changed nothing, so its key is free
 * again. If an account is erased, stored responses that mention its id are deleted.
 *
 * A repeated request passes the same checks as the first: the gate, the rule of its path and the
 * route's `guard` run before this code. Secrets are not stored; the route's `showAgain` decides which
 * of them may be shown again, and records it.
 */
import type { Pool } from 'pg'
import type { UnitOutcome } from '../commands/command-runner.ts'
import { recurringJob } from '../jobs/recurring-job.ts'
import { reject } from '../lib/rejection.ts'
import type { Vault } from '../vault/vault.ts'
import type { ParsedInput } from './handler-context.ts'
import type { OutgoingResponse } from './reply.ts'
import type { RequestContext } from './request-context.ts'
import type { Caller, Route } from './route.ts'

export interface IdempotencyDependencies {
  readonly telemetry: Pool
  readonly vault: Vault
  /** Whether a request has recorded events; undefined while this is unknown. Absent: always unknown. */
  readonly hasRecorded?: (requestId: string) => Promise<boolean | undefined>
}

/** A response, and the units of work behind it. */
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

/** The steps of one call. */
export interface IdempotentHandler {
  /** Makes the change and builds the response. */
  readonly handle: () => Promise<OutgoingResponse>
  /**
   * Builds the full response from the stored reply. Absent: the stored reply is the response.
   * @throws Rejection if the response may not be replayed
   */
  readonly replay?: (kept: object) => Promise<OutgoingResponse>
}

const KEY = /^[\x21-\x7e]{1,255}$/
const HOLDS_MS = 24 * 60 * 60_000
/** No request takes longer, so the process that handled an older one has died. */
const ABANDONED_MS = 2 * 60_000
const FORGET_EVERY_MS = 60 * 60_000
const HMAC = 'idempotency'
const SEALED = { subject: 'installation', type: 'IdempotentCall', field: 'answer' }
/** Cookies are not replayed. */
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
 * Whether the header has an effect: only for changes by authenticated callers. Uploads are identified
 * by their content. Signed requests are excluded, because the header is not part of the signature.
 */
export const acceptsIdempotencyKey = ({
  method,
  access,
  upload,
}: Pick<Route, 'method' | 'access' | 'upload'>): boolean =>
  method !== 'GET' && access.kinds.length > 0 && access.scheme === undefined && !upload

/**
 * @throws Rejection 400 for an invalid key · 409 if the key was used for another request, the first
 * request is still running, or its response is lost
 */
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

/** Hourly, so that expired responses are deleted soon after their 24 hours. */
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
    reject(
      'invalid',
      'Idempotency-Key must be sent once, with 1 to 255 visible ASCII characters',
      'IDEMPOTENCY_KEY_INVALID',
    )
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
  // If this write fails, the request's own result or error is still returned.
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
    return reject(
      'conflict',
      'The Idempotency-Key was used for another request: use a new key',
      'IDEMPOTENCY_KEY_REUSED',
    )
  if (known.answer !== null) return replayAnswer(parts.vault, known.answer, asked, doing)
  if (known.lost || (await phaseOfDeath(parts, known, call.now)) === 'after') return rejectAnswerLost()
  return (await takeOverKey(parts, known, call)) ? runFirst(parts, call, asked, doing) : rejectInProgress()
}

/** Whether the process died before or after the request recorded its change. */
async function phaseOfDeath({ hasRecorded }: IdempotencyDependencies, { requestId, at }: StoredCall, now: Date) {
  if (now.getTime() - new Date(at).getTime() < ABANDONED_MS) return rejectInProgress()
  const isDone = await hasRecorded?.(requestId)
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
  // An older version stored secrets too.
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

/** All ids that the response mentions: erasing any of them deletes the stored response. */
function mentionedIds({ parsed, exchange: { caller } }: IdempotentRequest, { body }: OutgoingResponse): string[] {
  const said = JSON.stringify([caller?.actor.id, parsed.params, typeof body === 'string' ? body : ''])
  return [...new Set(said.match(UUID) ?? [])]
}

/** A reply without `shownOnce` is not parsed, so it need not be JSON. */
function withoutFields(body: string, fields: readonly string[] = []): string {
  if (fields.length === 0) return body
  return JSON.stringify(JSON.parse(body, (name, value) => (fields.includes(name) ? undefined : (value as unknown))))
}

function rejectInProgress(): never {
  return reject(
    'conflict',
    'A request with this Idempotency-Key is still running: try again',
    'IDEMPOTENCY_IN_PROGRESS',
    {
      'Retry-After': '1',
    },
  )
}

function rejectAnswerLost(): never {
  return reject(
    'conflict',
    'The request with this Idempotency-Key succeeded, but its response is lost: check its result',
    'IDEMPOTENCY_ANSWER_LOST',
  )
}

const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms)
