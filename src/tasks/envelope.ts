/**
 * The envelope in which the panel hands out a task: a JWS (RFC 7515) that names the server, the task and its attempt.
 * The agent does nothing that such an envelope does not ask for.
 */
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import { isSignedBy, readJws, signJws } from '#kernel/credentials/jws'
import { uuid } from '#kernel/lib/uuid'
import type { AskKind, FollowKind, TaskKind } from './kind.ts'

export const TASK_TYPE = 'daybook-task+jwt'
/** An ask is a read without a history: its id is in no event, and its answer is awaited. */
export const ASK_TYPE = 'daybook-ask+jwt'
/** As an ask, of a read that goes on until its caller leaves. */
export const FOLLOW_TYPE = 'daybook-follow+jwt'
/** A payload of 64 KiB and a box of 1 MiB, both in base64url, and the box once more. */
const CHARACTERS_MAX = 2_500_000

/** In place of a box that is too long for an envelope. */
export const BOX_IN_TRANSFER = '@transfer'

/** Until the year 9999. */
const seconds = z.int().min(0).max(253_402_300_799)

const Claims = z.strictObject({
  /** The server. */
  aud: uuid,
  /** The task. */
  jti: uuid,
  attempt: z.int().min(1),
  kind: z.string().max(100),
  /** The version of the kind. */
  v: z.int().min(1),
  /** Unix seconds, by the panel's clock: when this envelope was signed. */
  iat: seconds,
  /** Unix seconds, by the panel's clock: the last moment to start it. */
  exp: seconds,
  runMs: z.int().min(1),
  payload: z.json(),
  /** A sealed box with JSON, or that the transfer of the task brings it; null without secrets. */
  secrets: z.string().nullable(),
  /** The task whose transfer it uses; null without one. */
  transfer: uuid.nullable(),
})
type Claims = z.output<typeof Claims>

export interface TaskToSend extends Omit<Claims, 'aud' | 'jti' | 'v' | 'iat' | 'exp'> {
  readonly serverId: string
  readonly taskId: string
  readonly version: number
  readonly issuedAt: Date
  readonly expiresAt: Date
}

export interface SigningKey {
  readonly kid: string
  readonly key: KeyObject
}

export function signEnvelope(task: TaskToSend, { kid, key }: SigningKey, typ: string = TASK_TYPE): string {
  const { serverId, taskId, version, issuedAt, expiresAt, ...rest } = task
  const times = { iat: secondsOf(issuedAt), exp: secondsOf(expiresAt) }
  const claims: Claims = { ...rest, aud: serverId, jti: taskId, v: version, ...times }
  return signJws(claims, { typ, kid, key })
}

const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1_000)

interface SignatureReader {
  readonly serverId: string
  /** The public halves of the keys that the panel signs with, by their ids. */
  readonly keys: ReadonlyMap<string, KeyObject>
  /** By the panel's clock. */
  readonly now: Date
  /** By the panel's clock. What was issued before may have been done and forgotten. */
  readonly since: Date
}

export interface EnvelopeReader extends SignatureReader {
  readonly kinds: ReadonlyMap<string, TaskKind>
}

export interface AskReader extends SignatureReader {
  readonly kinds: ReadonlyMap<string, AskKind>
}

export interface FollowReader extends SignatureReader {
  readonly kinds: ReadonlyMap<string, FollowKind>
}

/** A task that this agent may do. */
export interface ReadTask {
  readonly taskId: string
  readonly attempt: number
  readonly issuedAt: Date
  readonly kind: TaskKind
  readonly payload: unknown
  readonly runMs: number
  readonly secrets: string | null
  readonly transfer: string | null
}

/** Why nothing is done. */
export type EnvelopeRefusal =
  | 'REFUSED_SIGNATURE'
  | 'REFUSED_SERVER'
  | 'REFUSED_EXPIRED'
  | 'REFUSED_FIELD'
  | 'AGENT_TOO_OLD'

/** `about` is absent unless the panel has signed it for this server: then the panel is told. */
export interface RefusedEnvelope {
  readonly refusal: EnvelopeRefusal
  readonly about?: { readonly taskId: string; readonly attempt: number }
}

