/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import { agentBeat, agentCapacity, agentEngine, agentPrograms } from './inputs.ts'
import type { AgentBeatInput, AgentEngineInput, ServerCapacity2, Task } from './schemas.ts'

/** Become the agent of the server of the install token. The same agent may repeat the call. */
export const postAgentRegister = /*#__PURE__*/ operation<{
  readonly body: {
    /** The id that the container engine gives itself. Null: the agent finds no engine. */
    readonly engineId: string | null
    /** The version. */
    readonly version: string
    /** The name that the host gives itself. */
    readonly hostname: string
    /** The operating system. */
    readonly os: string
    /** The processor architecture. */
    readonly arch: string
    /** The version of the kernel. */
    readonly kernel: string
    /** The kinds of tasks that the agent performs, and the version of each. */
    readonly kinds: { readonly [name: string]: number }
    /** What there is on the host. */
    readonly capacity: ServerCapacity2
    /** The container engine. Null: the agent finds none. */
    readonly engine: AgentEngineInput | null
    /** The addresses of the host. */
    readonly addresses?: readonly string[] | undefined
    /** Whether the host runs systemd. */
    readonly systemd?: boolean | undefined
    /** The version of control groups. */
    readonly cgroup?: number | undefined
    /** Versions of programs on the host. Null: not installed. */
    readonly programs?: { readonly [name: string]: string | null } | undefined
    /** The X25519 key of the agent. Secrets are sealed to it. */
    readonly publicKey: string
  }
  readonly data: {
    readonly serverId: string
    /** The token of the mailed link. */
    readonly token: string
    readonly taskKeys: readonly {
      readonly kty: 'OKP'
      readonly crv: 'Ed25519'
      readonly x: string
    }[]
    readonly now: string
    readonly nextMs: number
  }
}>('POST /api/agent/register', {
  openTo: ['install'],
  limited: true,
  body: {
    type: 'object',
    properties: {
      engineId: { anyOf: [{ type: 'string', minLength: 1, maxLength: 128 }, { type: 'null' }] },
      version: { type: 'string', minLength: 1, maxLength: 64 },
      hostname: { type: 'string', minLength: 1, maxLength: 253 },
      os: { type: 'string', minLength: 1, maxLength: 64 },
      arch: { type: 'string', minLength: 1, maxLength: 32 },
      kernel: { type: 'string', minLength: 1, maxLength: 128 },
      kinds: {
        type: 'object',
        propertyNames: { type: 'string', maxLength: 64 },
        additionalProperties: { type: 'integer', minimum: 1 },
      },
      capacity: agentCapacity,
      engine: agentEngine,
      addresses: { maxItems: 64, type: 'array', items: { type: 'string', minLength: 1, maxLength: 64 } },
      systemd: { type: 'boolean' },
      cgroup: { type: 'integer', minimum: 1, maximum: 2 },
      programs: agentPrograms,
      publicKey: { type: 'string', minLength: 43, maxLength: 43, format: 'base64url', contentEncoding: 'base64url' },
    },
    required: ['engineId', 'version', 'hostname', 'os', 'arch', 'kernel', 'kinds', 'capacity', 'engine', 'publicKey'],
    additionalProperties: false,
  },
})

/** Tell what the agent holds, and wait for tasks, for tasks to stop, and for tasks that are over. */
export const postAgentPoll = /*#__PURE__*/ operation<{
  readonly body: {
    /** How long the answer may wait for news, in milliseconds. */
    readonly waitMs?: number | undefined
    /** How many more tasks of each pool the agent can take. An agent that is older than a pool does not name it. */
    readonly free: {
      /** Places for builds. */
      readonly build?: number | undefined
      /** Places for steps of a release. */
      readonly release?: number | undefined
      /** Places for work that moves data. */
      readonly io?: number | undefined
      /** Places for short work. */
      readonly quick?: number | undefined
      /** Places for commands within containers. */
      readonly exec?: number | undefined
    }
    /** The tasks that the agent has taken and whose end the panel has not confirmed. */
    readonly holding: readonly {
      /** The id of the record. */
      readonly id: string
      /** Which attempt of the task this is, from 1 on. */
      readonly attempt: number
      /** Whether the attempt has ended and its result is on the way. */
      readonly ended: boolean
    }[]
    /** How the host is. At most as often as the panel asks. */
    readonly beat?: AgentBeatInput | undefined
  }
  readonly data:
    | {
        readonly tasks: readonly string[]
        readonly asks: readonly string[]
        readonly follows: readonly string[]
        readonly cancel: readonly string[]
        readonly drop: readonly string[]
        readonly now: string
        readonly nextMs: number
        /** The facts came within a minute of the last change and were not noted: tell them again. */
        readonly factsAgain?: boolean | undefined
      }
    | undefined
}>('POST /api/agent/poll', {
  openTo: ['agent'],
  body: {
    type: 'object',
    properties: {
      waitMs: { default: 0, type: 'integer', minimum: 0, maximum: 55000 },
      free: {
        type: 'object',
        properties: {
          build: { type: 'integer', minimum: 0, maximum: 8 },
          release: { type: 'integer', minimum: 0, maximum: 16 },
          io: { type: 'integer', minimum: 0, maximum: 4 },
          quick: { type: 'integer', minimum: 0, maximum: 8 },
          exec: { type: 'integer', minimum: 0, maximum: 10 },
        },
        additionalProperties: false,
      },
      holding: {
        maxItems: 256,
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', format: 'uuid' },
            attempt: { type: 'integer', minimum: 1, maximum: 1000000 },
            ended: { type: 'boolean' },
          },
          required: ['id', 'attempt', 'ended'],
          additionalProperties: false,
        },
      },
      beat: agentBeat,
    },
    required: ['free', 'holding'],
    additionalProperties: false,
  },
})

