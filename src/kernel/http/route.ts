/**
 * What may be asked. A route declares its line, who may call it, its input, its output and its handler; the router, the gate,
 * OpenAPI and the list of routes are derived from that. There is no other way to register one.
 */
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import type { UnitOfWork } from '../commands/command-runner.ts'
import type { Actor } from '../events/event.ts'
import type { IncomingRequest } from './incoming-request.ts'
import type { ServiceRegistry } from '../lib/services.ts'
import { CachedRepresentation } from './cached-representation.ts'
import type { Vault } from '../vault/vault.ts'

export const NOT_MODIFIED = 304

export type ErrorStatus = 401 | 403 | 404 | 409 | 429

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
export type RouteLine = `${Method} /${string}`

/** Who may call a route. There is no default: a route without access does not compile. */
export interface Access {
  /** The credential kinds that may call, such as ['staff', 'token']; [] is public. */
  readonly kinds: readonly string[]
  /** Held by the caller, or 403. Absent: any caller of those kinds, for what is his own. */
  readonly permission?: string
  /** Held by a caller who is limited to scopes, or 403. Absent: no such caller may come. */
  readonly scope?: string
  /** What is asked of the caller about what the path names. */
  readonly rule?: AccessRule
  /** Which of the server's ways in these kinds come by. Absent: a credential in the header Authorization. */
  readonly scheme?: string
}

/** What a rule sees of a request: all but its body, of which nothing is read yet. */
export interface AccessRuleInput {
  readonly caller: Caller
  readonly params: any
  readonly query: any
  readonly read: Kysely<any>
  readonly now: Date
}

/** @throws Rejection 403 for what the caller may see and not do, 404 for what he may not see */
export type AccessRule = (entering: AccessRuleInput) => unknown

/** Anybody, without a credential; a credential that is sent all the same is not looked at. */
export const everyone: Access = { kinds: [] }

/** Somebody whose credential was accepted. */
export interface Caller {
  readonly kind: string
  readonly actor: Actor
  can(permission: string): boolean
  /** Absent: his reach is not limited to scopes. */
  readonly scopes?: ReadonlySet<string>
  /** Answered with 403 by routes that are not opened to this kind. */
  readonly forbiddenMessage: string
  /** Answered with 403 when this kind may never hold the permission, whatever its record says. */
  permissionBan?(permission: string): string | undefined
  /** Told once the gate has let this call in; for signs of life. */
  onAdmitted?(): void
}

/** What the gate sees of a request before anything of its body is read. */
export interface RequestHead {
  /** All values of the header Authorization. */
  readonly authorization: readonly string[]
  /** The source address; undefined when it cannot be determined. */
  readonly ip: string | undefined
  readonly now: Date
  /** For ways in that look at more than that header. */
  readonly request?: IncomingRequest
}

/** @returns undefined when no credential was sent. @throws Rejection 401 for one that is not accepted. */
export type Authenticate = (arrival: RequestHead) => Promise<Caller | undefined>

