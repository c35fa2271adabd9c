/**
 * Hand-out is reconciliation: the agent says what it holds, and the panel what is due, what is to stop and what is over.
 * A server has one agent, so no clock decides who works, and what was lost on the way is sent again.
 */
import { Readable } from 'node:stream'
import { v5 } from 'uuid'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { HandlerContext } from '#kernel/http/route'
import { Rejection } from '#kernel/lib/rejection'
import { taskTable } from '#projections/panel/agent'
import type { TaskRow } from '#projections/panel/agent'
import { BOX_IN_TRANSFER, signEnvelope } from '../../tasks/envelope.ts'
import type { SigningKey } from '../../tasks/envelope.ts'
import { POOL_SIZES } from '../../tasks/pools.ts'
import type { Pool } from '../../tasks/pools.ts'
import { LONG_BYTES_MAX, TASKS_PER_ANSWER } from '../../tasks/protocol.ts'
import type { PollBody } from '../../tasks/protocol.ts'
import { sealBox } from '../../tasks/sealed-box.ts'
import type { BoxSubject } from '../../tasks/sealed-box.ts'
import type { AgentCaller } from './agent-caller.ts'
import { hasEnded, tasks } from './decider.ts'
import type { Task } from './decider.ts'
import type { Seat, ToldRun } from './hub.ts'
import { signingKeyOf, taskJwkIn } from './keys/task-keys.ts'
import { askedKinds } from './kinds.ts'
import type { AskedKinds } from './kinds.ts'
import { serversOfAgents } from './servers-of-agents.ts'
import type { ServerOfAgent } from './servers-of-agents.ts'
import { findTransfer, storeForTask, transfersOf } from './transfers.ts'

/** An agent that does not take what it was sent gets it again after this time. */
const RESEND_MS = 1_000
/** At a file that the panel itself still stores. */
const LOOK_AGAIN_MS = 1_000
const SECRETS_BYTES_MAX = 1_024 * 1_024

type Call = Pick<HandlerContext, 'read' | 'vault' | 'run' | 'service' | 'warn' | 'telemetry'>
type OpenTask = Pick<TaskRow, 'id' | 'kind' | 'lane' | 'state' | 'attempt' | 'notBefore'>
type Holding = PollBody['holding'][number]

export interface HandedOut {
  readonly tasks: string[]
  readonly cancel: string[]
  readonly drop: string[]
  /** When more may be due without an event. */
  readonly nextMs: number
}

export interface Asked {
  readonly agent: AgentCaller
  readonly body: PollBody
  readonly told: ToldRun
  readonly seat: Pick<Seat, 'isIdle' | 'noteIdle'>
  /** By the panel's clock. */
  readonly now: Date
}

export async function handOut(call: Call, asked: Asked): Promise<HandedOut> {
  const { agent, body, told, now } = asked
  const open = await openTasksOf(call, asked)
  const held = new Map(body.holding.map((each) => [each.id, each]))
  const loose = open.filter((task) => !isHeld(task, held.get(task.id)))
  const transfers = await transfersOf(
    call.telemetry,
    loose.map(({ id }) => id),
  )
  const { due, nextMs } = dueOf(open, loose, { ...asked, transfers, kinds: call.service(askedKinds) })
  const stopping = open.filter(({ id, state }) => state === 'CANCELLING' && held.get(id)?.ended !== true)
  const over = await overOf(call, agent.server.serverId, open, body.holding)
  // At once, so that a poll that is repeated meanwhile does not do the same beside this one.
  for (const { id } of due) {
    told.sentMs.set(id, now.getTime())
    // Another attempt of a task may be stopped again.
    told.named.delete(id)
  }
  const envelopes = due.length === 0 ? [] : await envelopesOf(call, { ...asked, transfers }, due)
  forgetOthers(told, open)
  const isNew = (id: string) => !told.named.has(id)
  const isSent = new Set(envelopes.map(({ taskId }) => taskId))
  const cancel = stopping.map(({ id }) => id).filter((id) => isSent.has(id) || (held.has(id) && isNew(id)))
  const drop = over.filter(isNew)
  for (const id of [...cancel, ...drop]) told.named.add(id)
  return { tasks: envelopes.map(({ text }) => text), cancel, drop, nextMs }
}

