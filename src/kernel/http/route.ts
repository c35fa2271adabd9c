/**
 * Declares routes: the line, the access, the input, the output and the handler of each. The router, the
 * gate, OpenAPI and the list of routes are derived from it. A route cannot be registered in another
 * way.
 */
import type { Pool } from 'pg'
import { z } from 'zod'
import type { UnitOfWork } from '../commands/command-runner.ts'
import type { Actor } from '../events/event.ts'
import type { ServiceRegistry } from '../lib/services.ts'
import type { ReadDatabase } from '../projections/read-database.ts'
import type { Vault } from '../vault/vault.ts'
import { CachedRepresentation } from './cached-representation.ts'
import type { FromStates } from './in-state.ts'
import type { IncomingRequest } from './incoming-request.ts'
import type { RecordVersion } from './record-version.ts'

export const NOT_MODIFIED = 304

export type ErrorStatus = 401 | 403 | 404 | 409 | 415 | 429

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
export type RouteLine = `${Method} /${string}`

/**
 * Who may call a route. There is no default: a route without access does not compile.
 * @typeParam Result what its rule returns
 */
export interface Access<Result = unknown> {
  /** The kinds of credential that may call, for example ['staff', 'token']; [] is public. */
  readonly kinds: readonly string[]
  /**
   * The permission that the caller needs, or 403. Absent: any caller of those kinds, for the caller's
   * own data.
   */
  readonly permission?: string
  /** The scope that a caller with limited scopes needs, or 403. Absent: such callers are rejected. */
  readonly scope?: string
  /** A check of the caller against the resource in the path. */
  readonly rule?: AccessRule<Result>
  /** The name of the authentication scheme. Absent: the Authorization header. */
  readonly scheme?: string
}

/** The part of a request that a rule sees: everything but the body, which is not read yet. */
export interface AccessRuleInput {
  readonly caller: Caller
  readonly params: any
  readonly query: any
  readonly read: ReadDatabase
  readonly now: Date
}

/**
 * @returns what it has read and the handler needs, see `HandlerContext.ruleResult`
 * @throws Rejection 403 if the caller may see the resource but not do this · 404 if the caller may not
 * see it
 */
export type AccessRule<Result = unknown> = (entering: AccessRuleInput) => Promise<Result> | Result

/** Public: no credential is needed, and one that is sent is ignored. */
export const everyone: Access = { kinds: [] }

/** An authenticated caller. */
export interface Caller {
  readonly kind: string
  readonly actor: Actor
  can(permission: string): boolean
  /** Absent: the caller is not limited to scopes. */
  readonly scopes?: ReadonlySet<string>
  /** The message of the 403 from routes that are not open to this kind. */
  readonly forbiddenMessage: string
  /**
   * @returns the message of a 403 if this kind of caller may never hold the permission, whatever its
   * record says
   */
  permissionBan?(permission: string): string | undefined
  /**
   * Absent: this kind of caller cannot call a route with `stepUp`.
   * @throws Rejection 403 STEP_UP_REQUIRED unless the session proved its identity in the last five minutes
   */
  requireRecentProof?(): void
  /** Called after the gate has admitted the request; records the last use. */
  onAdmitted?(): void
}

/** The part of a request that the gate sees before the body is read. */
export interface RequestHead {
  /** All values of the Authorization header. */
  readonly authorization: readonly string[]
  /** The source address; undefined when it cannot be determined. */
  readonly ip: string | undefined
  readonly now: Date
  /** For authentication schemes that need more than the Authorization header. */
  readonly request?: IncomingRequest
}

/**
 * @returns undefined if no credential was sent
 * @throws Rejection 401 for a credential that is not accepted
 */
export type Authenticate = (arrival: RequestHead) => Promise<Caller | undefined>

