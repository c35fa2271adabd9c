/** What agent and panel say to each other: the bodies and answers of the routes under /api/agent. */
import { z } from 'zod'
import { machineText, nameSchema } from '#kernel/lib/display-text'
import { isShallow } from '#kernel/lib/json-bounds'
import { isStorableMoment } from '#kernel/lib/timestamps'
import { uuid } from '#kernel/lib/uuid'
import { LINKS_MAX, MeshLink, meshPort } from './mesh.ts'
import { POOLS, POOL_SIZES } from './pools.ts'
import type { Pool } from './pools.ts'
import { AgentPublicKey } from './sealed-box.ts'

/** The headers beside the token. */
export const SERVER_HEADER = 'daybook-server'
/** A UUID for each start of the agent's process. */
export const RUN_HEADER = 'daybook-run'

/** Proxies close a connection after a minute of silence. */
export const WAIT_MS_MAX = 55_000
export const HOLDING_MAX = 256
export const TASKS_PER_ANSWER = 8
/** A line has four fields, and strict JSON takes 10,000 in a body. */
export const LINES_PER_PIECE = 2_000
/** Of a request with lines. */
export const PIECE_BYTES_MAX = 262_144
export const LINE_BYTES_MAX = 8_192
export const RESULT_BYTES_MAX = 65_536
/** Of a result that is uploaded, and of a sealed box that is downloaded. */
export const LONG_BYTES_MAX = 16 * 1_024 * 1_024
export const ANSWER_BYTES_MAX = 1_048_576
/** Arrays and objects in each other. */
export const RESULT_LEVELS_MAX = 32
/** Of one request of an upload. */
export const UPLOAD_BYTES_MAX = 16 * 1_024 * 1_024

const KINDS_MAX = 500
const attempt = z.int().min(1).max(1_000_000)
const seq = z.int().min(0).max(2_000_000_000)

/** An agent that is older than a pool does not name it. */
const free = z.strictObject(
  Object.fromEntries(POOLS.map((pool) => [pool, z.int().min(0).max(POOL_SIZES[pool]).optional()])) as Record<
    Pool,
    z.ZodOptional<z.ZodInt>
  >,
)

/** What hosts have, and sums and shares of it, stay far below what a number can hold. */
const amount = z.int().min(0).max(1_000_000_000)

/** What the agent says of itself and its host. */
export const AgentFacts = z.strictObject({
  /** The id that the container engine gives itself. Null: the agent finds no engine. */
  engineId: nameSchema(128).nullable(),
  version: nameSchema(64),
  hostname: nameSchema(253),
  os: nameSchema(64),
  arch: nameSchema(32),
  kernel: nameSchema(128),
  /** The kinds that the agent performs, and the version of each. */
  kinds: z.record(z.string().max(64), z.int().min(1)).refine((kinds) => Object.keys(kinds).length <= KINDS_MAX),
  capacity: z.strictObject({ cpuMillis: amount, memoryMiB: amount, diskMiB: amount }),
  engine: z
    .strictObject({
      version: nameSchema(64),
      api: nameSchema(16),
      driver: nameSchema(64).optional(),
      builder: nameSchema(64).optional(),
    })
    .nullable(),
  addresses: z.array(nameSchema(64)).max(64).optional(),
  systemd: z.boolean().optional(),
  cgroup: z.int().min(1).max(2).optional(),
  /** Null: the program is not installed. */
  programs: z
    .record(z.string().max(64), nameSchema(64).nullable())
    .refine((programs) => Object.keys(programs).length <= KINDS_MAX)
    .optional(),
})
export type AgentFacts = z.output<typeof AgentFacts>

export const RegisterBody = z.strictObject({
  ...AgentFacts.shape,
  /** X25519, raw in base64url: the agent keeps the private key. */
  publicKey: AgentPublicKey,
})
export type RegisterBody = z.output<typeof RegisterBody>

export const TaskPublicKey = z.strictObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.base64url() })

export const RegisterAnswer = z.object({
  serverId: z.uuid(),
  /** Sealed to the public key. */
  token: z.string(),
  /** The keys that the panel signs tasks with. */
  taskKeys: z.array(TaskPublicKey).min(1),
  now: z.iso.datetime(),
  /** When the first beat is due. */
  nextMs: z.int(),
})
export type RegisterAnswer = z.output<typeof RegisterAnswer>

/** How the host is; each section of the panel that reads more of it declares the field here. */
export const Beat = z.strictObject({
  cpuPercent: z.number().min(0).max(100),
  memoryBytes: z.int().min(0),
  memoryUsedBytes: z.int().min(0),
  diskBytes: z.int().min(0),
  diskUsedBytes: z.int().min(0),
  load: z.number().min(0),
  containers: z.int().min(0).nullable(),
  engine: z.enum(['UP', 'DOWN', 'NONE']),
  /** The revision of each plan that the agent acts on, by its kind. */
  plans: z.record(z.string().max(100), z.int().min(0)),
  /** Of the plan mesh, after each measurement. */
  links: z.array(MeshLink).max(LINKS_MAX).optional(),
  meshPortClosed: meshPort.optional().describe('The port of the plan mesh, while the host cannot open it.'),
  /** At the start of the agent, and when they have changed. */
  facts: AgentFacts.optional(),
})
export type Beat = z.output<typeof Beat>