/** Tell how the host of the agent is. A poll may tell the same. */
export const postAgentHeartbeat = /*#__PURE__*/ operation<{
  readonly body: AgentBeatInput
  readonly data: {
    readonly now: string
    readonly nextMs: number
    /** The token of the mailed link. */
    readonly token?: string | undefined
    /** The facts came within a minute of the last change and were not noted: tell them again. */
    readonly factsAgain?: boolean | undefined
  }
}>('POST /api/agent/heartbeat', { openTo: ['agent'], body: agentBeat })

/** Read a task with the lines of its log after a number. With waitMs, wait for its end or for more lines. */
export const getAgentTasksById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** The last line of the log that the caller has. */
        readonly after?: number | undefined
        /** How long the answer may wait for news, in milliseconds. */
        readonly waitMs?: number | undefined
      }
    | undefined
  readonly data: Task
}>('GET /api/agent/tasks/{id}', {
  openTo: ['user', 'agent'],
  asks: ['servers:view', 'project:apps:view'],
  query: {
    type: 'object',
    properties: {
      after: { default: 0, type: 'integer', minimum: 0, maximum: 2147483647 },
      waitMs: { default: 0, type: 'integer', minimum: 0, maximum: 25000 },
    },
    required: [],
  },
})

/** Tell what a task says. Lines that the panel has are ignored. */
export const postAgentTasksByIdProgress = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** Which attempt of the task this is, from 1 on. */
    readonly attempt: number
    /** Lines of the log in their order. */
    readonly lines: readonly {
      /** The number of the line, from 1 on, without gaps. */
      readonly seq: number
      /** When it happened. */
      readonly at: string
      /** What said the line: the standard output, the error output, or the agent itself. */
      readonly of: 'OUT' | 'ERR' | 'STEP'
      /** The line, without its end. */
      readonly text: string
    }[]
    /** How far the task is, in percent. Null: not known. */
    readonly percent?: number | undefined
    /** What a cancel does not take back is to begin: the answer says whether. */
    readonly commits?: true | undefined
  }
  readonly data: {
    readonly next: number
    readonly cancel: boolean
    readonly pause: boolean
    /** Only where it was asked. False without `cancel`: not by this task. */
    readonly mayCommit?: boolean | undefined
  }
}>('POST /api/agent/tasks/{id}/progress', {
  openTo: ['agent'],
  body: {
    type: 'object',
    properties: {
      attempt: { type: 'integer', minimum: 1, maximum: 1000000 },
      lines: {
        maxItems: 2000,
        type: 'array',
        items: {
          type: 'object',
          properties: {
            seq: { type: 'integer', minimum: 1, maximum: 2000000000 },
            at: { type: 'string', format: 'date-time' },
            of: { type: 'string', enum: ['OUT', 'ERR', 'STEP'] },
            text: { type: 'string' },
          },
          required: ['seq', 'at', 'of', 'text'],
          additionalProperties: false,
        },
      },
      percent: { type: 'number', minimum: 0, maximum: 100 },
      commits: {
        description: 'What a cancel does not take back is to begin: the answer says whether.',
        type: 'boolean',
        const: true,
      },
    },
    required: ['attempt', 'lines'],
    additionalProperties: false,
  },
})