export interface HandlerContext<Params = unknown, Query = unknown, Body = unknown, Result = unknown> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The authenticated caller. Reading it on a public route throws, which is a bug. */
  readonly caller: Caller
  /** What the rule of the route's access has returned, so that it is not read twice. */
  readonly ruleResult: Result
  readonly ip: string | undefined
  readonly requestId: string
  /**
   * The body of an upload route; it can be read once.
   * @throws Rejection 400 | 413 | 415
   */
  upload(): AsyncIterable<Uint8Array>
  /** The database's time at the start of the request. */
  readonly now: Date
  /**
   * Runs one unit of work, with the caller as its actor.
   * @param actor replaces the caller if the route itself authenticates (sign-in)
   */
  run<Result>(work: (unit: UnitOfWork) => Promise<Result>, actor?: Actor): Promise<Result>
  /**
   * As `run`, but hidden from the caller: the response neither waits for the change nor contains its
   * position.
   */
  runUnreported<Result>(work: (unit: UnitOfWork) => Promise<Result>, actor: Actor): Promise<Result>
  /**
   * Resolves when the read models show what this call has recorded, for a response that is read from
   * them.
   * @throws Rejection 503 if a strict change is not in effect yet
   */
  waitForReadModels(): Promise<void>
  /** The read models. The database role may only SELECT. */
  readonly read: ReadDatabase
  /**
   * For data that is not history: attempt counters, last uses. Written at once, outside of any unit of
   * work.
   */
  readonly telemetry: Pool
  readonly vault: Vault
  /** The configured public address without a trailing slash; never taken from a request. */
  readonly baseUrl: string
  /** The objects that this service was composed with, for example a payment provider. */
  readonly service: ServiceRegistry
  /** Whether this installation can send mail at this moment. */
  canMail(): Promise<boolean>
  /**
   * For changes that need a mail to be useful.
   * @throws Rejection 409 if this installation cannot send mail
   */
  requireMail(): Promise<void>
  /**
   * Logs a warning for operators; the response does not contain it. It must contain no secrets and no
   * personal data.
   */
  warn(about: Readonly<Record<string, unknown>>, message: string): void
  /** Aborted when the client disconnects or the server closes; for responses that last until then. */
  readonly abortSignal: AbortSignal
  /**
   * Waits without a place among the requests in work, so that many answers may wait for a change.
   * @throws Rejection 503 if no place is free afterwards
   */
  waitFor<Result>(wait: () => Promise<Result>): Promise<Result>
  header(name: string): string | undefined
  cookie(name: string): string | undefined
}

/** An answer whose status or headers differ from the defaults of the route. */
export class Answer<Body> {
  readonly status: number | undefined
  readonly body: Body
  readonly headers: Readonly<Record<string, string | string[]>>

  constructor(body: Body, status?: number, headers: Record<string, string | string[]> = {}) {
    this.body = body
    this.status = status
    this.headers = headers
  }
}

/** `answer(body, 200, {'Set-Cookie': …})`: the status must be one that the route declares. */
export function answer<Body>(body: Body, status?: number, headers?: Record<string, string | string[]>): Answer<Body> {
  return new Answer(body, status, headers)
}

/**
 * A reply that is not JSON. The handler returns the text, a cached representation of it, or an async
 * iterable of pieces, which is streamed with back-pressure.
 */
export interface TextReply {
  readonly contentTypes: readonly string[]
}
export const textReply = (...contentTypes: string[]): TextReply => ({ contentTypes })

/** The same for bytes, for example a PDF. */
export interface BytesReply extends TextReply {
  readonly isBytes: true
}
export const bytesReply = (...contentTypes: string[]): BytesReply => ({ contentTypes, isBytes: true })

/**
 * A text or JSON that changes rarely and is requested often. `of` makes the representation and reuses
 * it while the content is unchanged. It has an ETag and is compressed as the client accepts; a client
 * with the current ETag gets 304.
 */
export interface CachedReply<Content> extends TextReply {
  readonly of: (content: Content) => CachedRepresentation
  /** Only for JSON. */
  readonly schema?: Schema
}
export function cachedReply(...contentTypes: string[]): CachedReply<string> {
  return { contentTypes, of: cacheLast((text) => text) }
}
export function cachedJsonReply<S extends Schema>(schema: S): CachedReply<z.input<S>> {
  const textOf = (content: z.input<S>) => JSON.stringify(schema.parse(content))
  return { contentTypes: ['application/json; charset=utf-8'], of: cacheLast(textOf), schema }
}

export const isCachedReply = (reply: Schema | TextReply | undefined): reply is CachedReply<unknown> =>
  reply !== undefined && 'of' in reply

/** Keeps only the last text, so that changing content is not stored twice. */
function cacheLast<Content>(textOf: (content: Content) => string): (content: Content) => CachedRepresentation {
  let last: { readonly text: string; readonly kept: CachedRepresentation } | undefined
  return (content) => {
    const text = textOf(content)
    if (last?.text !== text) last = { text, kept: new CachedRepresentation(text) }
    return last.kept
  }
}

/** Server-sent events in the format of `sse.ts`, until `abortSignal` is aborted. */
export interface LiveReply extends TextReply {
  readonly isLive: true
}
export const liveReply: LiveReply = { contentTypes: ['text/event-stream'], isLive: true }

const bytesLimits = z.registry<{ limit: number }>()

/**
 * A body that is passed on byte by byte, for signatures over it.
 * @param limit in bytes
 */
export function bytesBody(limit: number): z.ZodType<Buffer> {
  const schema = z.instanceof<typeof Buffer>(Buffer)
  bytesLimits.add(schema, { limit })
  return schema
}

/** @returns undefined for a JSON body */
export const bytesLimit = (body: z.ZodType): number | undefined => bytesLimits.get(body)?.limit

type Schema = z.ZodType
export type ParsedOf<S> = S extends Schema ? z.output<S> : unknown
/** `/things/:id/parts/:partId` gives `{ id: string, partId: string }`. */
type ParamNames<Line> = Line extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Line extends `${string}:${infer Name}`
    ? Name
    : never
