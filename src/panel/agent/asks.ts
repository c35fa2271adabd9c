/**
 * Live reads of a host. An ask goes to the agent by its poll, under an id that no event knows, and its caller waits for
 * the answer. The process of the caller and that of the poll may differ: they meet in rows that nothing keeps.
 */
import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { HandlerContext } from '#kernel/http/route'
import { Rejection, reject } from '#kernel/lib/rejection'
import { serviceKey } from '#kernel/lib/services'
import { declaration } from '#kernel/resource/declaration'
import { ASK_TYPE, FOLLOW_TYPE, signEnvelope } from '../../tasks/envelope.ts'
import type { AskKind, FollowKind } from '../../tasks/kind.ts'
import { ResultBody } from '../../tasks/protocol.ts'
import type { AgentCaller } from './agent-caller.ts'
import { sealedFor } from './hand-out.ts'
import { taskHub } from './hub.ts'
import type { Seat } from './hub.ts'
import { signingKeyOf, taskJwkIn } from './keys/task-keys.ts'
import { serversOfAgents } from './servers-of-agents.ts'

const OPEN_ASKS_MAX = 20
/** Hints of other processes may be lost. */
const LOOK_AGAIN_MS = 1_000

/** Those that open reads of one server count one after the other. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('ask/' || $1, 0))`
const OPEN = `INSERT INTO telemetry.ask (ask_id, server_id, kind, kind_version, params, expires_at, is_follow)
  SELECT $1, $2, $3, $4, $5, $6, $8 WHERE
    (SELECT count(*) FROM telemetry.ask WHERE server_id = $2 AND is_follow = $8 AND expires_at > $7) < $9`
const TAKE = `UPDATE telemetry.ask SET handed_to = $2 WHERE server_id = $1 AND handed_to IS NULL AND expires_at > $3
  RETURNING ask_id AS "askId", is_follow AS "isFollow", kind, kind_version AS "kindVersion", params, expires_at AS "expiresAt"`
const ANSWER = `UPDATE telemetry.ask SET answer = $3 WHERE ask_id = $1 AND server_id = $2 AND answer IS NULL
  AND handed_to IS NOT NULL`
const ANSWERED = 'SELECT answer FROM telemetry.ask WHERE ask_id = $1'
const CLOSE = 'DELETE FROM telemetry.ask WHERE ask_id = $1'
const WAITING = `SELECT DISTINCT server_id AS "serverId" FROM telemetry.ask WHERE handed_to IS NULL`
const FORGET = 'DELETE FROM telemetry.ask WHERE expires_at < $1'

export interface AskedAsk {
  readonly kind: AskKind
  /** As of a task's kind. */
  secrets?(params: unknown, call: Pick<HandlerContext, 'read' | 'vault' | 'run' | 'service'>): Promise<object | null>
}

/** Of a kind that goes on until its callers leave. */
export interface AskedFollow extends Omit<AskedAsk, 'kind'> {
  readonly kind: FollowKind
}

/** By their names. */
export const askedFollows = serviceKey<ReadonlyMap<string, AskedFollow>>('kinds of follows', new Map())

/** The section whose callers look declares the kind. */
export const askedFollow = declaration<AskedFollow>()

/** By their names. */
export const askedAsks = serviceKey<ReadonlyMap<string, AskedAsk>>('kinds of asks', new Map())

/** The section that asks declares the kind. */
export const askedAsk = declaration<AskedAsk>()

type AskingCall = Pick<HandlerContext, 'telemetry' | 'service' | 'now' | 'waitFor' | 'abortSignal'>

/**
 * @throws Rejection 503 SERVER_OFFLINE at once, SERVER_SILENT without an answer in time, or with the code that the agent
 * gives · 409 BUSY
 */
export async function ask<Params, Answer>(
  call: AskingCall,
  kind: AskKind<Params, Answer>,
  serverId: string,
  params: Params,
): Promise<Answer> {
  const { telemetry, service, now } = call
  if (!(await service(serversOfAgents).isReachable(telemetry, serverId, now)))
    reject('unavailable', 'The server has not been heard of: its agent is offline', 'SERVER_OFFLINE')
  const askId = randomUUID()
  const { name, version, waitMs: forMs } = kind
  const asked = { askId, serverId, kind: name, version, params: kind.params.parse(params), now, forMs }
  const seat = await service(taskHub).ofTask(askId)
  try {
    if (!(await openRead(telemetry, asked, { isFollow: false, most: OPEN_ASKS_MAX })))
      reject('conflict', `${OPEN_ASKS_MAX} reads of the server are open: try again`, 'BUSY')
    service(taskHub).ask(serverId)
    return readAnswer(kind, await answerOf(call, askId, kind.waitMs, seat))
  } finally {
    seat.leave()
    await telemetry.query(CLOSE, [askId])
  }
}

interface AskedRead {
  readonly askId: string
  readonly serverId: string
  readonly kind: string
  readonly version: number
  readonly params: unknown
  readonly now: Date
  /** Until it is forgotten. */
  readonly forMs: number
}