export interface HandlerContext<Params = unknown, Query = unknown, Body = unknown> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** Who asks. Reading it on a public route is a bug and throws. */
  readonly caller: Caller
  readonly ip: string | undefined
  readonly requestId: string
  /** The body of a route that takes an upload, to be read once. @throws Rejection 400 | 413 | 415 */
  upload(): AsyncIterable<Uint8Array>
  /** The database's time at the start of the request. */
  readonly now: Date
  /** One unit of work, recorded in the caller's name. `actor` replaces the caller where the route itself finds out who it is (login). */
  run<Result>(work: (unit: UnitOfWork) => Promise<Result>, actor?: Actor): Promise<Result>
  /** As `run`, for what whoever asks must not learn of: his answer neither waits for it nor names its position. */
  runUnreported<Result>(work: (unit: UnitOfWork) => Promise<Result>, actor: Actor): Promise<Result>
  /**
   * Resolves when the read models show what this call has recorded, for an answer that is read from them.
   * @throws Rejection 503 when something was taken away and is not gone yet
   */
  waitForReadModels(): Promise<void>
  /** The read models. The role behind it may only SELECT. */
  readonly read: Kysely<any>
  /** For what is not history: attempt counters, last uses. Written at once and never part of a unit of work. */
  readonly telemetry: Pool
  readonly vault: Vault
  /** The configured public address, without a trailing slash; never taken from a request. */
  readonly baseUrl: string
  /** What this service was given, such as a payment provider. */
  readonly service: ServiceRegistry
  /** Whether this installation sends mails, at this moment. */
  canMail(): Promise<boolean>
  /** For what is of no use without the mail that follows it. @throws Rejection 409 when this installation sends none */
  requireMail(): Promise<void>
  /** A line of the log, for operators; the answer says nothing of it. Neither a secret nor anything personal may be in it. */
  warn(about: Readonly<Record<string, unknown>>, message: string): void
  /** Aborted when the client is gone or the server closes: for answers that go on until then. */
  readonly abortSignal: AbortSignal
  header(name: string): string | undefined
  cookie(name: string): string | undefined
}

/** An answer that differs from the route's usual one. */
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

/** A reply that is not JSON. The handler answers the text, or an async iterable of pieces that is streamed with back-pressure. */
export interface TextReply {
  readonly contentTypes: readonly string[]
}
export const textReply = (...contentTypes: string[]): TextReply => ({ contentTypes })

/** Likewise of bytes, such as a PDF. */
export interface BytesReply extends TextReply {
  readonly isBytes: true
}
export const bytesReply = (...contentTypes: string[]): BytesReply => ({ contentTypes, isBytes: true })

/**
 * A text, or JSON, that changes rarely and that many ask for: `of` makes the answer, which is the same one for as long as its content
 * is. It has an ETag, comes in the coding that the client takes, and is answered 304 to a client that has it.
 */
export interface CachedReply<Content> extends TextReply {
  readonly of: (content: Content) => CachedRepresentation
  /** Of JSON. */
  readonly schema?: Schema
}
export function cachedReply(contentType: string): CachedReply<string> {
  return { contentTypes: [contentType], of: cacheLast((text) => text) }
}
export function cachedJsonReply<S extends Schema>(schema: S): CachedReply<z.input<S>> {
  const textOf = (content: z.input<S>) => JSON.stringify(schema.parse(content))
  return { contentTypes: ['application/json; charset=utf-8'], of: cacheLast(textOf), schema }
}

export const isCachedReply = (reply: Schema | TextReply | undefined): reply is CachedReply<unknown> =>
  reply !== undefined && 'of' in reply

/** Of what was asked for last, so that what changes is not kept twice. */
function cacheLast<Content>(textOf: (content: Content) => string): (content: Content) => CachedRepresentation {
  let last: { readonly text: string; readonly kept: CachedRepresentation } | undefined
  return (content) => {
    const text = textOf(content)
    if (last?.text !== text) last = { text, kept: new CachedRepresentation(text) }
    return last.kept
  }
}

/** Server-sent events, as `sse.ts` frames them, until `call.ended`. */
export interface LiveReply extends TextReply {
  readonly isLive: true
}
export const liveReply: LiveReply = { contentTypes: ['text/event-stream'], isLive: true }

const bytesLimits = z.registry<{ limit: number }>()

/** A body that is taken as it was sent, for signatures over it. @param limit in bytes */
export function bytesBody(limit: number): z.ZodType<Buffer> {
  const schema = z.instanceof<typeof Buffer>(Buffer)
  bytesLimits.add(schema, { limit })
  return schema
}

/** Undefined for a body that is JSON. */
export const bytesLimit = (body: z.ZodType): number | undefined => bytesLimits.get(body)?.limit

type Schema = z.ZodType
type ParsedOf<S> = S extends Schema ? z.output<S> : unknown
/** `/things/:id/parts/:partId` gives `{ id: string, partId: string }`. */
type ParamNames<Line> = Line extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Line extends `${string}:${infer Name}`
    ? Name
    : never