/** In the order of their requests. Most polls have none, which needs no look. */
async function openTasksOf({ read }: Pick<Call, 'read'>, { agent, seat }: Asked): Promise<readonly OpenTask[]> {
  if (seat.isIdle) return []
  const open = await taskTable
    .queryIn(read)
    .select(['id', 'kind', 'lane', 'state', 'attempt', 'notBefore'])
    .where('serverId', '=', agent.server.serverId)
    .where('endedAt', 'is', null)
    .orderBy('queuedAt')
    .execute()
  if (open.length === 0) seat.noteIdle()
  return open
}

type Transfers = Awaited<ReturnType<typeof transfersOf>>

/**
 * The first of each lane, as many as the pools of the agent have free places.
 * @param loose those that the agent does not hold
 */
function dueOf(
  open: readonly OpenTask[],
  loose: readonly OpenTask[],
  { body, told, now, kinds, transfers }: Asked & { readonly kinds: AskedKinds; readonly transfers: Transfers },
): { readonly due: OpenTask[]; readonly nextMs: number } {
  const isLoose = new Set(loose)
  const free = { ...body.free }
  const lanes = new Set<string>()
  const due: OpenTask[] = []
  let nextMs = Infinity
  for (const task of open) {
    const isBehind = task.lane !== null && lanes.has(task.lane)
    if (task.lane !== null) lanes.add(task.lane)
    if (isBehind || !isLoose.has(task)) continue
    const isComing = transfers.get(task.id)?.isComing === true
    const waitMs = isComing ? LOOK_AGAIN_MS : waitMsOf(task, told, now)
    nextMs = Math.min(nextMs, waitMs > 0 ? waitMs : Infinity)
    const pool: Pool = kinds.get(task.kind)?.kind.pool ?? 'quick'
    // An agent that does not know the pool knows none of its kinds: they must not wait for a place, but fail.
    const places = free[pool] ?? POOL_SIZES[pool]
    if (waitMs > 0 || places <= 0 || due.length >= TASKS_PER_ANSWER) continue
    free[pool] = Math.min(places, POOL_SIZES[pool]) - 1
    due.push(task)
  }
  return { due, nextMs }
}

/** What waits for another attempt is not held, although the agent may still tell the end of the last one. */
const isHeld = ({ state, attempt }: OpenTask, held: Holding | undefined): boolean =>
  held !== undefined && (!held.ended || state !== 'QUEUED' || held.attempt > attempt)

/** Until it is due; 0 or less: now. */
const waitMsOf = ({ id, notBefore }: OpenTask, { sentMs }: ToldRun, now: Date): number =>
  Math.max(Date.parse(notBefore ?? '1970-01-01'), (sentMs.get(id) ?? 0) + RESEND_MS) - now.getTime()

/** What the agent holds although it has ended. What the panel does not know may come from after its backup. */
async function overOf(
  { read }: Pick<Call, 'read'>,
  serverId: string,
  open: readonly OpenTask[],
  holding: readonly Holding[],
): Promise<string[]> {
  const isOpen = new Set(open.map(({ id }) => id))
  const others = holding.flatMap(({ id, ended }) => (isOpen.has(id) || ended ? [] : [id]))
  if (others.length === 0) return []
  const rows = await taskTable
    .queryIn(read)
    .select('id')
    .where('serverId', '=', serverId)
    .where('id', 'in', others)
    .where('endedAt', 'is not', null)
    .execute()
  return rows.map(({ id }) => id)
}

interface Envelope {
  readonly taskId: string
  readonly text: string
}

/** Records what starts, and signs what runs. */
async function envelopesOf(
  call: Call,
  { agent, now, transfers }: Asked & { readonly transfers: Transfers },
  due: readonly OpenTask[],
): Promise<Envelope[]> {
  const { started, signer } = await call.run(async (unit) => ({
    started: (await call.service(serversOfAgents).isPresent(unit, agent.server))
      ? await startedBy(unit, call.service(askedKinds), agent, due)
      : [],
    signer: signingKeyOf(await taskJwkIn(unit)),
  }))
  const all: (Envelope | undefined)[] = []
  for (const task of started) {
    const transfer = transfers.get(task.taskId)?.transferId ?? null
    all.push(await envelopeOf(call, agent, task, { signer, transfer, now }))
  }
  return all.flatMap((each) => each ?? [])
}