/** Tell the end of an attempt. The same may be told again; one after the end of the task is late. */
export const postAgentTasksByIdResult = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body:
    | {
        /** Which attempt of the task this is, from 1 on. */
        readonly attempt: number
        readonly lastSeq: number
        readonly outcome: 'SUCCEEDED'
        /** What came of it, in the form of its kind. */
        readonly result: unknown
        readonly file?:
          | {
              /** The size in bytes. */
              readonly bytes: number
              readonly sha256: string
            }
          | undefined
      }
    | {
        /** Which attempt of the task this is, from 1 on. */
        readonly attempt: number
        readonly lastSeq: number
        readonly outcome: 'FAILED'
        readonly error: {
          /** A code of the authenticator app, or a backup code. */
          readonly code: string
          /** What happened, in a sentence. */
          readonly message: string
        }
      }
    | {
        /** Which attempt of the task this is, from 1 on. */
        readonly attempt: number
        readonly lastSeq: number
        readonly outcome: 'CANCELLED'
      }
  readonly data: {
    /** Whether the other server has answered with its proof. */
    readonly state: 'QUEUED' | 'RUNNING' | 'CANCELLING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'EXPIRED'
    readonly late: boolean
  }
}>('POST /api/agent/tasks/{id}/result', {
  openTo: ['agent'],
  body: {
    oneOf: [
      {
        type: 'object',
        properties: {
          attempt: { type: 'integer', minimum: 1, maximum: 1000000 },
          lastSeq: { type: 'integer', minimum: 0, maximum: 2000000000 },
          outcome: { type: 'string', const: 'SUCCEEDED' },
          result: {},
          file: {
            type: 'object',
            properties: {
              bytes: { type: 'integer', minimum: 0 },
              sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
            },
            required: ['bytes', 'sha256'],
            additionalProperties: false,
          },
        },
        required: ['attempt', 'lastSeq', 'outcome', 'result'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: {
          attempt: { type: 'integer', minimum: 1, maximum: 1000000 },
          lastSeq: { type: 'integer', minimum: 0, maximum: 2000000000 },
          outcome: { type: 'string', const: 'FAILED' },
          error: {
            type: 'object',
            properties: {
              code: { type: 'string', pattern: '^[A-Z][A-Z0-9_]{0,63}$' },
              message: { type: 'string', maxLength: 500 },
            },
            required: ['code', 'message'],
            additionalProperties: false,
          },
        },
        required: ['attempt', 'lastSeq', 'outcome', 'error'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: {
          attempt: { type: 'integer', minimum: 1, maximum: 1000000 },
          lastSeq: { type: 'integer', minimum: 0, maximum: 2000000000 },
          outcome: { type: 'string', const: 'CANCELLED' },
        },
        required: ['attempt', 'lastSeq', 'outcome'],
        additionalProperties: false,
      },
    ],
  },
})

/** Download the bytes that a task needs: all, or with Range from a byte on. Those of a live transfer come as they are sent. */
export const getAgentTransfersByTaskIdDownload = /*#__PURE__*/ operation<{
  readonly params: {
    /** The task that sends or takes the bytes. */
    readonly taskId: string
  }
  readonly data: Response
}>('GET /api/agent/transfers/{taskId}/download', { openTo: ['agent'], answers: 'stream' })

/** Upload bytes of a task. Content-Range says which; after a cut, Upload-Offset of the 409 says where to go on. */
export const postAgentTransfersByTaskIdUpload = /*#__PURE__*/ operation<{
  readonly params: {
    /** The task that sends or takes the bytes. */
    readonly taskId: string
  }
  readonly body: Blob
  readonly data: {
    readonly received: number
  }
}>('POST /api/agent/transfers/{taskId}/upload', { openTo: ['agent'], sends: 'bytes' })

/** A POSIX shell script that installs the agent on the host: the panel shows the command that runs it. */
export const getAgentInstallSh = /*#__PURE__*/ operation<{
  readonly data: Response
}>('GET /api/agent/install.sh', { openTo: ['install'], answers: 'stream' })

/** Download the executable of the agent, compressed by gzip: all, or with Range a part. The ETag is its SHA-256. */
export const getAgentBinary = /*#__PURE__*/ operation<{
  readonly query: {
    /** The processor architecture. */
    readonly arch: 'amd64' | 'arm64'
  }
  readonly data: Response
}>('GET /api/agent/binary', {
  openTo: ['agent', 'install'],
  answers: 'stream',
  query: { type: 'object', properties: { arch: { type: 'string', enum: ['amd64', 'arm64'] } }, required: ['arch'] },
})