type ParamsOf<P, Line> = P extends Schema ? z.output<P> : { readonly [Name in ParamNames<Line>]: string }
type HandlerResult<R> = R extends Schema
  ? z.input<R>
  : R extends BytesReply
    ? Buffer | AsyncIterable<Uint8Array>
    : R extends CachedReply<never>
      ? CachedRepresentation
      : R extends TextReply
        ? string | AsyncIterable<string>
        : void

export interface RouteSpec<P, Q, B, R, Line = string> {
  /** One or two sentences for people: OpenAPI and /api/docs show them. */
  readonly does: string
  readonly access: Access
  /** Path parameters; an `:id` is a UUID unless said otherwise, and one that does not parse answers 404 like an unknown id. */
  readonly params?: P
  /** Unknown query parameters and unknown body fields are refused with 400. */
  readonly query?: Q
  readonly body?: B
  /** Takes bytes in place of a body, at most so many, which the handler reads by `upload`. */
  readonly upload?: { readonly bytesMax: number }
  /** Absent: no body, 204. */
  readonly reply?: R
  /** May be refused with 402: it makes what is counted against a limit that somebody can buy more of. */
  readonly isLimited?: boolean
  /** What the handler itself refuses with, besides what follows from the rest of the declaration; see `refusalsOf` in openapi.ts. */
  readonly refuses?: readonly ErrorStatus[]
  /** Answered also while the service turns others away: a full service must not look like a dead one. */
  readonly evenWhenFull?: boolean
  /**
   * What is asked of the whole call, its body included, where `access` cannot know it: before `handle`, and again before an answer
   * is repeated for an Idempotency-Key. @throws Rejection
   */
  readonly guard?: (call: HandlerContext<ParamsOf<P, Line>, ParsedOf<Q>, ParsedOf<B>>) => unknown
  /** Secret fields of the reply, at any depth: an answer that is kept for an Idempotency-Key does not hold them. */
  readonly shownOnce?: readonly string[]
  /**
   * Fields that a repeated answer shows in place of its own: what of `shownOnce` may be shown at this moment, recorded as a first
   * showing is. Absent: nothing of `shownOnce`.
   * @param kept the reply of the first call, without `shownOnce`
   * @throws Rejection where a first call would now be refused: then nothing is repeated
   */
  readonly showAgain?: (
    call: HandlerContext<ParamsOf<P, Line>, ParsedOf<Q>, ParsedOf<B>>,
    kept: object,
  ) => Promise<Partial<HandlerResult<R>> & object>
  /** The first is the usual one. Default 200, or 204 without a reply. */
  readonly status?: number | readonly number[]
  readonly handle: (
    call: HandlerContext<ParamsOf<P, Line>, ParsedOf<Q>, ParsedOf<B>>,
  ) => Promise<HandlerResult<R> | Answer<HandlerResult<R>>>
}

export interface Route extends Omit<
  RouteSpec<Schema, Schema, Schema, Schema | TextReply>,
  'handle' | 'status' | 'guard' | 'showAgain'
> {
  readonly line: RouteLine
  readonly method: Method
  /** As declared: `/api/admin/plans/:id`. */
  readonly path: string
  readonly statuses: readonly number[]
  readonly guard?: (call: HandlerContext<any, any, any>) => unknown
  readonly showAgain?: (call: HandlerContext<any, any, any>, kept: object) => Promise<object>
  readonly handle: (call: HandlerContext<any, any, any>) => Promise<unknown>
}

export function route<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  R extends Schema | TextReply | undefined = undefined,
  Line extends RouteLine = RouteLine,
>(line: Line, spec: RouteSpec<P, Q, B, R, Line>): Route {
  const [method, path] = line.split(' ') as [Method, string]
  const statuses = [spec.status ?? (spec.reply ? 200 : 204), isCachedReply(spec.reply) ? NOT_MODIFIED : []].flat()
  return { ...spec, line, method, path, statuses }
}