async function startedBy(
  unit: UnitOfWork,
  kinds: AskedKinds,
  { server, run }: AgentCaller,
  due: readonly OpenTask[],
): Promise<Task[]> {
  const started: Task[] = []
  for (const { id } of due) {
    const known = await unit.load(tasks, id)
    if (!known || hasEnded(known)) continue
    const isKnown = kinds.has(known.kind) && (server.kinds[known.kind] ?? 0) >= known.kindVersion
    await unit.decide(tasks, id, 'HandOut', { run, isKnown })
    const task = (await unit.load(tasks, id))!
    if (task.state === 'RUNNING' || task.state === 'CANCELLING') started.push(task)
  }
  return started
}

/** @returns undefined if its secrets cannot be had: then it has failed */
async function envelopeOf(
  call: Call,
  { server }: AgentCaller,
  task: Task,
  { signer, transfer, now }: { readonly signer: SigningKey; readonly transfer: string | null; readonly now: Date },
): Promise<Envelope | undefined> {
  const { taskId, attempt } = task
  const asked = call.service(askedKinds).get(task.kind)!
  const payload = JSON.parse(task.payload)
  try {
    const secrets = (await asked.secrets?.(task, call)) ?? null
    const envelope = {
      serverId: server.serverId,
      taskId,
      attempt,
      kind: task.kind,
      version: task.kindVersion,
      issuedAt: now,
      expiresAt: new Date(task.expiresAt),
      runMs: asked.kind.runMs(payload),
      payload,
      secrets: secrets && (await boxFor(call, server, secrets, { taskId, attempt, transfer })),
      transfer,
    }
    return { taskId, text: signEnvelope(envelope, signer) }
  } catch (error) {
    if (!(error instanceof Rejection) || error.statusCode >= 500) {
      call.warn({ err: error, taskId }, 'the secrets of a task cannot be read: it is handed out later')
      return undefined
    }
    const { code, message } = error
    await call.run((unit) => unit.decide(tasks, taskId, 'Abandon', { code, message }))
    return undefined
  }
}

interface BoxOfTask extends BoxSubject {
  readonly transfer: string | null
}

/** A long one is stored for the task, which then has no other transfer. */
async function boxFor(call: Call, server: ServerOfAgent, secrets: object, subject: BoxOfTask): Promise<string> {
  const bytes = Buffer.from(JSON.stringify(secrets))
  if (bytes.length <= SECRETS_BYTES_MAX) return sealBox(bytes, server.publicKey, subject)
  const { taskId, attempt, transfer } = subject
  const transferId = v5(`${taskId}/${attempt}/secrets`, taskId)
  const isOwn = transfer === null || (await findTransfer(call.telemetry, transfer))?.fromTask === null
  if (bytes.length > LONG_BYTES_MAX || !isOwn) throw new Rejection('tooLarge', 'The secrets of the task are too large')
  const box = Buffer.from(sealBox(bytes, server.publicKey, subject))
  await storeForTask(call, { transferId, toTask: taskId, bytesMax: box.length }, Readable.from([box]))
  return BOX_IN_TRANSFER
}

export function sealedFor({ publicKey }: ServerOfAgent, secrets: object, subject: BoxSubject): string {
  const bytes = Buffer.from(JSON.stringify(secrets))
  if (bytes.length > SECRETS_BYTES_MAX) throw new Rejection('tooLarge', 'The secrets of the read are too large')
  return sealBox(bytes, publicKey, subject)
}

/** Bounds the memory by the tasks that are open. */
function forgetOthers({ sentMs, named }: ToldRun, open: readonly OpenTask[]): void {
  const isOpen = new Set(open.map(({ id }) => id))
  for (const id of sentMs.keys()) if (!isOpen.has(id)) sentMs.delete(id)
  const NAMED_MAX = 2_000
  if (named.size > NAMED_MAX) named.clear()
}