const factsAgain = z
  .boolean()
  .optional()
  .describe('The facts came within a minute of the last change and were not noted: tell them again.')

export const HeartbeatAnswer = z.object({
  now: z.iso.datetime(),
  /** When the next beat is due. */
  nextMs: z.int(),
  /** The token that follows, sealed to the agent. The one before is valid until this one is used. */
  token: z.string().optional(),
  factsAgain,
})
export type HeartbeatAnswer = z.output<typeof HeartbeatAnswer>

export const PollBody = z.strictObject({
  waitMs: z.int().min(0).max(WAIT_MS_MAX).default(0),
  /** The free places of each pool. */
  free,
  /** What the agent has taken and not told the end of. `ended`: its result is on the way. */
  holding: z.array(z.strictObject({ id: uuid, attempt, ended: z.boolean() })).max(HOLDING_MAX),
  beat: Beat.optional(),
})
export type PollBody = z.output<typeof PollBody>

export const PollAnswer = z.object({
  /** Envelopes. */
  tasks: z.array(z.string()),
  /** Envelopes of reads, whose answers are told as results. */
  asks: z.array(z.string()).default([]),
  /** Envelopes of reads that go on, whose lines are told as progress. */
  follows: z.array(z.string()).default([]),
  /** The agent must stop these. */
  cancel: z.array(z.uuid()),
  /** These are over, whatever the agent holds of them. */
  drop: z.array(z.uuid()),
  now: z.iso.datetime(),
  /** When the next beat is due. */
  nextMs: z.int(),
  factsAgain,
})
export type PollAnswer = z.output<typeof PollAnswer>

export const LINE_SOURCES = ['OUT', 'ERR', 'STEP'] as const

export const LogLine = z.strictObject({
  /** From 1 on, without gaps, over all attempts of the task. */
  seq: seq.min(1),
  at: z.iso.datetime().refine(isStorableMoment, 'must be a moment of the years 1 to 9999'),
  of: z.enum(LINE_SOURCES),
  text: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= LINE_BYTES_MAX, `must have at most ${LINE_BYTES_MAX} bytes`),
})
export type LogLine = z.output<typeof LogLine>

export const ProgressBody = z.strictObject({
  attempt,
  lines: z
    .array(LogLine)
    .max(LINES_PER_PIECE)
    .refine((lines) => lines.every(({ seq: own }, nth) => nth === 0 || own > lines[nth - 1]!.seq), 'must be in order'),
  percent: z.number().min(0).max(100).optional(),
  commits: z
    .literal(true)
    .optional()
    .describe('What a cancel does not take back is to begin: the answer says whether.'),
})
export type ProgressBody = z.output<typeof ProgressBody>

export const ProgressAnswer = z.object({
  /** The first line that the panel does not have. */
  next: z.int().min(1),
  cancel: z.boolean(),
  /** The reader of live pieces is behind. */
  pause: z.boolean(),
  mayCommit: z.boolean().optional().describe('Only where it was asked. False without `cancel`: not by this task.'),
})
export type ProgressAnswer = z.output<typeof ProgressAnswer>

/** A word for programs, and a text for people without secrets. */
export const TaskError = z.strictObject({
  code: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/),
  message: machineText(500),
})
export type TaskError = z.output<typeof TaskError>

const told = { attempt, lastSeq: seq }

/** A result that was uploaded, because it is longer than `RESULT_BYTES_MAX`. */
export const ResultFile = z.strictObject({ bytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) })
export type ResultFile = z.output<typeof ResultFile>

const result = z
  .unknown()
  .refine((value) => isShallow(value, RESULT_LEVELS_MAX), `must be nested at most ${RESULT_LEVELS_MAX} levels deep`)

export const ResultBody = z.discriminatedUnion('outcome', [
  z.strictObject({ ...told, outcome: z.literal('SUCCEEDED'), result, file: ResultFile.optional() }),
  z.strictObject({ ...told, outcome: z.literal('FAILED'), error: TaskError }),
  z.strictObject({ ...told, outcome: z.literal('CANCELLED') }),
])
export type ResultBody = z.output<typeof ResultBody>

export const TASK_STATES = ['QUEUED', 'RUNNING', 'CANCELLING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'EXPIRED'] as const

export const ResultAnswer = z.object({
  state: z.enum(TASK_STATES),
  /** The task had ended before, in another way. */
  late: z.boolean(),
})
export type ResultAnswer = z.output<typeof ResultAnswer>

export const UploadAnswer = z.object({
  /** The offset of the next byte. */
  received: z.int(),
})