export type OpenedEnvelope = { readonly task: ReadTask } | RefusedEnvelope

/** Checks the signature before it believes anything of the text. */
export function openEnvelope(text: unknown, reader: EnvelopeReader): OpenedEnvelope {
  const opened = claimsOf(text, TASK_TYPE, reader)
  if ('refusal' in opened) return opened
  const { jti: taskId, attempt, secrets, transfer, runMs, payload, iat } = opened.claims
  const about = { taskId, attempt }
  const kind = reader.kinds.get(opened.claims.kind)
  if (!kind || opened.claims.v > kind.version) return { refusal: 'AGENT_TOO_OLD', about }
  const parsed = kind.payload.safeParse(payload)
  if (!parsed.success) return { refusal: refusalOf(parsed.error), about }
  // No envelope makes an attempt longer than its kind allows.
  const ownMs = Math.min(runMs, kind.runMs(parsed.data))
  const issuedAt = new Date(iat * 1_000)
  return { task: { ...about, issuedAt, kind, payload: parsed.data, runMs: ownMs, secrets, transfer } }
}

export interface ReadAsk {
  readonly askId: string
  readonly issuedAt: Date
  readonly kind: AskKind
  readonly params: unknown
  readonly secrets: string | null
}

export interface ReadFollow {
  readonly followId: string
  readonly issuedAt: Date
  readonly kind: FollowKind
  readonly params: unknown
  readonly secrets: string | null
}

/** As `openEnvelope`, of an ask: no envelope of a task is one, and the other way round. */
export function openAsk(text: unknown, reader: AskReader): { readonly ask: ReadAsk } | RefusedEnvelope {
  const read = openRead(text, ASK_TYPE, reader)
  if ('refusal' in read) return read
  const { id: askId, ...rest } = read
  return { ask: { askId, ...rest } }
}

/** As `openAsk`. */
export function openFollow(text: unknown, reader: FollowReader): { readonly follow: ReadFollow } | RefusedEnvelope {
  const read = openRead(text, FOLLOW_TYPE, reader)
  if ('refusal' in read) return read
  const { id: followId, ...rest } = read
  return { follow: { followId, ...rest } }
}

function openRead<Kind extends AskKind | FollowKind>(
  text: unknown,
  typ: string,
  reader: SignatureReader & { readonly kinds: ReadonlyMap<string, Kind> },
) {
  const opened = claimsOf(text, typ, reader)
  if ('refusal' in opened) return opened
  const { jti: id, attempt, secrets, payload, iat } = opened.claims
  const about = { taskId: id, attempt }
  const kind = reader.kinds.get(opened.claims.kind)
  if (!kind || opened.claims.v > kind.version) return { refusal: 'AGENT_TOO_OLD' as const, about }
  const params = kind.params.safeParse(payload)
  if (!params.success) return { refusal: refusalOf(params.error), about }
  return { id, issuedAt: new Date(iat * 1_000), kind, params: params.data, secrets }
}

/** What the panel has signed for this server, as long as it may be begun. */
function claimsOf(text: unknown, typ: string, reader: SignatureReader): { readonly claims: Claims } | RefusedEnvelope {
  const said = readJws(text, CHARACTERS_MAX)
  const key = said?.typ === typ ? reader.keys.get(said.kid) : undefined
  if (!said || !key || !isSignedBy(said, key)) return { refusal: 'REFUSED_SIGNATURE' }
  const claims = Claims.safeParse(said.payload)
  if (!claims.success) return { refusal: 'REFUSED_FIELD' }
  const { aud, jti: taskId, attempt, iat, exp } = claims.data
  if (aud !== reader.serverId) return { refusal: 'REFUSED_SERVER' }
  const isLate = exp * 1_000 < reader.now.getTime() || iat < secondsOf(reader.since)
  return isLate ? { refusal: 'REFUSED_EXPIRED', about: { taskId, attempt } } : { claims: claims.data }
}

/** Within a version payloads gain optional fields, so an unknown one comes from a newer panel. */
const refusalOf = ({ issues }: z.ZodError): EnvelopeRefusal =>
  issues.some(({ code }) => code === 'unrecognized_keys') ? 'AGENT_TOO_OLD' : 'REFUSED_FIELD'