/** @returns false if so many of the server are open */
export async function openRead(
  telemetry: Pool,
  { askId, serverId, kind, version, params, now, forMs }: AskedRead,
  { isFollow, most }: { readonly isFollow: boolean; readonly most: number },
): Promise<boolean> {
  const expiresAt = new Date(now.getTime() + forMs)
  const row = [askId, serverId, kind, version, JSON.stringify(params), expiresAt, now, isFollow, most]
  const connection = await telemetry.connect()
  try {
    await connection.query('BEGIN')
    await connection.query(LOCK, [serverId])
    const { rowCount } = await connection.query(OPEN, row)
    await connection.query('COMMIT')
    return rowCount === 1
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => {})
    throw error
  } finally {
    connection.release()
  }
}

async function answerOf(
  { telemetry, waitFor, abortSignal }: AskingCall,
  askId: string,
  waitMs: number,
  seat: Pick<Seat, 'reset' | 'wait'>,
): Promise<unknown> {
  const untilMs = performance.now() + waitMs
  for (;;) {
    seat.reset()
    const { rows } = await telemetry.query<{ answer: unknown }>(ANSWERED, [askId])
    const answer = rows[0]?.answer ?? null
    const leftMs = untilMs - performance.now()
    if (answer !== null || leftMs <= 0 || abortSignal.aborted) return answer
    await waitFor(() => seat.wait(Math.min(leftMs, LOOK_AGAIN_MS), abortSignal))
  }
}

function readAnswer<Answer>(kind: AskKind<unknown, Answer>, answer: unknown): Answer {
  if (answer === null) return reject('unavailable', 'The agent of the server did not answer in time', 'SERVER_SILENT')
  const told = ResultBody.parse(answer)
  if (told.outcome === 'FAILED') return reject('unavailable', told.error.message, told.error.code)
  const parsed = kind.answer.safeParse(told.outcome === 'SUCCEEDED' ? told.result : undefined)
  return parsed.success ? parsed.data : reject('unavailable', 'The agent answered in another form', 'BAD_RESULT')
}

type PollCall = Pick<HandlerContext, 'read' | 'vault' | 'run' | 'service' | 'telemetry' | 'warn'>

interface TakenAsk {
  readonly askId: string
  readonly isFollow: boolean
  readonly kind: string
  readonly kindVersion: number
  readonly params: unknown
  readonly expiresAt: string
}

/** Envelopes of reads. */
export interface HandedReads {
  readonly asks: string[]
  readonly follows: string[]
}

/** Those that wait. Each is handed out once: a read that is lost is asked again by its caller. */
export async function takeReads(call: PollCall, { server, run }: AgentCaller, now: Date): Promise<HandedReads> {
  const { rows } = await call.telemetry.query<TakenAsk>(TAKE, [server.serverId, run, now])
  if (rows.length === 0) return { asks: [], follows: [] }
  const signer = signingKeyOf(await call.run(taskJwkIn))
  const texts = rows.map(async ({ askId, isFollow, kind, kindVersion, params, expiresAt }) => {
    const own = call.service(isFollow ? askedFollows : askedAsks).get(kind)
    const secrets = await own?.secrets?.(params, call)
    const subject = { taskId: askId, attempt: 1 }
    const envelope = {
      serverId: server.serverId,
      ...subject,
      kind,
      version: kindVersion,
      issuedAt: now,
      expiresAt: new Date(expiresAt),
      runMs: 1,
      payload: params as never,
      secrets: secrets ? sealedFor(server, secrets, subject) : null,
      transfer: null,
    }
    return { isFollow, text: signEnvelope(envelope, signer, isFollow ? FOLLOW_TYPE : ASK_TYPE) }
  })
  const settled = await Promise.allSettled(texts)
  const signed: { readonly isFollow: boolean; readonly text: string }[] = []
  for (const [nth, each] of settled.entries()) {
    if (each.status === 'fulfilled') signed.push(each.value)
    else await refuseRead(call, server.serverId, rows[nth]!.askId, each.reason)
  }
  const textsOf = (isFollow: boolean) => signed.filter((each) => each.isFollow === isFollow).map(({ text }) => text)
  return { asks: textsOf(false), follows: textsOf(true) }
}

/** Its caller hears at once what stands in the way, instead of waiting for an answer. */
async function refuseRead(call: PollCall, serverId: string, askId: string, reason: unknown): Promise<void> {
  call.warn({ err: reason }, 'the secrets of an ask cannot be read')
  if (!(reason instanceof Rejection)) return
  const { code, message } = reason
  const answer = { outcome: 'FAILED', attempt: 1, lastSeq: 0, error: { code, message } } as const
  await takeAnswer(call.telemetry, serverId, askId, answer)
  call.service(taskHub).wakeTask(askId)
}

/** @returns whether the agent was asked this, and its answer is awaited */
export async function takeAnswer(
  telemetry: Pool,
  serverId: string,
  askId: string,
  answer: ResultBody,
): Promise<boolean> {
  const { rowCount } = await telemetry.query(ANSWER, [askId, serverId, JSON.stringify(answer)])
  return rowCount === 1
}

/** The servers for which asks wait that no poll has taken. */
export async function serversWithAsks(telemetry: Pool): Promise<string[]> {
  const { rows } = await telemetry.query<{ serverId: string }>(WAITING)
  return rows.map(({ serverId }) => serverId)
}

/** Of processes that were killed while they waited. */
export const forgetAsks = async (telemetry: Pool, before: Date): Promise<void> => {
  await telemetry.query(FORGET, [before])
}
