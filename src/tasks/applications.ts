/** What is read of running applications, and the commands that are run within them. */
import { z } from 'zod'
import { uuid } from '#kernel/lib/uuid'
import { ContainerId } from './engine.ts'
import { askKind, followKind, taskKind } from './kind.ts'
import { LINE_SOURCES } from './protocol.ts'
import { deployed, installation, REPLICAS_MAX, ServiceName, SERVICES_MAX } from './releases.ts'

const MINUTE_MS = 60_000
const ASK_MS = 10_000
export const TAIL_MAX = 5_000
export const EXEC_MS_MAX = 60_000
/** Of each of the two outputs, in UTF-8. */
export const EXEC_OUTPUT_BYTES_MAX = 262_144
export const EXEC_STDIN_BYTES_MAX = 65_536
/** The agent may take so long to find the container, and to end the command, beside its own time. */
const EXEC_SLACK_MS = 20_000
/** Old and new containers of a workload, side by side. */
const CONTAINERS_MAX = 2 * SERVICES_MAX * REPLICAS_MAX
export const NAMES_MAX = 4_000
const SHORT_ID_DIGITS = 12

const replica = z.int().min(1).max(REPLICAS_MAX)

/** Of a container whose labels do not say it. */
export const UNNAMED_SERVICE = 'app'
const serviceOfContainer = z.string().max(100)
/** The first digits of a container's id. */
const ShortId = z.string().regex(new RegExp(`^[0-9a-f]{${SHORT_ID_DIGITS}}$`))
export const shortIdOf = (containerId: string): string => containerId.slice(0, SHORT_ID_DIGITS)
/** As the engine writes it, so that the order of the texts is the order of the moments. */
const EngineMoment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/)

/** Whose containers are read. */
const read = {
  installation,
  workload: deployed,
  /** Null: of all. */
  service: ServiceName.nullable(),
  /** Null: of all that have containers on the host. */
  deploymentId: uuid.nullable(),
}
/** The variables whose values are taken out of what a container says, as the container has them. */
const secretNames = z.array(z.string().max(256)).max(NAMES_MAX)

/** A shorter value is in every log by chance. */
export const HIDDEN_CHARACTERS_MIN = 8
/** Values that are taken out beside those that the containers have. */
export const HiddenValues = z.strictObject({ values: z.array(z.string()) })
export type HiddenValues = z.output<typeof HiddenValues>

const LogSource = z.enum(LINE_SOURCES).exclude(['STEP'])

/** A place in what one container says to one of its outputs. Lines of one moment have the numbers 1, 2 and so on. */
const place = { container: ShortId, of: LogSource, at: EngineMoment, nth: z.int().min(1) }
export const LogPlace = z.strictObject(place)
export type LogPlace = z.output<typeof LogPlace>

/** Of lines of one output. */
export const isLater = (one: Pick<LogPlace, 'at' | 'nth'>, other: Pick<LogPlace, 'at' | 'nth'>): boolean =>
  one.at > other.at || (one.at === other.at && one.nth > other.nth)

export const ContainerLine = z.strictObject({
  ...place,
  service: serviceOfContainer,
  replica: z.int().min(1),
  deploymentId: uuid.nullable(),
  text: z.string(),
})
export type ContainerLine = z.output<typeof ContainerLine>

/** The newest lines. */
export const logsTail = askKind('logs.tail', 1, {
  params: z.strictObject({
    ...read,
    secretNames,
    tail: z.int().min(1).max(TAIL_MAX),
    /** Null: from the first line on. */
    since: EngineMoment.nullable(),
    /** Only what comes after these. */
    after: z.array(LogPlace).max(2 * CONTAINERS_MAX),
  }),
  answer: z.strictObject({
    /** In the order of their moments. */
    lines: z.array(ContainerLine).max(TAIL_MAX),
    /** There are older ones. */
    isCut: z.boolean(),
    /** Those that there are. */
    containers: z.array(ShortId).max(CONTAINERS_MAX),
  }),
  needs: ['engine'],
  waitMs: ASK_MS,
})

/**
 * All lines from a little before its start on, those of containers that come later included. Its first line is of STEP and
 * says that it has started; the others are JSON of `FollowedLine`.
 */
export const logsFollow = followKind('logs.follow', 1, {
  params: z.strictObject({ ...read, secretNames }),
  needs: ['engine'],
})

const { container, at, nth, service, replica: ofReplica, deploymentId, text } = ContainerLine.shape
/** A line, but for the output, which the line that carries it names. */
export const FollowedLine = z.tuple([container, at, nth, service, ofReplica, deploymentId, text])
export type FollowedLine = z.output<typeof FollowedLine>

export const ContainerStats = z.strictObject({
  service: serviceOfContainer,
  replica: z.int().min(1),
  deploymentId: uuid.nullable(),
  cpuPercent: z.number().min(0).describe('Of one processor: 250 are two and a half of them.'),
  memoryBytes: z.int().min(0).describe('Without what the kernel only caches.'),
  limitBytes: z.int().min(0).describe('The memory that it may use, in bytes.'),
  netRxBytes: z.int().min(0).describe('Received since its start, in bytes.'),
  netTxBytes: z.int().min(0).describe('Sent since its start, in bytes.'),
  blockReadBytes: z.int().min(0).describe('Read from disks since its start, in bytes.'),
  blockWriteBytes: z.int().min(0).describe('Written to disks since its start, in bytes.'),
  pids: z.int().min(0).describe('Its processes and threads.'),
  at: z.iso.datetime().describe('By the clock of the host.'),
})
export type ContainerStats = z.output<typeof ContainerStats>

export const applicationsStats = askKind('applications.stats', 1, {
  params: z.strictObject(read),
  answer: z.strictObject({ containers: z.array(ContainerStats).max(CONTAINERS_MAX) }),
  needs: ['engine'],
  waitMs: ASK_MS,
})

/** A container of a workload, or a replica of a service. Null: any one that runs. */
const target = z.union([
  z.strictObject({ containerId: ContainerId }),
  z.strictObject({ workload: deployed, service: ServiceName.nullable(), replica: replica.nullable() }),
])
export type ExecTarget = z.output<typeof target>

/**
 * Runs a command within a container. Its lines are JSON strings, pieces of its outputs. Fails with NOT_RUNNING, and with
 * NOT_ENDED where its time is over and the host does not let it be ended.
 */
export const containersExec = taskKind('containers.exec', 1, {
  payload: z.strictObject({ installation, target, timeoutMs: z.int().min(1).max(EXEC_MS_MAX) }),
  result: z.strictObject({
    /** Null: it was ended. */
    exitCode: z.int().nullable(),
    timedOut: z.boolean(),
    truncated: z.boolean(),
    ms: z.int().min(0),
  }),
  lane: () => null,
  pool: 'exec',
  needs: ['engine'],
  deadlineMs: 2 * MINUTE_MS,
  runMs: ({ timeoutMs }) => timeoutMs + EXEC_SLACK_MS,
  attempts: 1,
  retryOn: [],
  onRestart: 'report',
  shows: ['timeoutMs', 'exitCode', 'timedOut', 'truncated', 'ms'],
  isLive: true,
})

export const ExecSecrets = z.strictObject({
  command: z.array(z.string()).min(1).max(64),
  /** Null: none, not even an empty one. */
  stdin: z.string().nullable(),
  /** Taken out of the output. */
  ...HiddenValues.shape,
  names: secretNames,
})
