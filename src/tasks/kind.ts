/**
 * Kinds of work that the panel asks of a server's agent. Each is declared once, for both: the panel checks what it asks
 * by the declaration, and the agent what it is asked. No field has a default, so that each kind decides all of them.
 *
 * task: work with a history, which is done once.
 * ask: a read without a history.
 * follow: a read that goes on while its caller looks.
 * plan: a desired state, which the agent keeps and applies.
 */
import { z } from 'zod'
import type { Pool } from './pools.ts'

/** What an agent may lack when a task arrives. */
export type Need = 'engine'

/**
 * What the agent does with a task that was started before the agent was: perform it again from the start, have the
 * performer find what it made, or end it as FAILED with the code INTERRUPTED.
 */
export type OnRestart = 'repeat' | 'adopt' | 'report'

export interface TaskSpec<Payload, Result> {
  /** An object without open fields. Within a version, it only gains optional fields. */
  readonly payload: z.ZodType<Payload>
  readonly result: z.ZodType<Result>
  /** Tasks of a server with the same lane run one after the other, in the order of their requests. Null: no lane. */
  lane(payload: Payload): string | null
  readonly pool: Pool
  readonly needs: readonly Need[]
  /** From the request on. A task that has not been started by then expires. */
  readonly deadlineMs: number
  /** The longest time of one attempt. */
  runMs(payload: Payload): number
  /** At most so many, the first one included. */
  readonly attempts: number
  /** The error codes after which another attempt follows. */
  readonly retryOn: readonly string[]
  /** The longest wait between two attempts. Absent: a minute. */
  readonly retryMsMax?: number
  readonly onRestart: OnRestart
  /** The fields of payload and result that viewers see who may not manage the server. */
  readonly shows: readonly string[]
  /** Its result may hold what users keep secret: it goes by the transfer of the task, and no event has it. */
  readonly isResultFiled?: true
  /** What it says is shown to its caller while it runs, and is no history. Absent: its lines are kept. */
  readonly isLive?: true
}

interface Named {
  readonly name: string
  /** The agent refuses a version that it does not know. */
  readonly version: number
}

export interface TaskKind<Payload = unknown, Result = unknown> extends TaskSpec<Payload, Result>, Named {}

export interface AskSpec<Params, Answer> {
  readonly params: z.ZodType<Params>
  readonly answer: z.ZodType<Answer>
  readonly needs: readonly Need[]
  /** The longest wait for the answer; at most 30 s. */
  readonly waitMs: number
}

export interface AskKind<Params = unknown, Answer = unknown> extends AskSpec<Params, Answer>, Named {}

/** A read that goes on until its caller leaves. */
export interface FollowSpec<Params> {
  readonly params: z.ZodType<Params>
  readonly needs: readonly Need[]
}

export interface FollowKind<Params = unknown> extends FollowSpec<Params>, Named {}

export interface PlanSpec<Body, Result> {
  readonly body: z.ZodType<Body>
  readonly result: z.ZodType<Result>
  readonly needs: readonly Need[]
  readonly deadlineMs: number
  readonly runMs: number
}

export interface PlanKind<Body = unknown, Result = unknown> extends PlanSpec<Body, Result>, Named {}

const NAME = /^[a-z]+(?:\.[a-z-]+)*$/
const ASK_MS_MAX = 30_000
/** As JSON: what is larger goes by a transfer. */
export const PAYLOAD_BYTES_MAX = 65_536

/** @throws Error at start for a declaration that contradicts itself */
export function taskKind<Payload, Result>(
  name: string,
  version: number,
  spec: TaskSpec<Payload, Result>,
): TaskKind<Payload, Result> {
  checkName(name, version)
  const fields = [...fieldsOf(name, spec.payload), ...fieldsOf(name, spec.result)]
  const unknown = spec.shows.filter((field) => !fields.includes(field))
  if (unknown.length > 0) throw new Error(`${name} shows ${unknown.join(', ')}, which it does not have`)
  if (spec.attempts < 1 || spec.attempts > 1 !== spec.retryOn.length > 0)
    throw new Error(`${name} must name the errors after which it is tried again, and only if it is`)
  return { name, version, ...spec }
}

/** @throws Error at start */
export function askKind<Params, Answer>(
  name: string,
  version: number,
  spec: AskSpec<Params, Answer>,
): AskKind<Params, Answer> {
  checkName(name, version)
  fieldsOf(name, spec.params)
  if (spec.waitMs > ASK_MS_MAX) throw new Error(`${name} must be answered within ${ASK_MS_MAX} ms`)
  return { name, version, ...spec }
}

/** @throws Error at start */
export function followKind<Params>(name: string, version: number, spec: FollowSpec<Params>): FollowKind<Params> {
  checkName(name, version)
  fieldsOf(name, spec.params)
  return { name, version, ...spec }
}

/** @throws Error at start */
export function planKind<Body, Result>(
  name: string,
  version: number,
  spec: PlanSpec<Body, Result>,
): PlanKind<Body, Result> {
  checkName(name, version)
  return { name, version, ...spec }
}

/** By their names. @throws Error at start for two with the same name */
export function kindsByName<Kind extends Named>(kinds: readonly Kind[]): ReadonlyMap<string, Kind> {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  if (byName.size < kinds.length) throw new Error('Two kinds have the same name')
  return byName
}

function checkName(name: string, version: number): void {
  if (!NAME.test(name)) throw new Error(`The name of a kind has the form section.verb, not ${name}`)
  if (!Number.isSafeInteger(version) || version < 1) throw new Error(`The version of ${name} must be 1 or more`)
}

/** An agent refuses what it does not know, so an open object would let unknown fields through. */
function fieldsOf(name: string, schema: z.ZodType): string[] {
  const isClosed = schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodNever
  if (!isClosed) throw new Error(`${name} needs z.strictObject for what it takes and answers`)
  return Object.keys(schema.shape)
}