export type ParamsOf<P, Line> = P extends Schema ? z.output<P> : { readonly [Name in ParamNames<Line>]: string }
export type HandlerResult<R> = R extends Schema
  ? z.input<R>
  : R extends BytesReply
    ? Buffer | AsyncIterable<Uint8Array>
    : R extends CachedReply<never>
      ? CachedRepresentation
      : R extends TextReply
        ? string | AsyncIterable<string | Uint8Array> | CachedRepresentation
        : void

export interface RouteSpec<P, Q, B, R, Line = string, Result = unknown> {
  /** One or two sentences; OpenAPI and /api/docs show them. At most 140 characters. */
  readonly does: string
  readonly access: Access<Result>
  /** Path parameters. By default they are UUIDs; one that does not parse gets 404, like an unknown id. */
  readonly params?: P
  /** Unknown query parameters and body fields are rejected with 400. */
  readonly query?: Q
  readonly body?: B
  /** The name in the document and in the client, where that of the path is another route's. */
  readonly operationId?: string
  /** The largest JSON body in bytes. Absent: 100 KiB. */
  readonly bodyMax?: number
  /** Accepts raw bytes, at most `bytesMax`, in place of a parsed body; the handler reads them by `upload`. */
  readonly upload?: { readonly bytesMax: number }
  /** Absent: no body, 204. */
  readonly reply?: R
  /** May be rejected with 402: it creates something that counts against a limit of a plan. */
  readonly isLimited?: boolean
  /** Needs a proof of identity from the last five minutes, or 403: the change cannot be undone. */
  readonly stepUp?: boolean
  /**
   * The states of the record of the path from which a call can change something; `inState` makes it. In any other, the
   * call is refused with 409, or repeats what is done and changes nothing. Absent: in every state.
   */
  readonly from?: FromStates
  /**
   * The statuses that the handler itself rejects with, beyond those that follow from the declaration;
   * see `errorStatusesOf` in openapi.ts.
   */
  readonly refuses?: readonly ErrorStatus[]
  /**
   * Of the record that the path names. Its GET answers an ETag; a PATCH or PUT with that tag as `If-Match` answers 412 if
   * the record has changed since.
   */
  readonly version?: RecordVersion
  /** Answered even when other requests are rejected for load: health checks must still work. */
  readonly evenWhenFull?: boolean
  /** Programs call it all the time: only its failures are logged. */
  readonly isQuiet?: boolean
  /**
   * A check of the whole call, including the body, for rules that `access` cannot express. It runs
   * before `handle`, and again before a response is replayed for an Idempotency-Key.
   * @throws Rejection
   */
  readonly guard?: (call: HandlerContext<ParamsOf<P, Line>, ParsedOf<Q>, ParsedOf<B>>) => unknown
  /** Secret fields of the reply, at any depth: they are not stored with the response for an Idempotency-Key. */
  readonly shownOnce?: readonly string[]
  /**
   * Fields that a replayed response adds: the secrets of `shownOnce` that may be shown now. The showing
   * is recorded like the first one. Absent: no secrets.
   * @param kept the reply of the first call, without `shownOnce`
   * @throws Rejection if a first call would now be rejected; then the response is not replayed
   */
  readonly showAgain?: (
    call: HandlerContext<ParamsOf<P, Line>, ParsedOf<Q>, ParsedOf<B>>,
    kept: object,
  ) => Promise<Partial<HandlerResult<R>> & object>
  /** The first is the default of the handler. Absent: 200, or 204 without a reply. */
  readonly status?: number | readonly number[]
  readonly handle: (
    call: HandlerContext<ParamsOf<P, Line>, ParsedOf<Q>, ParsedOf<B>, Result>,
  ) => Promise<HandlerResult<R> | Answer<HandlerResult<R>>>
}

/** Each route parses its own input, so what all of them have in common does not say what it is. */
type AnyContext = HandlerContext<any, any, any, any>

export interface Route extends Omit<
  RouteSpec<Schema, Schema, Schema, Schema | TextReply>,
  'handle' | 'status' | 'guard' | 'showAgain'
> {
  readonly line: RouteLine
  readonly method: Method
  /** As declared, for example `/api/admin/plans/:id`. */
  readonly path: string
  readonly statuses: readonly number[]
  readonly guard?: (call: AnyContext) => unknown
  readonly showAgain?: (call: AnyContext, kept: object) => Promise<object>
  readonly handle: (call: AnyContext) => Promise<unknown>
}

export function route<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  R extends Schema | TextReply | undefined = undefined,
  Line extends RouteLine = RouteLine,
  Result = unknown,
>(line: Line, spec: RouteSpec<P, Q, B, R, Line, Result>): Route {
  const [method, path] = line.split(' ') as [Method, string]
  const statuses = [spec.status ?? (spec.reply ? 200 : 204), isCachedReply(spec.reply) ? NOT_MODIFIED : []].flat()
  return { ...spec, line, method, path, statuses }
}
